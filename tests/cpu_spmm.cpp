// Products with a few vectors at every SIMD level: any number of them, any semiring, tiles of every fill, rows of every length and
// ends that lie. x ends where its memory ends: asan sees who reads on.
#include <gtest/gtest.h>

#include <cmath>
#include <complex>
#include <limits>
#include <lookback/cpu.hpp>
#include <lookback/spmm.hpp>
#include <string>

#include "compare.hpp"
#include "sparse.hpp"

using namespace harness;
using namespace lookback;

namespace {

/// As vectors, which end where their memory ends.
template <class Value, class Offset = std::int32_t>
struct matrix {
  index_t columns;
  std::vector<Offset> offsets;
  std::vector<std::int32_t> column_indices;
  std::vector<Value> values;
  explicit matrix(harness::sparse<Value> const& a)
      : columns{static_cast<index_t>(a.columns)},
        offsets(a.offsets.begin(), a.offsets.end()),
        column_indices(a.column_indices.begin(), a.column_indices.end()),
        values(a.values) {}
  auto view() const { return csr_view{std::ssize(offsets) - 1, columns, offsets, column_indices, values}; }
};

std::vector<std::vector<std::size_t>> all_lengths() {
  std::vector<std::vector<std::size_t>> all{{}, {0}, {1}, {3}, {5000}, std::vector<std::size_t>(200, 0)};
  std::vector<std::size_t> rising, skewed;
  for (std::size_t r = 0; r < 150; ++r) rising.push_back(r % 71);
  for (std::size_t r = 0; r < 120; ++r) skewed.push_back(r % 40 == 7 ? 2500 : r % 13 == 3 ? 100 + r : r % 5);
  all.push_back(rising), all.push_back(skewed), all.push_back(geometric_lengths(700, 2, 5));
  for (std::size_t const length : {1, 4, 5, 8, 9, 63, 64, 65, 447, 448, 449}) all.emplace_back(length < 60 ? 67 : 13, length);
  return all;
}

template <class F>
void each_level(F f) {
  for (auto const level : {cpu::simd_level::portable, cpu::simd_level::avx2, cpu::simd_level::avx512}) {
    SCOPED_TRACE("level " + std::to_string(static_cast<int>(level)));
    cpu::tuning how;
    how.simd = level;
    f(how);
  }
}
template <class F>
void each_tuning(F f) {
  each_level([&](cpu::tuning how) {
    for (index_t const tile_items : {0, 64, 448}) {
      SCOPED_TRACE("tiles of " + std::to_string(tile_items));
      how.tile_items = tile_items, how.serial_below_bytes = 1;
      f(how);
      how.stream_above_bytes = 1;
      f(how);
      how.stream_above_bytes = 0;
    }
  });
}

/// y from element `at` on, with something before and behind that stays.
template <class T>
struct result {
  std::vector<T> all;
  std::size_t at;
  result(std::vector<T> const& before, std::size_t misaligned) : all(before.size() + misaligned + 1, T(77)), at{misaligned} {
    std::copy(before.begin(), before.end(), all.begin() + static_cast<std::ptrdiff_t>(at));
  }
  std::span<T> y() { return {all.data() + at, all.size() - at - 1}; }
  std::vector<T> got() const { return {all.begin() + static_cast<std::ptrdiff_t>(at), all.end() - 1}; }
  bool intact() const { return all.back() == T(77) && (at == 0 || all[0] == T(77)); }
};

}  // namespace

template <class Value, int K, class Offset = std::int32_t>
struct some_vectors {
  using value = Value;
  using offset = Offset;
  static constexpr int k = K;
};
template <class T>
struct cpu_spmm : ::testing::Test {};
using some = std::conditional_t<
    sanitized, ::testing::Types<some_vectors<double, 3>, some_vectors<float, 4, std::int64_t>>,
    ::testing::Types<some_vectors<double, 1>, some_vectors<double, 2>, some_vectors<double, 3, std::int64_t>,
                     some_vectors<double, 4>, some_vectors<double, 8>, some_vectors<double, 15>, some_vectors<float, 2>,
                     some_vectors<float, 4, std::int64_t>, some_vectors<float, 7>, some_vectors<float, 16>,
                     some_vectors<std::int64_t, 3>, some_vectors<std::int16_t, 4>, some_vectors<std::complex<double>, 2>>>;
TYPED_TEST_SUITE(cpu_spmm, some);

