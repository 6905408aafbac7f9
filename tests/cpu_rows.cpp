// Rows of sparse matrices side by side and one by one at every SIMD level: lengths around packs and blocks, columns of 2 to 8
// bytes, tiles of every fill, against a plain loop. The vectors end where their memory ends: asan sees who reads on.
#include "cpu_rows.hpp"

#include <gtest/gtest.h>

#include <chrono>
#include <cmath>
#include <cstring>
#include <limits>
#include <lookback/cpu.hpp>
#include <lookback/spmv.hpp>
#include <thread>

#include "compare.hpp"
#include "random.hpp"

using namespace harness;
using namespace lookback;

template <class Value, class Column, class Offset = std::int32_t>
struct kind {
  using value = Value;
  using column = Column;
  using offset = Offset;
};
template <class T>
struct cpu_rows : ::testing::Test {};
using kinds = std::conditional_t<
    sanitized, ::testing::Types<kind<float, std::int32_t, std::int64_t>, kind<double, std::uint16_t>>,
    ::testing::Types<kind<float, std::int32_t>, kind<float, std::uint16_t, std::int64_t>, kind<double, std::int32_t, std::int64_t>,
                     kind<double, std::int32_t>, kind<double, std::int64_t>, kind<std::int32_t, std::int32_t>,
                     kind<std::int64_t, std::uint16_t>, kind<std::int16_t, std::int32_t, std::int64_t>,
                     kind<std::uint8_t, std::int32_t>>>;
TYPED_TEST_SUITE(cpu_rows, kinds);

TYPED_TEST(cpu_rows, equal_the_plain_loop) {
  using value = typename TypeParam::value;
  plus_times<value> const sums;
  max_times<value> const most;  // what fills up a pack changes no sum, but might be the largest
  std::uint64_t seed = 0;
  for (auto const& lengths : all_lengths()) {
    SCOPED_TRACE(std::to_string(lengths.size()) + " rows, the last of " + std::to_string(lengths.empty() ? 0 : lengths.back()));
    auto const a = matrix_of<value, typename TypeParam::column, typename TypeParam::offset>(lengths, ++seed);
    auto const as_it_is = [](std::size_t, value sum) { return sum; };
    auto const want = plain(a, sums, as_it_is);
    auto const largest = plain(a, most, as_it_is);
    auto const twice = plain(a, sums, [](std::size_t r, value sum) { return static_cast<value>(2 * sum + static_cast<value>(r)); });
    each_tuning([&](cpu::tuning const& how) {
      for (int const threads : {1, 2}) {
        auto const on = cpu::on(threads).with(how);
        std::vector<value> y(lengths.size(), value{77});
        spmv(on, a.view(), a.x, y);
        EXPECT_TRUE(same(y, want));
        spmv(on, a.view(), a.x, y, most);
        EXPECT_TRUE(same(y, largest));
        for (std::size_t r = 0; r < y.size(); ++r) y[r] = static_cast<value>(r);
        spmv(on, a.view(), a.x, y, value{2}, value{1});  // each is read once, and written once
        EXPECT_TRUE(same(y, twice));
      }
    });
  }
}

/// Columns that are compiled above.
using column_of_doubles = std::conditional_t<sanitized, std::uint16_t, std::int32_t>;

/// Any bits, on every run and for any number of threads; one row of NaN, one of infinity, and what stands beside them.
TEST(cpu_rows_of_floats, are_steady_and_apart) {
  auto lengths = all_lengths()[1];
  lengths[200] = 900;
  auto a = matrix_of<double, column_of_doubles>(lengths, 9);
  generator random(3);
  for (auto& v : a.values) v = static_cast<double>(random.below(1 << 20)) * 0x1p-10 + 1;
  for (auto& v : a.x) v = static_cast<double>(random.below(1 << 20)) * 0x1p-10 + 1;
  std::size_t row[2] = {50, 300};
  for (auto& r : row)
    while (lengths[r] < 2) ++r;
  a.values[static_cast<std::size_t>(a.offsets[row[0]])] = std::numeric_limits<double>::quiet_NaN();
  a.values[static_cast<std::size_t>(a.offsets[row[1]])] = std::numeric_limits<double>::infinity();
  auto const want = plain(a, plus_times<double>{}, [](std::size_t, double sum) { return sum; });
  each_tuning([&](cpu::tuning const& how) {
    std::vector<double> first(lengths.size()), y(lengths.size());
    spmv(cpu::on(1).with(how), a.view(), a.x, first);
    for (int const threads : {1, 2, 3}) {
      spmv(cpu::on(threads).with(how), a.view(), a.x, y);
      EXPECT_EQ(std::memcmp(y.data(), first.data(), y.size() * sizeof(double)), 0) << threads << " threads";
    }
    for (std::size_t r = 0; r < y.size(); ++r) {
      if (r == row[0]) EXPECT_TRUE(std::isnan(y[r]));
      else if (r == row[1]) EXPECT_EQ(y[r], std::numeric_limits<double>::infinity());
      else EXPECT_NEAR(y[r], want[r], want[r] * 1e-12) << "row " << r;
      EXPECT_EQ(std::signbit(y[r]), false) << "row " << r;  // packs are filled up with -0
    }
  });
}

