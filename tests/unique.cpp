// unique against a plain loop: runs of every length, keys of every width, any equality, in place too.
#include <cmath>
#include <limits>
#include <lookback/unique.hpp>
#include <span>

#include "array.hpp"
#include "compare.hpp"
#include "edge_sizes.hpp"
#include "fixture.hpp"
#include "front.hpp"
#include "keyed.hpp"
#include "random.hpp"
#include "refused.hpp"
#include "shapes.hpp"
#include "types.hpp"

using namespace harness;
using lookback::index_t;

template <class T, class Equal>
std::vector<T> firsts_of(std::vector<T> const& in, Equal equal) {
  std::vector<T> firsts;
  for (std::size_t i = 0; i < in.size(); ++i)
    if (i == 0 || !equal(in[i - 1], in[i])) firsts.push_back(in[i]);
  return firsts;
}

/// Out of place, and in place.
template <class T, class Equal>
void check_unique(std::vector<T> const& in, std::size_t misaligned, Equal equal) {
  auto const want = firsts_of(in, equal);
  array<T> const source(in, misaligned);
  each_policy([&](auto const& on) {
    array<T> out(in.size(), 3 * misaligned), data(in, misaligned);
    for (array<T>* const into : {&out, &data}) {
      index_t const count = into == &out ? lookback::unique(on, source, out, equal) : lookback::unique(on, data, equal);
      expect_front(*into, count, want);
    }
  });
}

template <class T>
struct unique_types : on_device {};
using keys_of_every_width =
    std::conditional_t<sanitized, ::testing::Types<std::uint8_t, triple>,
                       ::testing::Types<std::uint8_t, std::int16_t, std::uint32_t, double, triple, matrix, wide>>;
TYPED_TEST_SUITE(unique_types, keys_of_every_width);

