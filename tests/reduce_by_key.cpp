// reduce_by_key, segmented_reduce and scan_by_key against a plain loop.
#include <cmath>
#include <limits>
#include <lookback/reduce_by_key.hpp>
#include <span>

#include "array.hpp"
#include "compare.hpp"
#include "edge_sizes.hpp"
#include "fixture.hpp"
#include "front.hpp"
#include "keyed.hpp"
#include "oracle.hpp"
#include "refused.hpp"

using namespace harness;
using lookback::index_t;

template <class Key, class Value, class Op, class Equal = lookback::equal_to>
void check_reduce_by_key(std::vector<Key> const& keys, std::size_t misaligned, Op op, Equal equal = {}) {
  std::size_t const n = keys.size();
  auto const values = random_values<Value>(n, 7);
  auto const want = reduced_by_key(keys, values, op, equal);
  array<Key> const from(keys, misaligned);
  array<Value> const of(values, 2 * misaligned);
  auto const check = [&](auto const& on, array<Key>& keys_out) {
    array<Value> out(n, 3 * misaligned);
    bool const in_place = same(keys_out.host(), keys) && n > 0;
    index_t const count = in_place ? lookback::reduce_by_key(on, keys_out, of, keys_out, out, op, equal)
                                   : lookback::reduce_by_key(on, from, of, keys_out, out, op, equal);
    expect_front(keys_out, count, want.keys);
    expect_front(out, count, want.results);
  };
  each_policy([&](auto const& on) {
    array<Key> keys_out(n, misaligned);
    check(on, keys_out);
  });
  auto const in_place = [&](auto const& on) {
    array<Key> data(keys, misaligned);
    check(on, data);
  };
  each_one_pass_policy(in_place);
}

template <class T>
struct key_types : on_device {};
using widths = std::conditional_t<sanitized, ::testing::Types<std::uint32_t, triple>,
                                  ::testing::Types<std::uint8_t, std::int16_t, std::uint32_t, double, triple>>;
TYPED_TEST_SUITE(key_types, widths);