/// Offsets that go down or beyond the end, far beyond where they have 8 bytes: nobody says what comes out, but nothing else is read
/// or written.
template <class T>
struct cpu_rows_of_wrong_ends : ::testing::Test {};
// Rows of ends that go down may lie in two tiles, and both write them, in whichever order: ThreadSanitizer is right to say so.
#if defined(__SANITIZE_THREAD__)
constexpr int most_threads = 1;
#else
constexpr int most_threads = 2;
#endif
using wrong_kinds =
    std::conditional_t<sanitized, kinds, ::testing::Types<kind<double, std::int32_t>, kind<float, std::uint16_t, std::int64_t>>>;
TYPED_TEST_SUITE(cpu_rows_of_wrong_ends, wrong_kinds);

TYPED_TEST(cpu_rows_of_wrong_ends, stay_inside) {
  using value = typename TypeParam::value;
  using column = typename TypeParam::column;
  using offset = typename TypeParam::offset;
  constexpr offset far = sizeof(offset) == 8 ? static_cast<offset>(std::uint64_t{1} << 32) : 0;
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    auto a = matrix_of<value, column, offset>(std::vector<std::size_t>(400, 6), seed);
    generator random(seed);
    for (std::size_t r = 1; r + 1 < a.offsets.size(); ++r)
      if (random.below(1 + seed) < 2)
        a.offsets[r] = static_cast<offset>(random.below(4000)) - 1000 + far * static_cast<offset>(random.below(3));
    auto const right = matrix_of<value, column, offset>(std::vector<std::size_t>(400, 6), seed);
    auto const want = plain(right, plus_times<value>{}, [](std::size_t, value sum) { return sum; });
    each_tuning([&](cpu::tuning const& how) {
      for (int threads = 1; threads <= most_threads; ++threads) {
        auto const on = cpu::on(threads).with(how);
        std::vector<value> y(400);
        spmv(on, a.view(), a.x, y);
        spmv(on, right.view(), right.x, y);
        EXPECT_TRUE(same(y, want));
      }
    });
  }
}

/// What is summed is read elsewhere, and how segments are described turns out when the call runs: offsets, some segments empty, or
/// flags, where none is.
TEST(cpu_rows_of_floats, by_any_description_of_segments) {
  for (bool const flagged : {false, true}) {
    auto lengths = all_lengths()[2];
    if (flagged)
      for (auto& length : lengths) ++length;
    auto const a = matrix_of<float, std::int32_t, std::int64_t>(lengths, 6);
    std::vector<std::uint8_t> flags(a.values.size());
    if (flagged)
      for (std::size_t r = 0; r < lengths.size(); ++r) flags[static_cast<std::size_t>(a.offsets[r])] = 1;
    auto const want = plain(a, plus_times<float>{}, [](std::size_t, float sum) { return sum; });
    detail::products<float, std::int32_t, float, multiplies<float>> const items{
        a.values.data(), a.column_indices.data(), a.x.data(), {}};
    source<decltype(items), segments, float> const from{items, flagged ? head_flags(flags) : offsets(a.offsets), {}};
    each_tuning([&](cpu::tuning const& how) {
      for (int const threads : {1, 2}) {
        std::vector<float> y(lengths.size());
        index_t count = 0;
        cpu::scan_into(cpu::on(threads).with(how), std::ssize(a.values), from, segmented<plus<float>>{{}},
                       per_segment<float>{y.data(), &count, {}});
        EXPECT_EQ(count, std::ssize(lengths));
        EXPECT_TRUE(same(y, want));
      }
    });
  }
}

