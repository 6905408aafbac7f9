#include "memory_left.hpp"

#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <fstream>

#include "numbers.hpp"
#include "report/failures.hpp"

namespace lookback::app {

namespace {

// The number in a file of the system's that holds one, behind `word` if there is one. "max" and a missing file are none.
bool read_number(char const* path, std::string const& word, std::size_t& number) {
  std::ifstream file(path);
  for (std::string found; !word.empty() && found != word;)
    if (!(file >> found)) return false;
  return static_cast<bool>(file >> number);
}

}  // namespace

std::size_t memory_left() {
  auto left = static_cast<std::size_t>(sysconf(_SC_PHYS_PAGES)) * static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
  if (std::size_t kilobytes = 0; read_number("/proc/meminfo", "MemAvailable:", kilobytes)) left = std::min(left, kilobytes * 1024);
  // Of its group; pages of files that it read count as used and can be had again.
  std::size_t limit = 0, used = 0, files = 0;
  if (read_number("/sys/fs/cgroup/memory.max", {}, limit) && read_number("/sys/fs/cgroup/memory.current", {}, used)) {
    if (read_number("/sys/fs/cgroup/memory.stat", "file", files)) used -= std::min(used, files);
    left = std::min(left, limit - std::min(limit, used));
  }
  // What the caller allows this process (ulimit -v), in addresses.
  rlimit own{};
  if (std::size_t pages = 0;
      getrlimit(RLIMIT_AS, &own) == 0 && own.rlim_cur != RLIM_INFINITY && read_number("/proc/self/statm", {}, pages)) {
    auto const most = static_cast<std::size_t>(own.rlim_cur);
    left = std::min(left, most - std::min(most, pages * static_cast<std::size_t>(sysconf(_SC_PAGESIZE))));
  }
  return left;
}

void expect_memory(std::string const& place, std::string const& what, std::size_t count, std::size_t size) {
  auto const left = memory_left();
  if (count <= left / size) return;
  throw out_of_memory(place + ": " + what + " needs " + bytes_text(static_cast<double>(count) * static_cast<double>(size)) +
                      ", only " + bytes_text(static_cast<double>(left)) + " are left");
}

}  // namespace lookback::app