TYPED_TEST(cpu_spmm, equals_the_plain_loop) {
  using value = typename TypeParam::value;
  constexpr std::size_t k = TypeParam::k;
  std::uint64_t seed = 0;
  for (auto const& lengths : all_lengths()) {
    SCOPED_TRACE(std::to_string(lengths.size()) + " rows, the last of " + std::to_string(lengths.empty() ? 0 : lengths.back()));
    auto const a = random_matrix_of<value>(lengths, 311, ++seed);
    auto const x = small_values<value>(a.columns * k, 3), before = small_values<value>(a.rows() * k, 4);
    auto const want = multiplied_rows(a, x, k);
    auto twice = want;
    for (std::size_t i = 0; i < twice.size(); ++i)
      twice[i] = static_cast<value>(static_cast<value>(value(2) * want[i]) - before[i]);
    matrix<value, typename TypeParam::offset> const m(a);
    each_tuning([&](cpu::tuning const& how) {
      for (std::size_t const misaligned : {0, 1})
        for (int const threads : {1, 2}) {
          auto const on = cpu::on(threads).with(how);
          std::vector<value> from(x.size() + misaligned);
          std::copy(x.begin(), x.end(), from.begin() + static_cast<std::ptrdiff_t>(misaligned));
          result<value> y(before, misaligned), more(before, misaligned);
          spmm<k>(on, m.view(), std::span(from).subspan(misaligned), y.y());
          EXPECT_TRUE(same(y.got(), want));
          EXPECT_TRUE(y.intact());
          spmm<k>(on, m.view(), std::span(from).subspan(misaligned), more.y(), value(2), value(-1));
          EXPECT_TRUE(same(more.got(), twice));
          EXPECT_TRUE(more.intact());
        }
    });
    std::vector<value> y(before);
    spmm<k>(cpu::seq, m.view(), x, y);
    EXPECT_TRUE(same(y, want));
  }
}

namespace {

/// The first that is not 0: which of two operands stands on the left is all that matters.
struct first_one {
  using value_type = std::int32_t;
  std::int32_t operator()(std::int32_t a, std::int32_t b) const { return a != 0 ? a : b; }
  static std::int32_t identity() { return 0; }
};

}  // namespace

template <class Ring, int K>
struct ring_of {
  using ring = Ring;
  static constexpr int k = K;
};
template <class T>
struct cpu_spmm_over : ::testing::Test {};
/// Operands that may not be swapped, of either.
struct difference {
  std::int32_t operator()(std::int32_t a, std::int32_t b) const { return a - b; }
};
using first_of_differences = semiring<first_one, difference>;
using rings = std::conditional_t<sanitized, ::testing::Types<ring_of<first_of_differences, 3>>,
                                 ::testing::Types<ring_of<min_plus<float>, 4>, ring_of<max_times<double>, 3>,
                                                  ring_of<or_and<std::uint32_t>, 4>, ring_of<first_of_differences, 3>>>;
TYPED_TEST_SUITE(cpu_spmm_over, rings);

TYPED_TEST(cpu_spmm_over, any_semiring) {
  constexpr std::size_t k = TypeParam::k;
  typename TypeParam::ring const ring{};
  using T = typename decltype(ring.add)::value_type;
  T const zero = decltype(ring.add)::identity(), alpha = 2, beta = 1;
  for (auto const& lengths : all_lengths()) {
    auto const a = random_matrix_of<T>(lengths, 311, 5);
    auto const x = small_values<T>(a.columns * k, 3), before = small_values<T>(a.rows() * k, 4);
    auto const want = multiplied_rows(a, x, k, zero, ring.add, ring.multiply);
    auto scaled = want, alone = want;
    for (std::size_t i = 0; i < want.size(); ++i) {
      alone[i] = ring.multiply(alpha, want[i]);
      scaled[i] = ring.add(alone[i], ring.multiply(beta, before[i]));
    }
    matrix<T> const m(a);
    each_tuning([&](cpu::tuning const& how) {
      auto const on = cpu::on(2).with(how);
      std::vector<T> y(before.size(), T{9});
      spmm<k>(on, m.view(), x, y, ring);
      EXPECT_TRUE(same(y, want));
      y = before;
      spmm<k>(on, m.view(), x, y, alpha, beta, ring);
      EXPECT_TRUE(same(y, scaled));
      y = before;
      spmm<k>(on, m.view(), x, y, alpha, zero, ring);
      EXPECT_TRUE(same(y, alone));
    });
  }
}

/// The product of narrow values is wider, and so is what stands in Y.
TEST(cpu_spmm_types, may_differ) {
  auto const a = random_matrix_of<std::int8_t>(geometric_lengths(2000, 5, 5), 311, 8);
  auto const x = small_values<std::int32_t>(a.columns * 4, 3);
  auto const want = multiplied_rows(a, x, 4);
  matrix<std::int8_t> const m(a);
  std::vector<std::int64_t> const wide(want.begin(), want.end());
  each_tuning([&](cpu::tuning const& how) {
    std::vector<std::int64_t> y(want.size());
    spmm<4>(cpu::on(2).with(how), m.view(), x, y);
    EXPECT_TRUE(same(y, wide));
  });
}

/// As a product of the wider type is: one of the narrower would round.
TEST(cpu_spmm_types, of_the_matrix_may_be_narrower) {
  auto a = random_matrix_of<float>(geometric_lengths(2000, 9, 5), 311, 8);
  generator random(3);
  for (auto& v : a.values) v = static_cast<float>(random.below(1 << 24)) * 0x1p-10f;
  auto const x = small_values<double>(a.columns * 4, 3);
  auto const want = multiplied_rows(
      a, x, 4, 0.0, [](double p, double q) { return p + q; }, [](float p, double q) { return p * q; });
  matrix<float> const m(a);
  each_tuning([&](cpu::tuning const& how) {
    std::vector<double> y(want.size());
    spmm<4>(cpu::on(2).with(how), m.view(), x, y);
    EXPECT_TRUE(same(y, want));
  });
}

