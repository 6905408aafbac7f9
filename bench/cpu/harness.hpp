// The CPU side of the benchmarks: arrays, the policy, and how a call is timed.
#pragma once
#include <lookback/cpu.hpp>
#include <string>
#include <thread>
#include <vector>

#include "../case.hpp"
#include "../inputs.hpp"
#include "copy.hpp"
#include "gates.hpp"
#include "pages.hpp"

namespace bench {

inline constexpr bool on_gpu = false;

/// `--pages=4k` and `--threads=N` on the command line.
struct options {
  bool huge_pages = true;
  bool pinned = true;  // each thread to a core of its own
  int threads = 2;
};
inline options& settings() {
  static options o;
  return o;
}

inline bool read_option(std::string const& argument) {
  if (argument == "--pages=4k") settings().huge_pages = false;
  else if (argument == "--pages=2m") settings().huge_pages = true;
  else if (argument.rfind("--threads=", 0) == 0) settings().threads = std::stoi(argument.substr(10));
  else return false;
  return true;
}

inline std::string device_name() {
  std::ifstream info("/proc/cpuinfo");
  for (std::string line; std::getline(info, line);)
    if (line.rfind("model name", 0) == 0)
      return line.substr(line.find(':') + 2) + ", " + std::to_string(settings().threads) + " of " +
             std::to_string(std::thread::hardware_concurrency()) + " CPUs, " + (settings().huge_pages ? "2 MB" : "4 KB") + " pages";
  return "unknown CPU";
}

/// To be made once, before anything is measured.
inline void prepare_device() {
  if (settings().pinned) static pinned_workers const pinned(settings().threads);
}

/// Arrays made while it lives are on pages of 4 KB, as a plain vector's are.
class small_pages {
 public:
  small_pages() { settings().huge_pages = false; }
  small_pages(small_pages const&) = delete;
  small_pages& operator=(small_pages const&) = delete;
  ~small_pages() { settings().huge_pages = before_; }

 private:
  bool before_ = settings().huge_pages;
};

enum class timing { single };

/// Where the cases get their memory from and hand their calls to.
class device {
 public:
  auto on() const { return lookback::cpu::on(settings().threads); }

  template <class T>
  array<T> empty(std::size_t n) const {
    return array<T>(n, settings().huge_pages);
  }
  template <class T>
  array<T> filled(std::vector<T> const& values) const {
    array<T> a(values.size(), settings().huge_pages);
    std::copy(values.begin(), values.end(), a.begin());
    return a;
  }

  template <class T>
  std::vector<T> fetched(T const* data, std::size_t count) const {
    return {data, data + count};
  }

  /// Enough calls a sample to last two milliseconds: arrays that fit into the last-level cache need a few to be there.
  template <class Call>
  sampler timed(timing, Call call) const {
    call();
    double const start = now();
    call();
    int const repeats = static_cast<int>(std::clamp(2e-3 / (now() - start), 1.0, 1000.0));
    return [call, repeats] { return gated(call, repeats); };
  }
  /// Calls that change their input: `prepare` puts it back before each of them, and is not timed.
  template <class Prepare, class Call>
  sampler timed_after(Prepare prepare, Call call) const {
    return [prepare, call] { return gated(call, 1, prepare); };
  }
  void put_back(void const* from, void* to, std::size_t bytes) const { std::memcpy(to, from, bytes); }
  sampler copy(timing, void const* in, void* out, std::size_t bytes) const {
    return timed(timing::single, [=] { streaming_copy(in, out, bytes, settings().threads); });
  }
};

}  // namespace bench
