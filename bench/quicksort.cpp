// quicksort to another array by a function that nothing is known of: keys alone, structs by two fields, keys with values; of
// distributions that make it easy or hard.
#include <algorithm>
#include <lookback/quicksort.hpp>
#include <string>
#include <utility>

#include "compared.hpp"
#include "main.hpp"
#include "quicksort_peers.hpp"
#include "sorts.hpp"

namespace bench {

/// Items of a distribution: numbers, or records by two of them.
template <class T>
struct items_of {
  keys_of<T> number;
  LOOKBACK_FN T operator()(std::size_t i) const { return number(i); }
};
template <>
struct items_of<record> {
  keys_of<std::uint64_t> number;
  LOOKBACK_FN record operator()(std::size_t i) const {
    std::uint64_t const x = number(i);
    return {static_cast<std::uint32_t>(x >> 52), static_cast<std::uint32_t>(x), i};
  }
};
template <class T>
items_of<T> items_named(std::string const& name, std::size_t n) {
  if constexpr (std::is_same_v<T, record>) return {keys_of<std::uint64_t>(name, n)};
  else return {keys_of<T>(name, n)};
}

/// No item comes before the one before it, and of equal records the earlier one comes first.
template <class T>
struct comes_in_order {
  T const* items;
  LOOKBACK_FN bool operator()(std::size_t i) const {
    if (i == 0) return true;
    if (items[i] < items[i - 1]) return false;
    if constexpr (std::is_same_v<T, record>) return items[i - 1] < items[i] || items[i - 1].number < items[i].number;
    else return true;
  }
};
template <class T>
struct mark_of_item {
  T const* items;
  LOOKBACK_FN std::uint64_t operator()(std::size_t i) const {
    if constexpr (std::is_same_v<T, record>) return random_at(items[i].number);
    else return random_at(items[i]);
  }
};

template <class T, class... Options>
void sort_items(benchmark::State& state, std::size_t n, std::string const& distribution, Options... options) {
  device d;
  auto const in = generated<T>(d, n, items_named<T>(distribution, n));
  auto out = d.template empty<T>(n);
  double const moved = 2.0 * static_cast<double>(n) * sizeof(T);
  contest c(moved, moved);
  auto const ours = [&] { lookback::quicksort_copy_async(d.on(), in, out, asked_less{}, options...); };
  c.enter("lookback", d.timed(timing::single, ours));
  enter_quicksort_peers(c, d, in.data(), out.data(), n);
  auto a = d.template empty<T>(n), b = d.template empty<T>(n);
  c.enter("copy", d.copy(timing::single, a.data(), b.data(), n * sizeof(T)));
  c.run(state);
  ours();
  auto const wrong = first_failure(d, n, comes_in_order<T>{std::as_const(out).data()});
  if (wrong != n) throw std::runtime_error("wrong order at item " + std::to_string(wrong));
  if (sum_of(d, n, mark_of_item<T>{in.data()}) != sum_of(d, n, mark_of_item<T>{std::as_const(out).data()}))
    throw std::runtime_error("other items than were there");
}

/// Values are places, so that they say whether equal keys kept their order.
inline void sort_pairs(benchmark::State& state, std::size_t n, std::string const& distribution) {
  device d;
  auto const in = generated<std::uint32_t>(d, n, keys_of<std::uint32_t>(distribution, n));
  auto const values = generated<std::uint32_t>(d, n, number_of<std::uint32_t>{});
  auto out = d.template empty<std::uint32_t>(n), values_out = d.template empty<std::uint32_t>(n);
  double const moved = 16.0 * static_cast<double>(n);
  contest c(moved, moved);
  auto const ours = [&] { lookback::quicksort_copy_async(d.on(), in, values, out, values_out, asked_less{}); };
  c.enter("lookback", d.timed(timing::single, ours));
  enter_quicksort_pairs_peers(c, d, in.data(), values.data(), out.data(), values_out.data(), n);
  auto a = d.template empty<std::uint64_t>(n), b = d.template empty<std::uint64_t>(n);
  c.enter("copy", d.copy(timing::single, a.data(), b.data(), n * sizeof(std::uint64_t)));
  c.run(state);
  ours();
  expect_places(d, in.data(), std::as_const(values_out).data(), n);
  expect_sorted(d, in.data(), std::as_const(out).data(), n);
}

inline void add(std::string const& what, int power, std::string const& distribution, int rounds) {
  std::size_t const n = std::size_t{1} << power;
  add_case(what + "/2^" + std::to_string(power) + "/" + distribution, rounds, [=](benchmark::State& state) {
    if (what == "quicksort/u32") sort_items<std::uint32_t>(state, n, distribution);
    else if (what == "quicksort/u32/unstable") sort_items<std::uint32_t>(state, n, distribution, lookback::unstable);
    else if (what == "quicksort/u64/unstable") sort_items<std::uint64_t>(state, n, distribution, lookback::unstable);
    else if (what == "quicksort/record") sort_items<record>(state, n, distribution);
    else sort_pairs(state, n, distribution);
  });
}

/// Full size takes a CPU's peers many seconds.
inline void add_quicksort_cases() {
  auto const rounds = [](int power) { return on_gpu ? (power < 26 ? 50 : 7) : power < 20 ? 15 : power < 26 ? 5 : 3; };
  int const large = on_gpu ? 28 : 26;
  for (std::string const what :
       {"quicksort/u32", "quicksort/u32/unstable", "quicksort/u64/unstable", "quicksort/record", "quicksort/u32+u32"}) {
    int const full = what == "quicksort/u64/unstable" || what == "quicksort/u32+u32" ? large - 1
                     : what == "quicksort/record"                                    ? large - 2
                                                                                     : large;
    for (int const power : {16, 20, 24, full}) add(what, power, "uniform", rounds(power));
  }
  for (std::string const name : {"sorted", "reversed", "organ_pipe", "zipf", "equal", "distinct3"})
    add("quicksort/u32/unstable", on_gpu ? 28 : 24, name, on_gpu ? 5 : 3);
}

}  // namespace bench

int main(int argc, char** argv) { return bench::run_cases(argc, argv, bench::add_quicksort_cases); }
