// radix_sort and argsort to other arrays: keys alone, with values, and their places; of distributions that make it easy or hard.
#include <algorithm>
#include <lookback/radix_sort.hpp>
#include <utility>

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
  auto const in = generated<Key>(d, how.n, keys_of<Key>(how.distribution, how.n));
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
  expect_sorted(d, in.data(), std::as_const(out).data(), how.n);
}

/// Values are places, so that they say whether equal keys kept their order.
template <class Key>
void sort_pairs(benchmark::State& state, sort_case const& how) {
  device d;
  auto const in = generated<Key>(d, how.n, keys_of<Key>(how.distribution, how.n));
  auto const values = generated<std::uint32_t>(d, how.n, number_of<std::uint32_t>{});
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
  expect_places(d, in.data(), std::as_const(values_out).data(), how.n);
  expect_sorted(d, in.data(), std::as_const(out).data(), how.n);
}

/// Reads keys, writes places.
inline void sort_places(benchmark::State& state, sort_case const& how) {
  device d;
  auto const in = generated<std::uint32_t>(d, how.n, keys_of<std::uint32_t>(how.distribution, how.n));
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
  expect_places(d, in.data(), std::as_const(indices).data(), how.n);
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

/// Uniform keys of everything that is sorted, at these sizes; `others` of other distributions at one of them; bits16 of u64 at the
/// largest.
struct sizes_of_sorts {
  std::vector<int> powers;
  int others_at;
  std::vector<std::string> others;
  int (*rounds)(int power, bool is_uniform);
};

inline std::vector<std::string> const all_sorts{"radix_sort/u32",     "radix_sort/u64",     "radix_sort/f32",
                                                "radix_sort/u32+u32", "radix_sort/u64+u32", "argsort/u32"};

inline void add_sorts(sizes_of_sorts const& sizes) {
  for (auto const& what : all_sorts)
    for (int const power : sizes.powers) {
      bool const is_wide = what.find("u64") != std::string::npos;
      bool const has_others =
          power == sizes.others_at && std::find(sizes.others.begin(), sizes.others.end(), what) != sizes.others.end();
      for (std::string const name : distribution_names) {
        bool const is_uniform = name == "uniform";
        bool const is_there =
            is_uniform || (name == "bits16" ? power == sizes.powers.back() && what == "radix_sort/u64" : has_others);
        if (is_there) add(what, power == 28 && is_wide ? 27 : power, name, sizes.rounds(power, is_uniform));
      }
    }
}

}  // namespace bench

#include "radix_sort_cases.hpp"

int main(int argc, char** argv) { return bench::run_cases(argc, argv, bench::add_radix_sort_cases); }
