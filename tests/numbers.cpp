// What every verb makes of -0 and of NaNs: the table of docs/numbers.md, line by line.
#include <bit>
#include <cmath>
#include <limits>
#include <lookback/quicksort.hpp>
#include <lookback/radix_sort.hpp>
#include <lookback/reduce_by_key.hpp>
#include <lookback/run_length_encode.hpp>
#include <lookback/scan.hpp>
#include <lookback/select_if.hpp>
#include <lookback/unique.hpp>

#include "check_sort.hpp"
#include "front.hpp"

using namespace harness;

struct numbers : on_device {};

namespace {

using float_bits = std::vector<std::uint32_t>;
constexpr std::uint32_t zero = 0, minus_zero = 0x80000000, one = 0x3f800000, minus_one = 0xbf800000, infinite = 0x7f800000,
                        a_nan = 0x7fc00000, nan_with_payload = 0x7fc00005, minus_nan = 0xffc00000,
                        minus_nan_with_payload = 0xffc00005;

/// A sort of these floats, as their bits: keys alone, and the places that their order gives.
void expect_sorted(float_bits const& in, sort_form const& how, float_bits const& alone, std::vector<std::int32_t> const& order) {
  array<std::uint32_t> const source(in);
  each_policy([&](auto const& on) {
    array<std::uint32_t> out(in.size()), data(in);
    array<std::int32_t> indices(in.size());
    std::vector<std::int32_t> places(in.size());
    for (std::size_t i = 0; i < in.size(); ++i) places[i] = static_cast<std::int32_t>(i);
    array<std::int32_t> values(places);
    with_options(on, how, [&](auto... options) {
      lookback::radix_sort_copy(on, keys_in<float>(source), keys_in<float>(out), options...);
      lookback::argsort(on, keys_in<float>(source), indices, options...);
      lookback::radix_sort(on, keys_in<float>(data), values, options...);
    });
    EXPECT_TRUE(same(out.host(), alone));
    EXPECT_TRUE(same(indices.host(), order));
    EXPECT_TRUE(same(values.host(), order));
    float_bits pairs;
    for (auto const i : order) pairs.push_back(in[static_cast<std::size_t>(i)]);
    EXPECT_TRUE(same(data.host(), pairs));
  });
}

std::vector<float> floats_of(float_bits const& from) {
  std::vector<float> all;
  for (auto const w : from) all.push_back(std::bit_cast<float>(w));
  return all;
}

}  // namespace

TEST_F(numbers, a_sort_takes_zeros_for_equal) {
  float_bits const in{one, zero, minus_zero, zero, minus_one, minus_zero};
  expect_sorted(in, {}, {minus_one, minus_zero, minus_zero, zero, zero, one}, {4, 1, 2, 3, 5, 0});
  expect_sorted(in, {true, false}, {one, zero, zero, minus_zero, minus_zero, minus_one}, {0, 1, 2, 3, 5, 4});
}

TEST_F(numbers, a_sort_puts_nans_behind_everything) {
  float_bits const in{minus_nan, nan_with_payload, infinite, minus_nan_with_payload, a_nan, minus_one};
  expect_sorted(in, {}, {minus_one, infinite, a_nan, nan_with_payload, minus_nan_with_payload, minus_nan}, {5, 2, 0, 1, 3, 4});
  expect_sorted(in, {true, false}, {infinite, minus_one, minus_nan, minus_nan_with_payload, nan_with_payload, a_nan},
                {2, 5, 0, 1, 3, 4});
}

TEST_F(numbers, or_before_with_nan_first) {
  float_bits const in{minus_nan, nan_with_payload, infinite, minus_nan_with_payload, a_nan, minus_one};
  expect_sorted(in, {false, true}, {a_nan, nan_with_payload, minus_nan_with_payload, minus_nan, minus_one, infinite},
                {0, 1, 3, 4, 5, 2});
  expect_sorted(in, {true, true}, {minus_nan, minus_nan_with_payload, nan_with_payload, a_nan, infinite, minus_one},
                {0, 1, 3, 4, 2, 5});
}

