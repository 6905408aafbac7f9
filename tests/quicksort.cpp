// quicksort of one array against std::stable_sort: every size, distribution, width of items and values; natural orders; functions
// that are no order.
#include <cmath>
#include <limits>

#include "check_quicksort.hpp"

using namespace harness;

struct quicksort : on_device {};

TEST_F(quicksort, of_every_size) {
  for (std::size_t const n : sort_sizes(up_to(150'000))) {
    check_items(any_words<std::uint32_t>(n, n), by_high_bits{});
    if (n <= 40'000 || n == 100'000)
      check_items_with(any_words<std::uint32_t>(n, n + 1), by_high_bits{}, 0, random_values<std::uint32_t>(n, n));
  }
}

TEST_F(quicksort, of_every_distribution) {
  for (std::size_t const n : {std::size_t{1000}, up_to(50'003)})
    for (auto const& d : distributions<std::uint32_t>(n)) {
      SCOPED_TRACE(d.name);
      check_items(d.keys, falling{});
      check_items_with(d.keys, by_high_bits{}, 0, random_values<std::uint32_t>(n, n));
    }
}

TEST_F(quicksort, of_arrays_that_begin_anywhere) {
  for (std::size_t const misaligned : {1, 3, 5})
    for (std::size_t const n : {std::size_t{1}, std::size_t{33}, std::size_t{8703}, std::size_t{20'011}}) {
      SCOPED_TRACE("misaligned by " + std::to_string(misaligned));
      check_items(any_words<std::uint32_t>(n, n), by_high_bits{}, misaligned);
      check_items_with(any_words<std::uint32_t>(n, n), by_high_bits{}, misaligned, random_values<std::uint8_t>(n, n));
    }
}

TEST_F(quicksort, of_items_of_every_width) {
  for (std::size_t const n : {std::size_t{0}, std::size_t{1}, std::size_t{2}, std::size_t{1000}, up_to(30'011)}) {
    auto const words = any_words<std::uint8_t>(n, n);
    check_items(words, falling{});
    check_items(any_words<std::uint16_t>(n, n), falling{});
    check_items(any_words<std::uint64_t>(n, n), falling{});
    std::vector<three_bytes> threes(n);
    for (std::size_t i = 0; i < n; ++i) threes[i] = {static_cast<std::uint8_t>(i), words[i], static_cast<std::uint8_t>(i >> 8)};
    check_items(threes, by_middle_byte{});
    check_items(tickets_of(n), by_group_then_price{});
    check_items(random_values<triple>(n, n), by_first_words{});
    check_items(random_values<wide>(n, n), by_first_words{});
    check_items_with(tickets_of(n), by_group_then_price{}, 1, random_values<std::uint32_t>(n, n));
    check_items_with(random_values<wide>(n, n), by_first_words{}, 0, random_values<double>(n, n));
  }
}

TEST_F(quicksort, with_values_of_every_width) {
  for (std::size_t const n : {std::size_t{257}, up_to(30'011)}) {
    auto const keys = any_words<std::uint32_t>(n, n);
    check_items_with(keys, by_high_bits{}, 1, random_values<std::uint16_t>(n, n));
    check_items_with(keys, by_high_bits{}, 0, random_values<double>(n, n));
    check_items_with(keys, by_high_bits{}, 1, random_values<triple>(n, n));
    check_items_with(keys, by_high_bits{}, 0, random_values<wide>(n, n));
    check_items_with(keys, by_high_bits{}, 0, random_values<std::uint8_t>(n, n), random_values<triple>(n, n + 1));
  }
}

struct rising {
  LOOKBACK_FN bool operator()(float a, float b) const { return a < b; }
};
struct by_price {
  LOOKBACK_FN bool operator()(ticket const& a, ticket const& b) const { return a.price < b.price; }
};
/// What is sorted by digits gives what asking the function gives: -0 and +0 keep their order, and there are no NaNs.
TEST_F(quicksort, by_natural_orders) {
  std::size_t const n = up_to(30'011);
  auto words = any_words<float>(n, n);
  for (auto& w : words)
    if (oracle::format<float>::is_nan(w)) w = 0x80000000u;
  std::vector<float> floats(n);
  for (std::size_t i = 0; i < n; ++i) floats[i] = std::bit_cast<float>(words[i]);
  auto const words_of = [](std::vector<float> const& all) {
    std::vector<std::uint32_t> out;
    for (float const x : all) out.push_back(std::bit_cast<std::uint32_t>(x));
    return out;
  };
  auto const check = [&](auto const& natural, auto const& asked) {
    auto const want = words_of(oracle::taken(floats, places_by(floats, asked)));
    each_policy([&](auto const& on) {
      array<float> digits(floats), comparisons(floats);
      lookback::quicksort(on, digits, natural);
      lookback::quicksort(on, comparisons, lookback::opaque(asked));
      EXPECT_TRUE(same(words_of(digits.host()), want));
      EXPECT_TRUE(same(words_of(comparisons.host()), want));
    });
  };
  check(std::less<>{}, rising{});
  check(std::greater<float>{}, falling{});
  auto const asked = words_of(oracle::taken(floats, places_by(floats, rising{})));
  each_policy([&](auto const& on) {
    array<float> one(floats), other(floats);
    lookback::quicksort(on, one, lookback::opaque(std::less<>{}));
    lookback::quicksort(on, other, std::less<double>{});
    EXPECT_TRUE(same(words_of(one.host()), asked));
    EXPECT_TRUE(same(words_of(other.host()), asked));
    EXPECT_TRUE(lookback::is_sorted(on, one, std::less<>{}));
    EXPECT_FALSE(lookback::is_sorted(on, one, std::greater<float>{}));
  });
  auto const tickets = tickets_of(n);
  auto const want = oracle::taken(tickets, places_by(tickets, by_price{}));
  each_policy([&](auto const& on) {
    array<ticket> data(tickets);
    lookback::quicksort(on, data, lookback::by(&ticket::price));
    EXPECT_TRUE(same(data.host(), want));
    EXPECT_TRUE(lookback::is_sorted(on, data, lookback::by(&ticket::price)));
  });
}

/// The multiset of keys is the same, and of `unstable` so is the order of different ones.
TEST_F(quicksort, unstable) {
  std::size_t const n = up_to(30'011);
  auto const in = any_words<std::uint32_t>(n, n);
  auto want = in;
  std::sort(want.begin(), want.end(), falling{});
  each_policy([&](auto const& on) {
    array<std::uint32_t> data(in);
    lookback::quicksort(on, data, falling{}, lookback::unstable);
    EXPECT_TRUE(same(data.host(), want));
    // Each value stays with its key, and segments are sorted.
    array<std::uint32_t> keys(in), in_segments(in);
    array<std::uint64_t> values(std::vector<std::uint64_t>(in.begin(), in.end()));
    lookback::quicksort(on, keys, values, by_high_bits{}, lookback::unstable);
    auto const got = keys.host();
    EXPECT_TRUE(std::is_sorted(got.begin(), got.end(), by_high_bits{}));
    EXPECT_TRUE(same(values.host(), std::vector<std::uint64_t>(got.begin(), got.end())));
    array<std::int64_t> const offsets(std::vector<std::int64_t>{0, 10, 500, static_cast<std::int64_t>(n)});
    lookback::segmented_quicksort(on, in_segments, lookback::offsets(offsets), falling{}, lookback::unstable);
    auto const parts = in_segments.host();
    for (auto const& [begin, end] : {std::pair{0, 10}, {10, 500}, {500, static_cast<int>(n)}})
      EXPECT_TRUE(std::is_sorted(parts.begin() + begin, parts.begin() + end, falling{}));
  });
}

struct by_textbook_too {
  static auto options() { return std::tuple{lookback::textbook{}}; }
};
TEST_F(quicksort, of_the_textbook) {
  for (std::size_t const n : {std::size_t{0}, std::size_t{1}, std::size_t{2}, std::size_t{3}, std::size_t{1000}, up_to(20'011)}) {
    check_items<by_textbook_too>(any_words<std::uint32_t>(n, n), by_high_bits{});
    check_items_with<by_textbook_too>(any_words<std::uint32_t>(n, n), by_high_bits{}, 1, random_values<std::uint32_t>(n, n));
    check_items<by_textbook_too>(tickets_of(n), by_group_then_price{});
  }
  for (auto const& d : distributions<std::uint32_t>(3000)) {
    SCOPED_TRACE(d.name);
    check_items<by_textbook_too>(d.keys, falling{});
  }
}

/// From round to round there is less to do, and in the end nothing.
TEST_F(quicksort, of_the_textbook_tells_its_rounds) {
  std::size_t const n = up_to(3011);
  auto const in = any_words<std::uint32_t>(n, n);
  auto want = in;
  std::sort(want.begin(), want.end(), falling{});
  each_policy([&](auto const& on) {
    array<std::uint32_t> data(in);
    index_t items = static_cast<index_t>(n);
    auto const note = [&items](lookback::round_left const& left) {
      EXPECT_LT(left.items, items);
      EXPECT_LE(2 * left.segments, left.items);
      EXPECT_EQ(left.segments == 0, left.items == 0);
      items = left.items;
    };
    lookback::quicksort(on, data, falling{}, lookback::textbook_rounds{note});
    EXPECT_EQ(items, 0);
    EXPECT_TRUE(same(data.host(), want));
  });
}

TEST_F(quicksort, of_a_number_that_the_device_knows) {
  std::size_t const bound = up_to(30'011);
  auto const in = any_words<std::uint32_t>(bound, 1), before = any_words<std::uint32_t>(bound, 2);
  auto const values = random_values<double>(bound, 3), values_before = random_values<double>(bound, 4);
  auto const most = static_cast<index_t>(bound);
  for (index_t const count : {index_t{0}, index_t{1}, index_t{8705}, most - 1, most, most + 1, -(index_t{1} << 40)}) {
    SCOPED_TRACE("count " + std::to_string(count));
    auto const n = static_cast<std::ptrdiff_t>(std::clamp<index_t>(count, 0, most));
    auto const places = places_by(std::vector<std::uint32_t>(in.begin(), in.begin() + n), by_high_bits{});
    auto want = before;
    auto want_values = values_before;
    for (std::size_t k = 0; k < places.size(); ++k) want[k] = in[places[k]], want_values[k] = values[places[k]];
    array<std::uint32_t> const keys(in);
    array<double> const beside(values);
    array<index_t> const number(std::vector<index_t>{count});
    each_policy([&](auto const& on) {
      auto const some = lookback::first(keys, {most, number.data()});
      array<std::uint32_t> alone(before), out(before), book(before);
      array<double> values_out(values_before);
      lookback::quicksort_copy(on, some, alone, by_high_bits{});
      lookback::quicksort_copy(on, some, book, by_high_bits{}, lookback::textbook{});
      lookback::quicksort_copy(on, some, beside, out, values_out, by_high_bits{});
      EXPECT_TRUE(same(alone.host(), want));
      EXPECT_TRUE(same(book.host(), want));
      EXPECT_TRUE(same(out.host(), want));
      EXPECT_TRUE(same(values_out.host(), want_values));
    });
  }
}

TEST_F(quicksort, loses_nothing_to_functions_that_are_no_order) {
  for (std::size_t const n : {std::size_t{2}, std::size_t{30}, std::size_t{1000}, up_to(100'003)}) {
    for (auto const says : {no_order::any_answer, no_order::always_yes, no_order::always_no, no_order::at_most,
                            no_order::in_a_circle, no_order::never_the_same})
      check_no_item_is_lost({says}, n);
  }
}

TEST_F(quicksort, is_sorted_says_so) {
  auto const check = [](std::vector<std::uint32_t> const& keys, bool want) {
    array<std::uint32_t> const data(keys);
    each_policy([&](auto const& on) { EXPECT_EQ(lookback::is_sorted(on, data, by_high_bits{}), want) << keys.size(); });
  };
  std::size_t const n = up_to(100'003);
  std::vector<std::uint32_t> keys(n);
  for (std::size_t i = 0; i < n; ++i) keys[i] = static_cast<std::uint32_t>(i << 15) & 0xFFF00000u;
  std::sort(keys.begin(), keys.end());
  for (std::size_t i = 0; i < n; ++i) keys[i] |= static_cast<std::uint32_t>(i * 7919) & 0xFFFFFu;
  check({}, true);
  check({5}, true);
  check(keys, true);
  auto behind = keys;
  behind[n - 1] = 0;  // which is not among those that are asked about
  array<std::uint32_t> const data(behind);
  array<index_t> const number(std::vector<index_t>{static_cast<index_t>(n) - 1});
  each_policy([&](auto const& on) {
    auto const some = lookback::first(data, {static_cast<index_t>(n), number.data()});
    EXPECT_TRUE(lookback::is_sorted(on, some, by_high_bits{}));
    EXPECT_FALSE(lookback::is_sorted(on, data, by_high_bits{}));
  });
  for (std::size_t const at : {std::size_t{1}, n / 2, n - 1}) {
    auto wrong = keys;
    wrong[at - 1] = 0xFFFFFFFFu, wrong[at] = 0;
    check(wrong, false);
  }
}
