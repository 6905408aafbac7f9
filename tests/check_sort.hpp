// One sort, under every policy, against the oracle. The algorithm is a parameter: what a call does by itself, or the textbook's.
#pragma once
#include <lookback/radix_sort.hpp>
#include <span>
#include <sstream>
#include <string>
#include <tuple>
#include <vector>

#include "array.hpp"
#include "compare.hpp"
#include "fixture.hpp"
#include "sort_inputs.hpp"
#include "sort_oracle.hpp"
#include "types.hpp"

namespace harness {

using lookback::index_t;
using oracle::sort_form;

/// What a call says beside its other options.
struct by_textbook {
  static auto options() { return std::tuple{lookback::textbook{}}; }
};
struct by_digits {
  static auto options() { return std::tuple<>{}; }
};

/// f(options...) with those of the algorithm alone.
template <class Algorithm = by_digits, class On, class F>
void with_algorithm(On const&, F f) {
  std::apply(f, Algorithm::options());
}
/// And those that `how` says.
template <class Algorithm = by_digits, class On, class F>
void with_options(On const& on, sort_form const& how, F f) {
  auto const called = [&](auto... options) { with_algorithm<Algorithm>(on, [&](auto... more) { f(options..., more...); }); };
  auto const with_bits = [&](auto... options) {
    if (how.has_bits()) called(lookback::bits{how.begin, how.end}, options...);
    else called(options...);
  };
  if (how.descending && how.nan_first) with_bits(lookback::nan_first, lookback::descending);
  else if (how.descending) with_bits(lookback::descending);
  else if (how.nan_first) with_bits(lookback::nan_first);
  else with_bits();
}

inline std::string describe(std::size_t n, sort_form const& how) {
  std::ostringstream text;
  text << "n = " << n << (how.descending ? ", descending" : "") << (how.nan_first ? ", NaNs first" : "");
  if (how.has_bits()) text << ", bits " << how.begin << " to " << how.end;
  return text.str();
}

/// Every order of whole keys.
inline std::vector<sort_form> orders() { return {{}, {true, false}, {false, true}, {true, true}}; }

/// The keys that words are the bits of.
template <class Key>
std::span<Key> keys_in(array<word_t<Key>>& words) {
  return {reinterpret_cast<Key*>(words.data()), words.size()};
}
template <class Key>
std::span<Key const> keys_in(array<word_t<Key>> const& words) {
  return {reinterpret_cast<Key const*>(words.data()), words.size()};
}

/// Keys alone: to another array, onto exactly the input, and in place.
template <class Key, class Algorithm = by_digits>
void check_keys(std::vector<word_t<Key>> const& in, sort_form const& how = {}, std::size_t misaligned = 0) {
  SCOPED_TRACE(describe(in.size(), how));
  auto const want = oracle::taken(in, oracle::sorted_places<Key>(in, how, true));
  array<word_t<Key>> const source(in, misaligned);
  each_policy([&](auto const& on) {
    array<word_t<Key>> out(in.size(), 3 * misaligned), onto(in, misaligned), data(in, misaligned);
    with_options<Algorithm>(on, how, [&](auto... options) {
      lookback::radix_sort_copy(on, keys_in<Key>(source), keys_in<Key>(out), options...);
      lookback::radix_sort_copy(on, keys_in<Key>(onto), keys_in<Key>(onto), options...);
      lookback::radix_sort(on, keys_in<Key>(data), options...);
    });
    EXPECT_TRUE(same(out.host(), want)) << "to another array";
    EXPECT_TRUE(same(onto.host(), want)) << "onto the input";
    EXPECT_TRUE(same(data.host(), want)) << "in place";
    EXPECT_TRUE(out.intact() && onto.intact() && data.intact()) << "written outside an array";
  });
  EXPECT_TRUE(same(source.host(), in)) << "keys that are not written";
}

// ---- values: a tuple of vectors beside a tuple of arrays

template <class... Values>
std::tuple<array<Values>...> arrays_of(std::tuple<std::vector<Values>...> const& values, std::size_t misaligned) {
  return std::apply([&](auto const&... each) { return std::tuple<array<Values>...>{array<Values>(each, misaligned)...}; }, values);
}
/// As many, of any bytes.
template <class... Values>
std::tuple<array<Values>...> arrays_beside(std::tuple<std::vector<Values>...> const& values, std::size_t misaligned) {
  return std::apply([&](auto const&... each) { return std::tuple<array<Values>...>{array<Values>(each.size(), misaligned)...}; },
                    values);
}
template <std::size_t K = 0, class... Values>
void expect_values(std::tuple<array<Values>...> const& got, std::tuple<std::vector<Values>...> const& want, char const* where) {
  EXPECT_TRUE(same(std::get<K>(got).host(), std::get<K>(want))) << where << ", values " << K;
  EXPECT_TRUE(std::get<K>(got).intact()) << where << ", values " << K;
  if constexpr (K + 1 < sizeof...(Values)) expect_values<K + 1>(got, want, where);
}
/// One array as it is, several zipped.
template <class... Values>
auto values_in(std::tuple<array<Values>...>& all) {
  if constexpr (sizeof...(Values) == 1) return std::span(std::get<0>(all));
  else return std::apply([](auto&... each) { return lookback::zip(each...); }, all);
}

/// Keys with values: to other arrays, and in place.
template <class Key, class Algorithm = by_digits, class... Values>
void check_pairs(std::vector<word_t<Key>> const& in, sort_form const& how, std::size_t misaligned,
                 std::vector<Values> const&... values) {
  SCOPED_TRACE(describe(in.size(), how));
  auto const places = oracle::sorted_places<Key>(in, how, false);
  auto const want = oracle::taken(in, places);
  std::tuple<std::vector<Values>...> const all(values...), want_values(oracle::taken(values, places)...);
  each_policy([&](auto const& on) {
    array<word_t<Key>> source(in, misaligned), out(in.size(), 3 * misaligned);
    auto from = arrays_of(all, misaligned), to = arrays_beside(all, 2 * misaligned);
    auto const values_from = values_in(from), values_to = values_in(to);
    with_options<Algorithm>(on, how, [&](auto... options) {
      lookback::radix_sort_copy(on, keys_in<Key>(source), values_from, keys_in<Key>(out), values_to, options...);
    });
    EXPECT_TRUE(same(out.host(), want)) << "to other arrays";
    expect_values(to, want_values, "to other arrays");
    EXPECT_TRUE(same(source.host(), in)) << "keys that are not written";
    expect_values(from, all, "values that are not written");
    with_options<Algorithm>(on, how,
                            [&](auto... options) { lookback::radix_sort(on, keys_in<Key>(source), values_from, options...); });
    EXPECT_TRUE(same(source.host(), want)) << "in place";
    expect_values(from, want_values, "in place");
    EXPECT_TRUE(source.intact() && out.intact()) << "written outside an array";
  });
}

/// Where each key would go.
template <class Key, class Index, class Algorithm = by_digits>
void check_argsort(std::vector<word_t<Key>> const& in, sort_form const& how = {}, std::size_t misaligned = 0) {
  SCOPED_TRACE(describe(in.size(), how));
  std::vector<Index> want;
  for (std::size_t const place : oracle::sorted_places<Key>(in, how, false)) want.push_back(static_cast<Index>(place));
  array<word_t<Key>> const source(in, misaligned);
  each_policy([&](auto const& on) {
    array<Index> indices(in.size(), 2 * misaligned);
    with_options<Algorithm>(on, how, [&](auto... options) { lookback::argsort(on, keys_in<Key>(source), indices, options...); });
    EXPECT_TRUE(same(indices.host(), want));
    EXPECT_TRUE(indices.intact()) << "written outside indices";
  });
  EXPECT_TRUE(same(source.host(), in)) << "keys that are not written";
}

}  // namespace harness
