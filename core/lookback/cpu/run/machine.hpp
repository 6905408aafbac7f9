// What the engine asks of the machine, once: the sizes of its caches.
#pragma once
#include <unistd.h>

#include <cstdio>

#include "../../fn.hpp"

namespace lookback::cpu {

struct machine_facts {
  index_t l2_bytes;   // of one core
  index_t llc_bytes;  // of the last-level cache that a core sees
};

namespace detail {

// sysconf may say 0 in a virtual machine, and counts the L3 caches of every die: the kernel's own table comes first.
inline index_t cache_bytes(char const* path, int name, index_t otherwise) {
  long kilobytes = 0;
  if (std::FILE* file = std::fopen(path, "r")) {
    if (std::fscanf(file, "%ldK", &kilobytes) != 1) kilobytes = 0;
    std::fclose(file);
  }
  if (kilobytes > 0) return kilobytes * 1024;
  long const bytes = ::sysconf(name);
  return bytes > 0 ? bytes : otherwise;
}

}  // namespace detail

inline machine_facts const& machine() {
  static machine_facts const facts{
      detail::cache_bytes("/sys/devices/system/cpu/cpu0/cache/index2/size", _SC_LEVEL2_CACHE_SIZE, 1 << 20),
      detail::cache_bytes("/sys/devices/system/cpu/cpu0/cache/index3/size", _SC_LEVEL3_CACHE_SIZE, 32 << 20)};
  return facts;
}

}  // namespace lookback::cpu
