// radix_sort_copy and quicksort_copy inside of segments, from a few items to a million each.
#include <algorithm>
#include <lookback/quicksort.hpp>
#include <lookback/radix_sort.hpp>
#include <utility>

#include "compared.hpp"
#include "main.hpp"
#include "sort_segments_peers.hpp"
#include "sorted_segments.hpp"

namespace bench {

/// Positions where `count` segments begin, and n, by a power law: most are short, a few hold most items.
inline std::vector<std::int32_t> power_law_segments(std::size_t n, std::size_t count) {
  generator random(n);
  std::vector<double> before(count + 1, 0);
  for (std::size_t s = 0; s < count; ++s) before[s + 1] = before[s] + 1 / (random.unit() + 1e-6);
  std::vector<std::int32_t> at(count + 1);
  for (std::size_t s = 0; s <= count; ++s)
    at[s] = static_cast<std::int32_t>(std::llround(before[s] / before[count] * static_cast<double>(n)));
  return at;
}

/// Fewest bytes: every key is read once and written once, every offset read once. `by_function`: of which nothing is known.
inline void sort_segments(benchmark::State& state, std::size_t n, std::vector<std::int32_t> const& at, bool by_function) {
  device d;
  auto const in = generated<std::uint32_t>(d, n, keys_of<std::uint32_t>("uniform", n));
  auto const offsets = d.filled(at);
  auto out = d.empty<std::uint32_t>(n);
  double const copied = 8.0 * static_cast<double>(n);
  contest c(copied + 4.0 * static_cast<double>(at.size()), copied);
  auto const ours = [&] {
    if (by_function) lookback::quicksort_copy_async(d.on(), in, out, asked_less{}, lookback::offsets(offsets));
    else lookback::radix_sort_copy_async(d.on(), in, out, lookback::offsets(offsets));
  };
  c.enter("lookback", d.timed(timing::single, ours));
  enter_sort_segments_peers(c, d, in.data(), out.data(), n, offsets.data(), at.size() - 1);
  auto a = d.empty<std::uint32_t>(n), b = d.empty<std::uint32_t>(n);
  c.enter("copy", d.copy(timing::single, a.data(), b.data(), n * sizeof(std::uint32_t)));
  c.run(state);
  ours();
  expect_sorted_segments(d, in.data(), std::as_const(out).data(), at);
}

inline void add(std::string const& name, std::size_t n, std::size_t count, bool by_power_law, int rounds) {
  for (bool const by_function : {false, true})
    add_case((by_function ? "quicksort_segments/u32/" : "sort_segments/u32/") + name, rounds, [=](benchmark::State& state) {
      sort_segments(state, n, by_power_law ? power_law_segments(n, count) : equal_segments(n, count), by_function);
    });
}

inline void add_sort_segments_cases() {
  constexpr std::size_t n = std::size_t{1} << 26;
  constexpr int rounds = on_gpu ? 20 : 5;
  add("2^22_of_16", n, std::size_t{1} << 22, false, rounds);
  add("2^19_of_128", n, std::size_t{1} << 19, false, rounds);
  add("2^16_of_1024", n, std::size_t{1} << 16, false, rounds);
  add("4096_of_16K", n, 4096, false, rounds);
  add("64_of_1M", n, 64, false, rounds);
  add("2^20_by_a_power_law", n, std::size_t{1} << 20, true, rounds);
}

}  // namespace bench

int main(int argc, char** argv) { return bench::run_cases(argc, argv, bench::add_sort_segments_cases); }