/// So long a path that its tiles are larger than those of any scan.
TEST(cpu_rows_of_floats, have_the_same_bits_for_any_number_of_threads) {
  std::vector<std::size_t> lengths(700'000);
  generator random(12);
  for (auto& length : lengths) length = random.below(9);
  auto a = matrix_of<double, column_of_doubles>(lengths, 4);
  for (auto& v : a.values) v = static_cast<double>(random.below(1 << 20)) * 0x1.3p-10;
  std::vector<double> one(lengths.size()), y(lengths.size());
  spmv(cpu::on(1), a.view(), a.x, one);
  for (int const threads : {2, 3, 7}) {
    spmv(cpu::on(threads), a.view(), a.x, y);
    EXPECT_EQ(std::memcmp(y.data(), one.data(), y.size() * sizeof(double)), 0) << threads << " threads";
  }
}

/// Long rows that find what they read far apart are summed in turn. Which are depends on columns alone.
TEST(cpu_rows_of_floats, may_be_long_and_read_far_apart) {
  std::vector<std::size_t> lengths(4'000);
  generator random(14);
  for (auto& length : lengths) length = random.below(41);
  for (std::size_t const columns : {1'000, 200'000}) {
    auto const a = matrix_of<double, column_of_doubles>(lengths, 15, columns);
    auto const want = plain(a, plus_times<double>{}, [](std::size_t, double sum) { return sum; });
    each_tuning([&](cpu::tuning how) {
      if (how.tile_items == 0) how.tile_items = 32 << 10;  // enough for a tile to be asked, whatever the caches
      std::vector<double> y(lengths.size());
      spmv(cpu::on(2).with(how), a.view(), a.x, y);
      EXPECT_TRUE(same(y, want)) << columns << " columns";
    });
    struct {
      detail::products<double, column_of_doubles, double, multiplies<double>> items;
      lookback::arrays<double, column_of_doubles> arrays = items.arrays();
    } p{{a.values.data(), a.column_indices.data(), a.x.data(), {}}};
    EXPECT_EQ(cpu::portable::read_far_apart(p, 0, 16 << 10), columns > 1'000);
    EXPECT_FALSE(cpu::portable::read_far_apart(p, 0, (16 << 10) - 1));
    int const pages = cpu::portable::pages_read(p, 0);
    std::vector<double> elsewhere(columns + 100'000);
    for (std::size_t const shift : {0, 1, 511, 512, 12'345, 100'000}) {
      p.items.x = elsewhere.data() + shift;
      EXPECT_EQ(cpu::portable::pages_read(p, 0), pages) << "at " << shift;
    }
  }
}

/// Rows of a dozen numbers of 8 bytes, too, where nearly all that they find lies on pages of its own: one chain each, but for those
/// that lie in two tiles.
TEST(cpu_rows_of_floats, may_be_of_a_dozen_and_read_far_apart) {
  std::vector<std::size_t> lengths(20'000);
  generator random(19);
  for (auto& length : lengths) length = random.below(25);
  auto a = matrix_of<double, column_of_doubles>(lengths, 20, 1 << 18);
  for (auto& v : a.values) v = static_cast<double>(1 + random.below(1 << 20)) / 3;
  for (auto& v : a.x) v = static_cast<double>(1 + random.below(1 << 20)) / 7;
  auto const want = plain(a, plus_times<double>{}, [](std::size_t, double sum) { return sum; });
  cpu::tuning how;
  how.tile_items = 32 << 10;
  std::vector<double> one(lengths.size()), y(lengths.size());
  auto const rows_of_other_bits = [&](cpu::tuning const& by) {
    spmv(cpu::on(1).with(by), a.view(), a.x, one);
    index_t others = 0;
    for (std::size_t r = 0; r < one.size(); ++r) {
      EXPECT_NEAR(one[r], want[r], want[r] * 1e-13) << "row " << r;
      others += one[r] != want[r];
    }
    return others;
  };
  auto aside = how;
  aside.known_rows = -1;
  index_t const others_aside = rows_of_other_bits(aside), others = rows_of_other_bits(how);
  // By packs of two lanes nothing is summed side by side.
  if (cpu::usable(cpu::simd_level::automatic) != cpu::simd_level::portable) {
    EXPECT_LE(others, std::ssize(a.values) / how.tile_items + 1);
    EXPECT_GT(others_aside, 1000) << "none is ever summed one by one";
  }
  auto const expect_same = [&](auto const& on, std::string const& name) {
    spmv(on, a.view(), a.x, y);
    EXPECT_EQ(std::memcmp(y.data(), one.data(), y.size() * sizeof(double)), 0) << name;
  };
  for (int const threads : {2, 3, 7}) expect_same(cpu::on(threads).with(how), std::to_string(threads) + " threads");
  expect_same(cpu::on(3).with(how).with(reduce_then_scan{}), "reduce-then-scan");
}

template <class T>
struct products_at_columns {
  using value_type = T;
  detail::products<T, std::int32_t, T, multiplies<T>> items;
  lookback::arrays<T, std::int32_t> arrays = items.arrays();
};

/// Which they are: enough of them, of values of 8 bytes, on enough pages.
TEST(cpu_rows_of_floats, are_better_in_turn_where_all_is_far_apart) {
  std::vector<std::int32_t> columns(24 << 10);
  std::vector<double> values(columns.size()), x(64 * 512);
  std::vector<float> narrow_values(columns.size()), narrow_x(x.size());
  auto const are = [&](std::int32_t apart, index_t rows, index_t items) {
    for (std::size_t i = 0; i < columns.size(); ++i) columns[i] = static_cast<std::int32_t>(i % 64) * apart;
    struct {
      tile t;
      index_t tail, ended;
    } const h{{0, 0, items}, items, rows};
    products_at_columns<double> const wide{{values.data(), columns.data(), x.data(), {}}};
    products_at_columns<float> const narrow{{narrow_values.data(), columns.data(), narrow_x.data(), {}}};
    EXPECT_FALSE(cpu::portable::are_better_in_turn(narrow, h));
    return cpu::portable::are_better_in_turn(wide, h);
  };
  constexpr std::int32_t page = 512, items = 24 << 10;
  EXPECT_TRUE(are(page, items / 6, items));
  EXPECT_FALSE(are(page, items / 6 + 1, items)) << "short";
  EXPECT_FALSE(are(page, 0, items)) << "none ends";
  EXPECT_FALSE(are(page, 10, (16 << 10) - 1)) << "few";
  EXPECT_FALSE(are(page / 2, items / 6, items)) << "on 32 pages";
  EXPECT_FALSE(are(1, items / 6, items)) << "on one";
}

/// However rows are summed and wherever tiles end: the same bits for any number of threads, by any strategy.
TEST(cpu_rows_of_floats, that_are_long_have_the_same_bits_for_any_number_of_threads) {
  generator random(17);
  std::vector<std::size_t> lengths(1'500);
  for (auto& length : lengths) length = random.below(random.below(2) ? 41 : 129);
  lengths[700] = 150'000;
  for (std::size_t const columns : {300, 60'000}) {
    auto a = matrix_of<double, column_of_doubles>(lengths, 18, columns);
    for (auto& v : a.values) v = static_cast<double>(random.below(1 << 20)) * 0x1.3p-10;
    for (auto& v : a.x) v = static_cast<double>(random.below(1 << 20)) * 0x1.7p-10;
    each_tuning([&](cpu::tuning how) {
      if (how.tile_items == 0) how.tile_items = 32 << 10;
      std::vector<double> one(lengths.size()), y(lengths.size());
      spmv(cpu::on(1).with(how), a.view(), a.x, one);
      auto const expect_same = [&](auto const& on, std::string const& name) {
        spmv(on, a.view(), a.x, y);
        EXPECT_EQ(std::memcmp(y.data(), one.data(), y.size() * sizeof(double)), 0) << name << ", " << columns << " columns";
      };
      for (int const threads : {2, 3, 7}) expect_same(cpu::on(threads).with(how), std::to_string(threads) + " threads");
      expect_same(cpu::on(3).with(how).with(reduce_then_scan{}), "reduce-then-scan");
    });
  }
}

TEST(cpu_path_items, grow_with_the_path_up_to_4_megabytes) {
  cpu::tuning const t;
  constexpr index_t serial = 128 << 10;
  index_t const one = cpu::default_tile_items(t, 12);
  EXPECT_EQ(cpu::default_path_items(t, 12, 1000, serial), one);  // for one worker
  EXPECT_EQ(cpu::default_path_items(t, 12, 20'000, serial), std::min<index_t>(one, 5056));
  EXPECT_EQ(cpu::default_path_items(t, 12, 128 * (one + 640), serial), one + 640);
  EXPECT_EQ(cpu::default_path_items(t, 12, index_t{1} << 40, serial), (4 << 20) / 12 / 64 * 64);
  EXPECT_EQ(cpu::default_path_items(t, 16 << 20, index_t{1} << 40, serial), cpu::default_tile_items(t, 16 << 20));
  cpu::tuning given;
  given.tile_bytes = 1 << 16;
  EXPECT_EQ(cpu::default_path_items(given, 12, index_t{1} << 40, serial), cpu::default_tile_items(given, 12));
}

/// A second worker is asked for a small product only if another one has just ended; the result is the same.
TEST(cpu_rows_of_floats, ask_for_workers_in_a_row_of_calls) {
  static int asked = 0;
  auto on = cpu::on(2);
  on.executor = {[](int) { return 2; }, [](int, void (*body)(void*), void* context) { ++asked, body(context); }};
  auto const multiply = [&](matrix<double, column_of_doubles> const& a, std::vector<double>& y) {
    asked = 0;
    spmv(on, a.view(), a.x, y);
    return asked > 0;
  };
  auto const pause = [] { std::this_thread::sleep_for(std::chrono::milliseconds(2)); };
  auto const small = matrix_of<double, column_of_doubles>(std::vector<std::size_t>(1'000, 20), 3);   // some 200 to 240 KB
  auto const large = matrix_of<double, column_of_doubles>(std::vector<std::size_t>(1'000, 200), 3);  // more than 1.25 MB
  auto const middle = matrix_of<double, column_of_doubles>(std::vector<std::size_t>(1'000, 80), 3);  // 0.8 to 1 MB
  auto const tiny = matrix_of<double, column_of_doubles>(std::vector<std::size_t>(100, 20), 3);
  std::vector<double> alone(1'000), y(1'000), few(100);
  for (int k = 0; k < 3; ++k) {
    pause();
    EXPECT_FALSE(multiply(middle, y));
    pause();
    EXPECT_FALSE(multiply(small, alone));
  }
  bool awake = false;  // whoever measures time may be kept from it
  for (int k = 0; k < 1'000 && !awake; ++k) awake = multiply(small, y);
  EXPECT_TRUE(awake);
  EXPECT_EQ(std::memcmp(y.data(), alone.data(), y.size() * sizeof(double)), 0);
  for (int k = 0; k < 100; ++k) EXPECT_FALSE(multiply(tiny, few));
  pause();
  EXPECT_TRUE(multiply(large, y));
}

/// Sums depend on where tiles end, and on how rows are summed: on what is read alone.
TEST(cpu_path_items, and_the_order_of_rows_depend_on_sizes_alone) {
  using enum cpu::row_order;
  cpu::tuning t;
  EXPECT_EQ(cpu::order_of_rows(t, 0, 0), one_by_one);
  EXPECT_EQ(cpu::order_of_rows(t, 8192, 4 * 8192), one_by_one);
  EXPECT_EQ(cpu::order_of_rows(t, 8193, 3 * 8193), by_length);
  EXPECT_EQ(cpu::order_of_rows(t, 8193, 3 * 8193 - 1), one_by_one);
  EXPECT_EQ(cpu::order_of_rows(t, (128 << 10) + 1, 0), by_length);
  t.known_rows = -1;
  EXPECT_EQ(cpu::order_of_rows(t, 1, 1), side_by_side);
  t.known_rows = 10;
  EXPECT_EQ(cpu::order_of_rows(t, 10, 100), one_by_one);
  EXPECT_EQ(cpu::order_of_rows(t, 11, 100), by_length);
  EXPECT_TRUE(cpu::are_one_by_one(by_length, 1000, 24'000, 8));
  EXPECT_FALSE(cpu::are_one_by_one(by_length, 1000, 23'999, 8));
  EXPECT_FALSE(cpu::are_one_by_one(by_length, 1000, 47'999, 4));
  EXPECT_FALSE(cpu::are_one_by_one(side_by_side, 1, 1000, 8));
}

/// A negative end may be 2^32 before what looks like a place in a block; no array is that long here.
TEST(cpu_path_items, know_ends_before_their_block) {
  constexpr index_t begin = (index_t{1} << 31) - 600;
  std::vector<std::int32_t> const ends{std::numeric_limits<std::int32_t>::min() + 100, -1, static_cast<std::int32_t>(begin - 1),
                                       static_cast<std::int32_t>(begin + 7)};
  auto const behind = cpu::portable::ends_behind<float>(begin, ends.data());
  for (int k = 0; k < 3; ++k) EXPECT_GE(behind.v[k], std::uint32_t{1} << 31) << "end " << k;
  EXPECT_EQ(behind.v[3], 7u);
}