TYPED_TEST(unique_types, equals_the_plain_loop) {
  using T = TypeParam;
  std::size_t const tile = tile_items<T>();
  for (std::size_t const misaligned : {0, 1}) {
    if (sanitized && misaligned == 0) continue;  // half of the time: what begins anywhere has the other's loops, and ends
    for (std::size_t const n :
         {std::size_t{0}, std::size_t{1}, std::size_t{2}, tile - 1, tile, tile + 1, 2 * tile + 1, up_to(200'003)})
      for (auto const& s : shapes(n, tile)) {
        SCOPED_TRACE(s.name + ", n = " + std::to_string(n));
        check_unique(items_of<T>(s.heads), misaligned, lookback::equal_to{});
      }
  }
}

struct unique : on_device {};

TEST_F(unique, many_tiles_a_worker) {
  for (std::size_t const misaligned : {0, 1}) {
    std::size_t const n = many_tiles<std::uint32_t>();
    check_unique(items_of<std::uint32_t>(short_long_short(n)), misaligned, lookback::equal_to{});
    check_unique(items_of<std::uint32_t>(heads(n, 1)), misaligned, lookback::equal_to{});
  }
}

struct not_descending {
  LOOKBACK_FN bool operator()(std::int32_t a, std::int32_t b) const { return a <= b; }
};

/// Two that count as equal may differ: the first stays. An equality that does not commute: ascending neighbours are one run.
TEST_F(unique, under_a_users_equality) {
  std::size_t const n = up_to(100'003);
  auto words = random_values<std::uint32_t>(n, 3);
  for (std::size_t i = 0; i < n; ++i) words[i] = (words[i] & ~0xffu) | static_cast<std::uint32_t>(i / 5 % 200);
  check_unique(words, 1, same_low_byte{});
  check_unique(random_values<ends>(n, 1), 0, same_low_byte{});
  check_unique(random_values<std::int32_t>(n, 2), 0, not_descending{});
}

TEST_F(unique, a_nan_is_a_run_of_its_own_and_zeros_are_one) {
  double const nan = std::numeric_limits<double>::quiet_NaN();
  std::vector<double> const in{nan, nan, 1, 1, -0.0, 0.0, nan, 2, 2, 2};
  auto const want = firsts_of(in, std::equal_to<>{});
  ASSERT_EQ(want.size(), 6u);
  each_policy([&](auto const& on) {
    array<double> const source(in);
    array<double> out(in.size());
    ASSERT_EQ(lookback::unique(on, source, out), 6);
    auto const got = out.host();
    for (std::size_t i = 0; i < 6; ++i) {
      EXPECT_TRUE(got[i] == want[i] || (std::isnan(got[i]) && std::isnan(want[i]))) << i;
      EXPECT_EQ(std::signbit(got[i]), std::signbit(want[i])) << i;
    }
  });
}

/// The number of items in memory, and the number of runs left there.
TEST_F(unique, of_a_number_that_the_device_knows) {
  auto const in = items_of<std::uint32_t>(short_long_short(up_to(300'007)));
  for (std::size_t const n : {std::size_t{0}, std::size_t{1}, in.size() / 2, in.size()}) {
    auto const want =
        firsts_of(std::vector<std::uint32_t>(in.begin(), in.begin() + static_cast<std::ptrdiff_t>(n)), std::equal_to<>{});
    each_policy([&](auto const& on) {
      array<std::uint32_t> data(in);
      array<index_t> count(std::vector<index_t>{static_cast<index_t>(n)});
      lookback::size const some{std::ssize(in), count.data()};
      lookback::unique_async(on, lookback::first(data, some), data, count.data());
      wait(on);
      expect_front(data, count.host()[0], want);
    });
  }
}

TEST_F(unique, overlap_and_short_outputs_are_refused) {
  constexpr std::size_t number = 1000;
  each_policy([&](auto const& on) {
    array<std::uint32_t> memory(random_values<std::uint32_t>(2 * number, 1));
    std::span<std::uint32_t> const in(memory.data(), number), over(memory.data() + 1, number), out(memory.data() + number, number);
    expect_refused(memory, [&] { lookback::unique(on, in, over); });
    expect_refused(memory, [&] { lookback::unique(on, over, in); });
    expect_refused(memory, [&] { lookback::unique(on, in, out.first(number - 1)); });
    std::span<float> const floats(reinterpret_cast<float*>(memory.data()), number);
    expect_refused(memory, [&] { lookback::unique(on, in, floats); });
  });
}

/// The first key of each run and the value beside it; out of place and in place, values narrower and wider than keys. `under`:
/// which policies.
template <class Key, class Value>
void check_unique_by_key(std::size_t n, std::size_t misaligned, auto under) {
  for (auto const& s : shapes(n, tile_items<Key>())) {
    SCOPED_TRACE(s.name + ", n = " + std::to_string(n));
    auto const keys = items_of<Key>(s.heads);
    auto const values = random_values<Value>(n, 3);
    std::vector<Key> want_keys;
    std::vector<Value> want_values;
    auto const starts = starts_of_runs(keys, std::equal_to<>{});
    for (std::size_t r = 0; r + 1 < starts.size(); ++r)
      want_keys.push_back(keys[starts[r]]), want_values.push_back(values[starts[r]]);
    array<Key> const from(keys, misaligned);
    array<Value> const of(values, 2 * misaligned);
    under([&](auto const& on) {
      array<Key> keys_out(n, 3 * misaligned), key_data(keys, misaligned);
      array<Value> values_out(n, misaligned), value_data(values, misaligned);
      for (bool const in_place : {false, true}) {
        auto& to_keys = in_place ? key_data : keys_out;
        auto& to_values = in_place ? value_data : values_out;
        index_t const count = in_place ? lookback::unique_by_key(on, key_data, value_data)
                                       : lookback::unique_by_key(on, from, of, keys_out, values_out);
        expect_front(to_keys, count, want_keys);
        expect_front(to_values, count, want_values);
      }
    });
  }
}

TEST_F(unique, by_key) {
  for (std::size_t const misaligned : {0, 1})
    for (std::size_t const n : {std::size_t{1}, std::size_t{1000}, up_to(100'003)}) {
      check_unique_by_key<std::uint32_t, std::uint32_t>(
          n, misaligned, [](auto body) { sees_copy_engine() ? each_number_of_passes(body) : each_policy(body); });
      check_unique_by_key<std::uint8_t, double>(n, misaligned, [](auto body) { each_policy(body); });
      check_unique_by_key<std::uint64_t, triple>(n, misaligned, [](auto body) { each_policy(body); });
    }
}
