// The machine and the build, in words.
#pragma once
#include <string>

namespace lookback::app {

struct build_facts {
  std::string version;   // "0.1.0"
  std::string commit;    // short hash, empty if the build does not know
  std::string compiler;  // "g++ 12.2.0"
};
build_facts const& build();

/// "AMD EPYC 9B14", or the architecture if the system does not say.
std::string cpu_name();
/// The version of NVIDIA's kernel module; empty where the system has none or does not tell.
std::string gpu_driver_version();
/// "AVX-512", "AVX2" or "portable": what the CPU can do.
std::string simd_name();
/// Bytes of the last-level cache, 0 if unknown.
long last_level_cache_bytes();

}  // namespace lookback::app
