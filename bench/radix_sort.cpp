// radix_sort and argsort to other arrays: keys alone, with values, and their places; of distributions that make it easy or hard.
#include <lookback/radix_sort.hpp>
#include <numeric>
#include <tuple>

#include "main.hpp"
#include "sort_peers.hpp"
#include "sorts.hpp"

namespace bench {

struct sort_case {
  std::size_t n;
  std::string distribution = "uniform";
  std::vector<bar> bars{};
};

/// Fewest bytes: every key and value is read once and written once.
template <class Key>
void sort_keys(benchmark::State& state, sort_case const& how) {
  device d;
  auto const keys = keys_of<Key>(how.distribution, how.n);
  auto const in = d.filled(keys);
  auto out = d.template empty<Key>(how.n);
  double const moved = 2.0 * static_cast<double>(how.n) * sizeof(Key);
  contest c(moved, moved);
  auto const ours = [&] { lookback::radix_sort_copy_async(d.on(), in, out); };
  c.enter("lookback", d.timed(timing::single, ours));
  enter_sort_peers(c, d, in.data(), out.data(), how.n);
  auto a = d.template empty<Key>(how.n), b = d.template empty<Key>(how.n);
  c.enter("copy", d.copy(timing::single, a.data(), b.data(), how.n * sizeof(Key)));
  for (auto const& each : how.bars) c.must(each);
  c.run(state);
  ours();
  expect_sorted(keys, d.fetched(out.data(), how.n));
}

/// Values are places, so that they say whether equal keys kept their order.
template <class Key>
void sort_pairs(benchmark::State& state, sort_case const& how) {
  device d;
  auto const keys = keys_of<Key>(how.distribution, how.n);
  std::vector<std::uint32_t> places(how.n);
  std::iota(places.begin(), places.end(), 0u);
  auto const in = d.filled(keys);
  auto const values = d.filled(places);
  auto out = d.template empty<Key>(how.n);
  auto values_out = d.template empty<std::uint32_t>(how.n);
  std::size_t const pair_bytes = sizeof(Key) + sizeof(std::uint32_t);
  double const moved = 2.0 * static_cast<double>(how.n * pair_bytes);
  contest c(moved, moved);
  auto const ours = [&] { lookback::radix_sort_copy_async(d.on(), in, values, out, values_out); };
  c.enter("lookback", d.timed(timing::single, ours));
  enter_sort_pairs_peers(c, d, in.data(), values.data(), out.data(), values_out.data(), how.n);
  auto a = d.template empty<std::byte>(how.n * pair_bytes), b = d.template empty<std::byte>(how.n * pair_bytes);
  c.enter("copy", d.copy(timing::single, a.data(), b.data(), how.n * pair_bytes));
  for (auto const& each : how.bars) c.must(each);
  c.run(state);
  ours();
  expect_places(keys, d.fetched(values_out.data(), how.n));
  expect_sorted(keys, d.fetched(out.data(), how.n));
}

/// Reads keys, writes places.
inline void sort_places(benchmark::State& state, sort_case const& how) {
  device d;
  auto const keys = keys_of<std::uint32_t>(how.distribution, how.n);
  auto const in = d.filled(keys);
  auto indices = d.template empty<std::uint32_t>(how.n);
  double const moved = 8.0 * static_cast<double>(how.n);
  contest c(moved, moved);
  auto const ours = [&] { lookback::argsort_async(d.on(), in, indices); };
  c.enter("lookback", d.timed(timing::single, ours));
  enter_argsort_peers(c, d, in.data(), indices.data(), how.n);
  auto a = d.template empty<std::uint32_t>(how.n), b = d.template empty<std::uint32_t>(how.n);
  c.enter("copy", d.copy(timing::single, a.data(), b.data(), how.n * sizeof(std::uint32_t)));
  for (auto const& each : how.bars) c.must(each);
  c.run(state);
  ours();
  expect_places(keys, d.fetched(indices.data(), how.n));
}

/// "radix_sort/u32/2^28/uniform": the body of the case is chosen by the name of what is sorted.
inline void add(std::string const& what, int power, std::string const& distribution, int rounds, std::vector<bar> bars = {}) {
  sort_case const how{std::size_t{1} << power, distribution, std::move(bars)};
  auto const body = what == "radix_sort/u32"       ? sort_keys<std::uint32_t>
                    : what == "radix_sort/u64"     ? sort_keys<std::uint64_t>
                    : what == "radix_sort/f32"     ? sort_keys<float>
                    : what == "radix_sort/u32+u32" ? sort_pairs<std::uint32_t>
                    : what == "radix_sort/u64+u32" ? sort_pairs<std::uint64_t>
                                                   : sort_places;
  add_case(what + "/2^" + std::to_string(power) + "/" + distribution, rounds,
           [how, body](benchmark::State& state) { body(state, how); });
}

/// Everything that is sorted, at these sizes; all distributions at `all_at`.
inline void add_sorts(std::vector<int> const& powers, int all_at, auto rounds_of) {
  for (std::string const what :
       {"radix_sort/u32", "radix_sort/u64", "radix_sort/f32", "radix_sort/u32+u32", "radix_sort/u64+u32", "argsort/u32"})
    for (int const power : powers) {
      bool const is_wide = what.find("u64") != std::string::npos;
      int const less = power == 28 && is_wide ? 1 : 0;
      for (char const* const distribution :
           {"uniform", "and3", "and6", "zipf", "distinct3", "equal", "sorted", "reversed", "bits16"}) {
        bool const is_full_size = power == powers.back();
        if (distribution == std::string("bits16") ? !(is_full_size && what == "radix_sort/u64")
                                                  : power != all_at && distribution != std::string("uniform"))
          continue;
        add(what, power - less, distribution, rounds_of(power));
      }
    }
}

}  // namespace bench

#include "radix_sort_cases.hpp"

int main(int argc, char** argv) { return bench::run_cases(argc, argv, bench::add_radix_sort_cases); }
