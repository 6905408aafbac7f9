// Streams: functions at both ends, a sum of the results as the sink. A stream that is four times as long as its memory is to run at
// the rate of one that fits, and to take no more memory than it was given. LOOKBACK_STREAM_BYTES names another length than four
// times.
#include <algorithm>
#include <chrono>
#include <cstdint>
#include <cstdlib>
#include <fstream>
#include <lookback/stream.hpp>
#include <numeric>
#include <span>
#include <string>
#include <vector>

#include "main.hpp"
#include "stream_cases.hpp"

namespace bench {

struct is_even {
  LOOKBACK_FN bool operator()(std::int32_t x) const { return x % 2 == 0; }
};

/// Anonymous memory of this process now, in bytes.
inline double anonymous_bytes() {
  std::ifstream status("/proc/self/status");
  for (std::string line; std::getline(status, line);)
    if (line.starts_with("RssAnon:")) return 1024 * std::stod(line.substr(8));
  return 0;
}

/// Reads `items` items of a short array again and again, and adds up what comes out. Returns the seconds of the stages; what comes
/// before them, memory that is allocated and pinned, goes to `start`.
template <class Verb>
double seconds_of(lookback::index_t items, Verb verb, lookback::memory most, double& most_anonymous, std::uint32_t& sum,
                  double& start) {
  static std::vector<std::int32_t> const some = [] {
    std::vector<std::int32_t> all(1 << 16);
    std::uint32_t random = 1;
    for (auto& x : all) x = static_cast<std::int32_t>((random = random * 1664525 + 1013904223) >> 16);
    return all;
  }();
  lookback::index_t left = items;
  auto const read = [&](std::span<std::int32_t> room) {
    auto const count = std::min<std::size_t>(room.size(), static_cast<std::size_t>(left));
    for (std::size_t at = 0; at < count; at += some.size())
      std::copy_n(some.data(), std::min(some.size(), count - at), room.data() + at);
    left -= static_cast<lookback::index_t>(count);
    return count;
  };
  auto const write = [&](std::span<std::int32_t const> results) {
    sum = std::accumulate(results.begin(), results.end(), sum,
                          [](std::uint32_t all, std::int32_t x) { return all + static_cast<std::uint32_t>(x); });
    most_anonymous = std::max(most_anonymous, anonymous_bytes());
  };
  auto const begin = std::chrono::steady_clock::now();
  auto const seconds = lookback::stream(on_of_streams(), read, std::move(verb), write, most).times.total;
  start = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count() - seconds;
  return seconds;
}

template <class MakeVerb>
void add_stream(std::string const& name, std::size_t memory, MakeVerb make) {
  add_case(
      "stream/" + name + "/memory:" + std::to_string(memory >> 20) + "M", std::getenv("LOOKBACK_STREAM_BYTES") ? 3 : 15,
      [memory, make](benchmark::State& state) {
        auto const fits = static_cast<lookback::index_t>(memory / sizeof(std::int32_t));
        char const* const length = std::getenv("LOOKBACK_STREAM_BYTES");
        auto const many = length ? static_cast<lookback::index_t>(std::strtod(length, nullptr) / sizeof(std::int32_t)) : 4 * fits;
        double most = 0, start = 0;
        std::uint32_t sum = 0;
        seconds_of(fits / 4, make(), lookback::memory(memory / 4), most, sum, start);  // what is there whatever the stream takes
        double const before = anonymous_bytes();
        most = 0;
        std::vector<double> small, large;
        for (auto _ : state) {
          small.push_back(seconds_of(fits, make(), lookback::memory(memory), most, sum, start));
          large.push_back(seconds_of(many, make(), lookback::memory(memory), most, sum, start));
          state.SetIterationTime(large.back());
        }
        benchmark::DoNotOptimize(sum);
        std::sort(small.begin(), small.end()), std::sort(large.begin(), large.end());
        double const one = small[small.size() / 2] / static_cast<double>(fits),
                     four = large[large.size() / 2] / static_cast<double>(many);
        state.counters["GB/s"] = sizeof(std::int32_t) / four * 1e-9;
        state.counters["x_small"] = one / four;
        state.counters["bar:x_small"] = state.counters["aim:x_small"] = 0.9;
        state.counters["start_ms"] = start * 1e3;
        state.counters["MB_over_memory"] = (most - before - static_cast<double>(memory)) * 1e-6;
      });
}

void add_cases() {
  for (std::size_t const megabytes : megabytes_of_streams) {
    add_stream("scan/i32", megabytes << 20, [] { return lookback::chunked::inclusive_scan<std::int32_t>(); });
    add_stream("select_half/i32", megabytes << 20, [] { return lookback::chunked::select_if<std::int32_t>(is_even{}); });
  }
}

}  // namespace bench

int main(int argc, char** argv) { return bench::run_cases(argc, argv, bench::add_cases); }
