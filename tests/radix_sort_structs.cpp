// radix_sort of structs by a key that they hold or that a function makes of them.
#include <lookback/radix_sort.hpp>

#include "check_sort.hpp"

using namespace harness;

struct radix_sort_structs : on_device {};

/// 12 bytes: a key of every kind, and the number of the row.
struct row {
  float price;
  std::int16_t level;
  std::uint16_t pad;
  std::uint32_t number;
  friend bool operator==(row const& a, row const& b) {
    return oracle::word_t<float>{std::bit_cast<std::uint32_t>(a.price)} == std::bit_cast<std::uint32_t>(b.price) &&
           a.level == b.level && a.number == b.number;
  }
  friend std::ostream& operator<<(std::ostream& to, row const& r) {
    return to << r.price << ' ' << r.level << " of row " << r.number;
  }
};
static_assert(sizeof(row) == 12);

struct distance_from_ten {
  LOOKBACK_FN std::uint32_t operator()(row const& r) const {
    return static_cast<std::uint32_t>(r.level < 10 ? 10 - r.level : r.level - 10);
  }
};

std::vector<row> rows(std::size_t n) {
  generator random(n);
  auto const prices = any_words<float>(n, n);
  std::vector<row> all(n);
  for (std::size_t i = 0; i < n; ++i)
    all[i] = {std::bit_cast<float>(prices[i]), static_cast<std::int16_t>(random.below(700) - 350), 0,
              static_cast<std::uint32_t>(i)};
  return all;
}

/// Rows by what `by` takes from them, whose bits are `keys`: in place, apart, with values beside them, and their places.
template <class Key, class By>
void check_rows(std::vector<row> const& in, std::vector<word_t<Key>> const& keys, By by, sort_form const& how) {
  SCOPED_TRACE(describe(in.size(), how));
  auto const places = oracle::sorted_places<Key>(keys, how, false);
  auto const values = random_values<std::uint64_t>(in.size(), 1);
  auto const want = oracle::taken(in, places);
  auto const want_values = oracle::taken(values, places);
  std::vector<std::int32_t> const want_places(places.begin(), places.end());
  array<row> const source(in, 1);
  array<std::uint64_t> const beside(values, 1);
  each_policy([&](auto const& on) {
    array<row> data(in), out(in.size()), out_beside(in.size());
    array<std::uint64_t> values_out(in.size());
    array<std::int32_t> indices(in.size());
    with_options(on, how, [&](auto... options) {
      lookback::radix_sort(on, data, by, options...);
      lookback::radix_sort_copy(on, source, out, options..., by);
      lookback::radix_sort_copy(on, source, beside, out_beside, values_out, by, options...);
      lookback::argsort(on, source, indices, by, options...);
    });
    EXPECT_TRUE(same(data.host(), want)) << "in place";
    EXPECT_TRUE(same(out.host(), want)) << "to another array";
    EXPECT_TRUE(same(out_beside.host(), want)) << "with values";
    EXPECT_TRUE(same(values_out.host(), want_values));
    EXPECT_TRUE(same(indices.host(), want_places));
    EXPECT_TRUE(data.intact() && out.intact() && out_beside.intact() && values_out.intact() && indices.intact());
  });
}