/// The same bits on every run and for any number of threads, within the bound of any order, and NaN only where it belongs: in
/// row 50, whatever it meets, and infinity in column 1 of row 60. Y is not read where beta is 0.
template <class T>
struct cpu_spmm_of_floats : ::testing::Test {};
using floats = std::conditional_t<sanitized, ::testing::Types<some_vectors<double, 3>>,
                                  ::testing::Types<some_vectors<double, 4>, some_vectors<float, 3>>>;
TYPED_TEST_SUITE(cpu_spmm_of_floats, floats);

TYPED_TEST(cpu_spmm_of_floats, are_steady_and_apart) {
  using value = typename TypeParam::value;
  constexpr std::size_t k = TypeParam::k;
  auto lengths = geometric_lengths(sanitized ? 2000 : 200'000, 6, 3);
  lengths[50] = 3, lengths[60] = 3, lengths[lengths.size() / 2] = sanitized ? 3000 : 300'000;
  auto a = random_matrix_of<value>(lengths, 5003, 9);
  generator random(3);
  auto const real = [&] { return static_cast<value>(static_cast<double>(random.below(1 << 24)) * 0x1.3p-23 - 1); };
  for (auto& v : a.values) v = real();
  std::vector<value> x(a.columns * k);
  for (auto& v : x) v = real();
  a.values[static_cast<std::size_t>(a.offsets[50])] = std::numeric_limits<value>::quiet_NaN();
  auto const far = a.column_indices[static_cast<std::size_t>(a.offsets[60])] = 5002;  // nobody else reads it
  for (std::size_t i = 0; i < a.column_indices.size(); ++i)
    if (i != static_cast<std::size_t>(a.offsets[60])) a.column_indices[i] %= 5000;
  x[far * k + 1] = std::numeric_limits<value>::infinity();
  matrix<value> const m(a);
  std::vector<value> first(a.rows() * k), y(first.size());
  each_level([&](cpu::tuning how) {
    spmm<k>(cpu::on(1).with(how).with(reproducible), m.view(), x, first);
    for (int const threads : {1, 2, 3, 4})
      for (index_t const stream : {index_t{0}, index_t{1}}) {
        how.stream_above_bytes = stream;
        spmm<k>(cpu::on(threads).with(cpu::std_threads).with(how).with(reproducible), m.view(), x, y);
        EXPECT_EQ(std::memcmp(y.data(), first.data(), y.size() * sizeof(value)), 0) << threads << " threads";
        std::fill(y.begin(), y.end(), std::numeric_limits<value>::quiet_NaN());
        spmm<k>(cpu::on(threads).with(how), m.view(), x, y, value{1}, value{0});
        for (std::size_t i = 0; i < y.size(); ++i) ASSERT_EQ(std::isnan(y[i]), i / k == 50) << i;
      }
    for (std::size_t r = 0; r < a.rows(); ++r)
      for (std::size_t j = 0; j < k; ++j) {
        value const got = first[r * k + j];
        if (r == 50) ASSERT_TRUE(std::isnan(got));
        else if (r == 60 && j == 1) ASSERT_TRUE(std::isinf(got));
        else {
          double want = 0, magnitude = 0;
          for (auto i = static_cast<std::size_t>(a.offsets[r]); i < static_cast<std::size_t>(a.offsets[r + 1]); ++i) {
            double const one = static_cast<double>(a.values[i]) * static_cast<double>(x[a.column_indices[i] * k + j]);
            want += one, magnitude += std::abs(one);
          }
          auto const terms = 2 + std::sqrt(static_cast<double>(lengths[r]));
          ASSERT_LE(std::abs(double{got} - want), terms * magnitude * double{std::numeric_limits<value>::epsilon()}) << "row " << r;
        }
      }
  });
}

/// Offsets that go down or beyond the end: nobody says what comes out, but nothing else is read or written.
#if defined(__SANITIZE_THREAD__)
constexpr int most_threads = 1;  // two tiles may write one row then
#else
constexpr int most_threads = 2;
#endif
TEST(cpu_spmm_of_wrong_ends, stays_inside) {
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    auto a = random_matrix_of<double>(std::vector<std::size_t>(400, 6), 311, seed);
    generator random(seed);
    for (std::size_t r = 1; r + 1 < a.offsets.size(); ++r)
      if (random.below(1 + seed) < 2) a.offsets[r] = static_cast<std::int64_t>(random.below(4000)) - 1000;
    auto const x = small_values<double>(a.columns * 4, 3);
    matrix<double> const m(a);
    each_tuning([&](cpu::tuning const& how) {
      for (int threads = 1; threads <= most_threads; ++threads) {
        result<double> y(std::vector<double>(400 * 4), 1);
        spmm<4>(cpu::on(threads).with(how), m.view(), x, y.y());
        EXPECT_TRUE(y.intact());
      }
    });
  }
}