TYPED_TEST(key_types, equals_the_plain_loop) {
  using Key = TypeParam;
  for (std::size_t const misaligned : {0, 1})
    for (std::size_t const n : {std::size_t{0}, std::size_t{1}, std::size_t{1000}, tile_items<Key>() + 1, up_to(100'003)})
      for (auto const& s : shapes(n, tile_items<Key>())) {
        SCOPED_TRACE(s.name + ", n = " + std::to_string(n));
        check_reduce_by_key<Key, std::int32_t>(items_of<Key>(s.heads), misaligned, lookback::plus<std::int32_t>{});
      }
}

struct reduce_by_key : on_device {};

/// Values from 1 to 16 bytes, operators that do not commute.
TEST_F(reduce_by_key, of_values_of_every_width) {
  for (std::size_t const n : {std::size_t{1}, std::size_t{1000}, up_to(100'003)})
    for (auto const& s : shapes(n, tile_items<matrix>())) {
      SCOPED_TRACE(s.name + ", n = " + std::to_string(n));
      auto const keys = items_of<std::uint32_t>(s.heads);
      check_reduce_by_key<std::uint32_t, std::uint8_t>(keys, 1, lookback::maximum<std::uint8_t>{});
      check_reduce_by_key<std::uint32_t, ends>(keys, 0, join_ends{});
      check_reduce_by_key<std::uint32_t, matrix>(keys, 1, times_matrix{});
    }
}

TEST_F(reduce_by_key, many_tiles_a_worker) {
  std::size_t const n = many_tiles<std::uint32_t>();
  for (std::size_t const misaligned : {0, 1})
    check_reduce_by_key<std::uint32_t, std::int32_t>(items_of<std::uint32_t>(short_long_short(n)), misaligned,
                                                     lookback::plus<std::int32_t>{});
}

TEST_F(reduce_by_key, under_a_users_equality) {
  check_reduce_by_key<ends, std::int32_t>(random_values<ends>(up_to(50'003), 1), 0, lookback::plus<std::int32_t>{},
                                          same_low_byte{});
}

/// Flags, bits, offsets with empty segments, keys, rows: the sum of each segment.
TEST_F(reduce_by_key, segmented_reduce_of_every_description) {
  using sum = lookback::plus<std::int32_t>;
  for (std::size_t const n : {std::size_t{1}, std::size_t{1000}, up_to(100'003)})
    for (auto s : shapes(n, tile_items<std::int32_t>())) {
      SCOPED_TRACE(s.name + ", n = " + std::to_string(n));
      s.heads[0] = 1;
      auto const in = random_values<std::int32_t>(n, n);
      auto const sums = [&](std::vector<std::int64_t> const& offsets, std::int32_t initial) {
        std::vector<std::int32_t> want;
        for (std::size_t k = 0; k + 1 < offsets.size(); ++k) {
          std::int32_t total = initial;
          for (auto i = offsets[k]; i < offsets[k + 1]; ++i) total = sum{}(total, in[static_cast<std::size_t>(i)]);
          want.push_back(total);
        }
        return want;
      };
      auto const plain = offsets_of<std::int64_t>(s.heads), with_empty = offsets_of<std::int64_t>(s.heads, 2, 3);
      array<std::int32_t> const source(in);
      array<flag> const flags(flags_of<flag>(s.heads));
      array<std::uint8_t> const bits(bits_of(s.heads));
      array<std::int32_t> const by(keys_of<std::int32_t>(s.heads));
      array<std::int64_t> const at(with_empty);
      each_policy([&](auto const& on) {
        auto const check = [&](auto const& segments, std::vector<std::int32_t> const& want, auto... initial) {
          array<std::int32_t> out(std::max(n, want.size()), 1);
          expect_front(out, lookback::segmented_reduce(on, source, segments, out, sum{}, initial...), want);
        };
        check(lookback::head_flags(flags), sums(plain, 0));
        check(lookback::head_bits(bits), sums(plain, 5), std::int32_t{5});
        check(lookback::keys(by), sums(plain, 0));
        check(lookback::offsets(at), sums(with_empty, 0));
        check(lookback::offsets(at), sums(with_empty, 9), std::int32_t{9});
        for (index_t const length : {1, 3, 700, 3'000}) {
          std::vector<std::int64_t> rows;
          for (index_t at_row = 0; at_row < static_cast<index_t>(n); at_row += length) rows.push_back(at_row);
          rows.push_back(static_cast<std::int64_t>(n));
          check(lookback::rows_of(length), sums(rows, 0));
        }
      });
    }
}

TEST_F(reduce_by_key, scan_by_key_is_the_segmented_scan) {
  std::size_t const n = up_to(100'003);
  auto const h = short_long_short(n);
  auto const in = random_values<std::int32_t>(n, 2);
  auto const want = [&](bool exclusive, std::int32_t initial) {
    oracle::form<std::int32_t> const how{{initial}, exclusive, lookback::left_to_right, h};
    return oracle::scan<std::int32_t>(in, lookback::plus<std::int32_t>{}, how);
  };
  array<std::int32_t> const source(in), by(keys_of<std::int32_t>(h));
  each_policy([&](auto const& on) {
    array<std::int32_t> out(n);
    lookback::inclusive_scan_by_key(on, by, source, out);
    EXPECT_TRUE(same(out.host(), want(false, 0)));
    lookback::exclusive_scan_by_key(on, by, source, out);
    EXPECT_TRUE(same(out.host(), want(true, 0)));
    lookback::exclusive_scan_by_key(on, by, source, out, lookback::plus<std::int32_t>{}, std::int32_t{9});
    EXPECT_TRUE(same(out.host(), want(true, 9)));
  });
}

/// A NaN is a run of its own, because it is equal to nothing; zeros are one run.
TEST_F(reduce_by_key, of_keys_that_are_not_numbers) {
  double const nan = std::numeric_limits<double>::quiet_NaN();
  std::vector<double> const in{nan, nan, 1, 1, -0.0, 0.0, nan, 2, 2, 2};
  array<double> const keys(in);
  array<std::int32_t> const values(std::vector<std::int32_t>{1, 2, 3, 4, 5, 6, 7, 8, 9, 10});
  each_policy([&](auto const& on) {
    array<double> keys_out(in.size());
    array<std::int32_t> sums(in.size());
    expect_front(sums, lookback::reduce_by_key(on, keys, values, keys_out, sums), std::vector<std::int32_t>{1, 2, 7, 11, 7, 27});
    EXPECT_EQ(keys_out.host()[2], 1.0);
    EXPECT_TRUE(std::isnan(keys_out.host()[1]) && std::isnan(keys_out.host()[4]));
  });
}

/// The AND of k random words: the more words, the more often neighbours are equal.
TEST_F(reduce_by_key, of_keys_of_any_entropy) {
  for (std::uint64_t const words : {1, 3, 5, 6, 8, 16}) {
    SCOPED_TRACE(std::to_string(words) + " words");
    auto keys = random_values<std::uint32_t>(up_to(100'003), 1);
    for (std::uint64_t k = 2; k <= words; ++k) {
      auto const mask = random_values<std::uint32_t>(keys.size(), k);
      for (std::size_t i = 0; i < keys.size(); ++i) keys[i] &= mask[i];
    }
    check_reduce_by_key<std::uint32_t, ends>(keys, words % 2, join_ends{});
  }
}

TEST_F(reduce_by_key, overlap_and_short_outputs_are_refused) {
  constexpr std::size_t number = 1000;
  each_policy([&](auto const& on) {
    array<std::int32_t> memory(random_values<std::int32_t>(4 * number, 1));
    std::span<std::int32_t> const keys(memory.data(), number), values(memory.data() + number, number),
        a(memory.data() + 2 * number, number), b(memory.data() + 3 * number, number), over(memory.data() + 1, number);
    expect_refused(memory, [&] { lookback::reduce_by_key(on, keys, values, over, a); });
    expect_refused(memory, [&] { lookback::reduce_by_key(on, keys, values, values, a); });
    expect_refused(memory, [&] { lookback::reduce_by_key(on, keys, values, a, values); });
    expect_refused(memory, [&] { lookback::reduce_by_key(on, keys, values, a, keys); });
    expect_refused(memory, [&] { lookback::reduce_by_key(on, keys, values.first(9), a, b); });
    expect_refused(memory, [&] { lookback::reduce_by_key(on, keys, values, a.first(9), b); });
    expect_refused(memory, [&] { lookback::segmented_reduce(on, values, lookback::rows_of(3), a.first(333)); });
    expect_refused(memory, [&] { lookback::segmented_reduce(on, values, lookback::keys(keys), values); });
    expect_refused(memory, [&] { lookback::segmented_reduce(on, values, lookback::keys(keys), keys); });
    expect_refused(memory, [&] { lookback::reduce_by_key(on, keys, values, a, a); });
    expect_refused(memory, [&] { lookback::reduce_by_key(on, lookback::first(keys, index_t{-1}), values, a, b); });
  });
}
