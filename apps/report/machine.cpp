#include "machine.hpp"

#include <fstream>
#include <lookback/cpu/run/machine.hpp>
#include <lookback/tunings.hpp>

#include "io/numbers.hpp"

#ifndef LOOKBACK_COMMIT
#define LOOKBACK_COMMIT ""
#endif

namespace lookback::app {

build_facts const& build() {
#if defined(__clang__)
  static build_facts const facts{lookback::version, LOOKBACK_COMMIT, "clang++ " __clang_version__};
#else
  static build_facts const facts{lookback::version, LOOKBACK_COMMIT, "g++ " __VERSION__};
#endif
  return facts;
}

std::string cpu_name() { return processor_name(); }

std::string gpu_driver_version() {
  std::ifstream file("/sys/module/nvidia/version");
  std::string version;
  std::getline(file, version);
  return version;
}

std::string simd_name() {
#if defined(__x86_64__)
  if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw")) return "AVX-512";
  if (__builtin_cpu_supports("avx2")) return "AVX2";
#endif
  return "portable SIMD";
}

long last_level_cache_bytes() { return static_cast<long>(cpu::machine().llc_bytes); }

}  // namespace lookback::app
