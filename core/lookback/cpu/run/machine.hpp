// What the engine asks of the machine: the sizes of its caches, and how many cores this process may use.
#pragma once
#include <sched.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <thread>

#include "../../fn.hpp"
#include "../simd/unit.hpp"

namespace lookback::cpu::inline LOOKBACK_UNIT {

struct machine_facts {
  index_t l2_bytes;   // of one core
  index_t llc_bytes;  // of the last-level cache that a core sees
  int quota;          // cores' worth of time that the process's cgroups grant it, rounded up; 0: no limit
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

/// What a small file holds; nothing where there is none.
inline std::string text_of(std::string const& path) {
  std::string text;
  if (std::FILE* file = std::fopen(path.c_str(), "r")) {
    char part[256];
    for (std::size_t n; (n = std::fread(part, 1, sizeof part, file)) > 0;) text.append(part, n);
    std::fclose(file);
  }
  return text;
}

/// Cores of a quota of so many microseconds in each period, rounded up; 0 where there is none ("max", -1, no such file).
inline int cores_of_quota(std::string const& quota, std::string const& period) {
  double const granted = std::atof(quota.c_str()), of = std::atof(period.c_str());
  return granted > 0 && of > 0 ? static_cast<int>(std::min(std::ceil(granted / of), 1e6)) : 0;
}

/// The least quota of the cgroups that `groups` names (/proc/self/cgroup: lines "number:controllers:path") and of those above them,
/// which limit it too. `root` is where cgroups are mounted. In a container the path of a group may be the host's, and only the root
/// is there.
inline int quota_of(std::string const& groups, std::string const& root) {
  int least = 0;
  auto const limit = [&least](int cores) {
    if (cores > 0) least = least > 0 ? std::min(least, cores) : cores;
  };
  for (std::size_t begin = 0, end; begin < groups.size(); begin = end + 1) {
    end = std::min(groups.find('\n', begin), groups.size());
    std::string const line = groups.substr(begin, end - begin);
    auto const first = line.find(':'), second = first == std::string::npos ? first : line.find(':', first + 1);
    if (second == std::string::npos) continue;
    std::string controllers(1, ',');  // in steps: GCC 12 warns of a sum of strings
    controllers.append(line, first + 1, second - first - 1).push_back(',');
    bool const unified = controllers == ",,";
    if (!unified && controllers.find(",cpu,") == std::string::npos) continue;
    for (std::string group = line.substr(second + 1);;) {
      while (!group.empty() && group.back() == '/') group.pop_back();
      if (unified) {
        std::string const most = text_of(root + group + "/cpu.max");  // "quota period"
        limit(cores_of_quota(most, most.substr(std::min(most.find(' '), most.size()))));
      } else {
        for (char const* mounted : {"/cpu", "/cpu,cpuacct"}) {
          std::string const folder = root + mounted + group;
          limit(cores_of_quota(text_of(folder + "/cpu.cfs_quota_us"), text_of(folder + "/cpu.cfs_period_us")));
        }
      }
      if (group.empty()) break;
      group.resize(group.find_last_of('/') == std::string::npos ? 0 : group.find_last_of('/'));
    }
  }
  return least;
}

}  // namespace detail

inline machine_facts const& machine() {
  static machine_facts const facts{
      detail::cache_bytes("/sys/devices/system/cpu/cpu0/cache/index2/size", _SC_LEVEL2_CACHE_SIZE, 1 << 20),
      detail::cache_bytes("/sys/devices/system/cpu/cpu0/cache/index3/size", _SC_LEVEL3_CACHE_SIZE, 32 << 20),
      detail::quota_of(detail::text_of("/proc/self/cgroup"), "/sys/fs/cgroup")};
  return facts;
}

/// No more than the quota of this process's cgroups: workers beyond it would only be stopped.
inline int within_quota(int workers) { return machine().quota > 0 ? std::min(workers, machine().quota) : workers; }

/// Cores that the calling thread may use: those of its affinity mask, within the quota.
inline int usable_cores() {
  cpu_set_t allowed;
  CPU_ZERO(&allowed);
  int const cores = ::sched_getaffinity(0, sizeof allowed, &allowed) == 0 ? CPU_COUNT(&allowed)
                                                                          : static_cast<int>(std::thread::hardware_concurrency());
  return within_quota(std::max(1, cores));
}

}  // namespace lookback::cpu::inline LOOKBACK_UNIT