/// Runs are found by ==: a run of zeros is one, and shows its first; no NaN equals another, so each is a run.
struct less_alone {
  LOOKBACK_FN bool operator()(float a, float b) const { return a < b; }
};
TEST_F(numbers, a_quicksort_by_a_natural_order_is_one_by_digits) {
  float_bits const in{a_nan, zero, minus_zero, one, minus_nan, minus_one, zero};
  array<std::uint32_t> const source(in);
  auto const sorted = [&](auto const& on, auto... how) {
    array<std::uint32_t> out(in.size());
    lookback::quicksort_copy(on, keys_in<float>(source), keys_in<float>(out), how...);
    return out.host();
  };
  each_policy([&](auto const& on) {
    float_bits const rising{minus_one, zero, minus_zero, zero, one, a_nan, minus_nan};
    EXPECT_TRUE(same(sorted(on, std::less<>{}), rising));
    EXPECT_TRUE(same(sorted(on, lookback::by(lookback::itself{})), rising));
    EXPECT_TRUE(same(sorted(on, std::greater<>{}), float_bits{one, zero, minus_zero, zero, minus_one, a_nan, minus_nan}));
    auto const any_zero_first = sorted(on, std::less<>{}, lookback::unstable);
    EXPECT_TRUE(same(any_zero_first, float_bits{minus_one, minus_zero, zero, zero, one, a_nan, minus_nan}));
    // Asked alone, < says that a NaN is equal to everything: no item is lost.
    auto asked = sorted(on, less_alone{});
    auto all = in;
    std::sort(asked.begin(), asked.end()), std::sort(all.begin(), all.end());
    EXPECT_TRUE(same(asked, all));
  });
}

TEST_F(numbers, runs_are_those_of_equal) {
  float_bits const in{minus_zero, zero, zero, a_nan, a_nan, minus_nan, one, one, zero, minus_zero};
  float_bits const firsts{minus_zero, a_nan, a_nan, minus_nan, one, zero};
  std::vector<std::int32_t> const lasting{3, 1, 1, 1, 2, 2};
  array<std::uint32_t> const source(in);
  array<std::int32_t> const ones(std::vector<std::int32_t>(in.size(), 1));
  each_policy([&](auto const& on) {
    array<std::uint32_t> out(in.size()), values(in.size()), keys(in.size());
    array<std::int32_t> lengths(in.size()), sums(in.size());
    expect_front(out, lookback::unique(on, keys_in<float>(source), keys_in<float>(out)), firsts);
    index_t const runs = lookback::run_length_encode(on, keys_in<float>(source), keys_in<float>(values), lengths);
    expect_front(values, runs, firsts);
    expect_front(lengths, runs, lasting);
    index_t const groups = lookback::reduce_by_key(on, keys_in<float>(source), ones, keys_in<float>(keys), sums);
    expect_front(keys, groups, firsts);
    expect_front(sums, groups, lasting);
  });
}

/// Sorted first, zeros of both signs are one run; each NaN still is one of its own.
TEST_F(numbers, runs_of_what_is_sorted) {
  float_bits const in{zero, a_nan, minus_zero, one, a_nan, zero, one};
  each_policy([&](auto const& on) {
    array<std::uint32_t> data(in);
    with_algorithm(on, [&](auto... options) { lookback::radix_sort(on, keys_in<float>(data), options...); });
    expect_front(data, lookback::unique(on, keys_in<float>(data)), float_bits{minus_zero, one, a_nan, a_nan});
  });
}

/// A NaN stays until the end of a minimum and a maximum; of zeros either may.
TEST_F(numbers, scans_keep_a_nan) {
  auto const in = floats_of({one, zero, minus_zero, minus_one, a_nan, one, infinite});
  array<float> const source(in);
  each_policy([&](auto const& on) {
    array<float> least(in.size()), largest(in.size());
    lookback::inclusive_scan(on, source, least, lookback::minimum<float>{});
    lookback::inclusive_scan(on, source, largest, lookback::maximum<float>{});
    auto const low = least.host(), high = largest.host();
    for (std::size_t i = 0; i < in.size(); ++i) {
      EXPECT_EQ(std::isnan(low[i]), i >= 4) << i;
      EXPECT_EQ(std::isnan(high[i]), i >= 4) << i;
    }
    EXPECT_TRUE(low[0] == 1 && low[1] == 0 && low[2] == 0 && low[3] == -1);
    EXPECT_TRUE(high[0] == 1 && high[1] == 1 && high[2] == 1 && high[3] == 1);
  });
}

struct below_zero {
  LOOKBACK_FN bool operator()(float x) const { return x < 0; }
};
struct not_below_zero {
  LOOKBACK_FN bool operator()(float x) const { return !(x < 0); }
};

/// A predicate decides by itself: no NaN is less, nor is -0 less than 0. What is kept keeps its bytes.
TEST_F(numbers, selections_ask_the_predicate) {
  float_bits const in{minus_zero, a_nan, minus_one, minus_nan_with_payload, one};
  array<std::uint32_t> const source(in);
  each_policy([&](auto const& on) {
    array<std::uint32_t> less(in.size()), others(in.size());
    expect_front(less, lookback::select_if(on, keys_in<float>(source), keys_in<float>(less), below_zero{}), float_bits{minus_one});
    expect_front(others, lookback::select_if(on, keys_in<float>(source), keys_in<float>(others), not_below_zero{}),
                 float_bits{minus_zero, a_nan, minus_nan_with_payload, one});
  });
}