TEST_F(radix_sort_structs, by_a_member) {
  for (std::size_t const n : {std::size_t{0}, std::size_t{1}, std::size_t{1000}, std::size_t{12'289}})
    for (sort_form const& how : orders()) {
      auto const in = rows(n);
      std::vector<std::uint32_t> prices;
      std::vector<std::uint16_t> levels;
      for (auto const& r : in)
        prices.push_back(std::bit_cast<std::uint32_t>(r.price)), levels.push_back(static_cast<std::uint16_t>(r.level));
      check_rows<float>(in, prices, lookback::by(&row::price), how);
      check_rows<std::int16_t>(in, levels, lookback::by(&row::level), how);
    }
}

/// A function may give equal keys for different rows: those keep their order. Bits are those of what it gives.
TEST_F(radix_sort_structs, by_a_function) {
  for (std::size_t const n : {std::size_t{1}, std::size_t{1000}, up_to(50'021)})
    for (sort_form const& how : {sort_form{}, sort_form{true, false}, sort_form{false, false, 0, 9}, sort_form{false, false, 2, 5},
                                 sort_form{true, false, 4, 4}}) {
      auto const in = rows(n);
      std::vector<std::uint32_t> keys;
      for (auto const& r : in) keys.push_back(distance_from_ten{}(r));
      check_rows<std::uint32_t>(in, keys, lookback::by(distance_from_ten{}), how);
    }
}

/// nvcc takes no such lambda in a test's body, which is private.
template <class On>
void sort_by_low_byte(On const& on, array<std::uint32_t>& data) {
  auto const low = lookback::by([] ON_DEVICE(std::uint32_t x) { return static_cast<std::uint8_t>(x); });
  with_algorithm(on, [&](auto... options) { lookback::radix_sort(on, data, low, options...); });
}

/// A key made of a plain number: the number is the item then, and equal keys keep their order.
TEST_F(radix_sort_structs, numbers_by_a_lambda) {
  auto const in = random_values<std::uint32_t>(5000, 1);
  std::vector<std::uint8_t> low;
  for (auto const x : in) low.push_back(static_cast<std::uint8_t>(x));
  auto const want = oracle::taken(in, oracle::sorted_places<std::uint8_t>(low, {}, false));
  each_policy([&](auto const& on) {
    array<std::uint32_t> data(in);
    sort_by_low_byte(on, data);
    EXPECT_TRUE(same(data.host(), want));
  });
}

struct first_entry {
  LOOKBACK_FN std::uint32_t operator()(wide const& w) const { return w.m[0].a; }
};

/// 64 bytes are the widest items; 8 and 16 are those that a GPU loads at once.
TEST_F(radix_sort_structs, of_the_widest_items) {
  for (std::size_t const n : {std::size_t{33}, std::size_t{5000}}) {
    auto const in = random_values<wide>(n, n);
    std::vector<std::uint32_t> keys;
    for (auto const& w : in) keys.push_back(w.m[0].a);
    auto const want = oracle::taken(in, oracle::sorted_places<std::uint32_t>(keys, {}, false));
    each_policy([&](auto const& on) {
      array<wide> data(in);
      with_algorithm(on, [&](auto... options) { lookback::radix_sort(on, data, lookback::by(first_entry{}), options...); });
      EXPECT_TRUE(same(data.host(), want));
      EXPECT_TRUE(data.intact());
    });
  }
}

/// A key that takes long at some items, which are others in every run.
struct dawdling_key {
  std::uint32_t run, mask;
  ON_DEVICE std::uint32_t operator()(std::uint32_t x) const {
    std::uint32_t volatile turns = (x ^ run * 0x9E3779B9u) % 4093 == 0 ? 3000 : 0;
    while (turns != 0) turns = turns - 1;
    return x & mask;
  }
};

/// Tiles overtake each other, each time others: from the top, and, where few keys have most items, by the lowest digits first.
TEST_F(radix_sort_structs, with_stalls) {
  std::size_t const n = up_to(on_gpu ? 1'000'003 : 100'003);
  for (std::uint32_t const mask : {0xFFFFFFFFu, 0x000000FFu})
    for (std::uint32_t const run : {1u, 2u, 3u}) {
      auto const in = random_values<std::uint32_t>(n, run), values = random_values<std::uint32_t>(n, run + 10);
      std::vector<std::uint32_t> keys;
      for (auto const x : in) keys.push_back(x & mask);
      auto const places = oracle::sorted_places<std::uint32_t>(keys, {}, false);
      auto const want = oracle::taken(in, places), want_values = oracle::taken(values, places);
      each_policy([&](auto const& on) {
        array<std::uint32_t> data(in), beside(values);
        with_algorithm(on, [&](auto... options) {
          lookback::radix_sort(on, data, beside, lookback::by(dawdling_key{run, mask}), options...);
        });
        EXPECT_TRUE(same(data.host(), want));
        EXPECT_TRUE(same(beside.host(), want_values));
      });
    }
}
