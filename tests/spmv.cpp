// Sparse matrix times vector against a plain loop over the rows.
#include <complex>
#include <limits>
#include <lookback/spmv.hpp>
#include <numeric>

#include "compare.hpp"
#include "fixture.hpp"
#include "refused.hpp"
#include "sparse.hpp"

using namespace harness;
using lookback::index_t;

template <class T>
struct spmv_types : on_device {};
using kinds = std::conditional_t<
    sanitized, ::testing::Types<matrix_kind<std::complex<float>, std::int64_t, std::int64_t>>,  // cpu_rows has real ones
    ::testing::Types<matrix_kind<double, std::int32_t, std::int32_t>, matrix_kind<float, std::int32_t, std::int64_t>,
                     matrix_kind<std::int32_t, std::uint16_t, std::uint32_t>, matrix_kind<std::int64_t, std::int64_t, std::int64_t>,
                     matrix_kind<std::complex<float>, std::int32_t, std::int32_t>,
                     matrix_kind<std::complex<double>, std::int32_t, std::int32_t>>>;
TYPED_TEST_SUITE(spmv_types, kinds);

TYPED_TEST(spmv_types, equals_the_plain_loop) {
  using value = typename TypeParam::value;
  using column = typename TypeParam::column;
  for (auto const& [name, lengths, columns] : matrices())
    for (std::size_t const misaligned : {0, 1}) {
      if (columns > std::size_t{std::numeric_limits<column>::max()}) continue;
      SCOPED_TRACE(name + ", misaligned by " + std::to_string(misaligned));
      auto const a = random_matrix_of<value>(lengths, columns, lengths.size());
      auto const x = small_values<value>(columns, 3);
      auto const want = multiplied_rows(a, x, 1);
      placed<value, column, typename TypeParam::offset> const matrix(a, misaligned);
      array<value> const from(x, misaligned);
      each_policy([&](auto const& on) {
        array<value> y(a.rows(), misaligned);
        lookback::spmv(on, matrix.view(), from, y);
        wait(on);
        EXPECT_TRUE(same(y.host(), want));
        EXPECT_TRUE(y.intact());
      });
    }
}

struct spmv : on_device {};

/// More tiles than all workers hold at once, by every strategy: short rows, long ones that many tiles are part of, and empty ones.
template <class Value>
void many_waves() {
  std::size_t const steps = up_to(std::size_t{24'000'000} / sizeof(Value));
  auto lengths = geometric_lengths(steps / 8, 2, 7);
  for (std::size_t r = 0; r < lengths.size(); ++r) {
    if (r / 1000 % 7 == 3) lengths[r] = 0;
    if (r % 20'011 == 20'000) lengths[r] = 30'000;
  }
  lengths[lengths.size() / 2] = steps / 2;
  auto const a = random_matrix_of<Value>(lengths, 4099, 8);
  auto const x = small_values<Value>(a.columns, 3);
  auto const want = multiplied_rows(a, x, 1);
  placed<Value, std::int32_t, std::int32_t> const matrix(a, 1);
  array<Value> const from(x);
  each_number_of_passes([&](auto const& on) {
    array<Value> y(a.rows(), 1);
    lookback::spmv(on, matrix.view(), from, y);
    wait(on);
    EXPECT_TRUE(same(y.host(), want));
    EXPECT_TRUE(y.intact());
  });
}
TEST_F(spmv, many_waves_of_tiles) { many_waves<double>(); }
TEST_F(spmv, many_waves_of_tiles_of_complex_numbers) { many_waves<std::complex<double>>(); }

static_assert(lookback::detail::keeps_precision<float, lookback::complex<float>>);
static_assert(!lookback::detail::keeps_precision<double, lookback::complex<float>>, "refused when it is compiled");
static_assert(!lookback::detail::keeps_precision<std::int32_t, lookback::complex<float>>);
static_assert(lookback::detail::keeps_precision<std::int32_t, lookback::complex<double>>);

/// What is added is wider than what the matrix holds, so that it has no place there.
TEST_F(spmv, values_narrower_than_their_products) {
  auto const check = [&]<class Value, class T>(Value, T) {
    auto const a = random_matrix_of<Value>(geometric_lengths(up_to(40'011), 5, 5), 1009, 8);
    auto const x = small_values<T>(a.columns, 3);
    std::vector<T> want;
    for (std::size_t r = 0; r < a.rows(); ++r) {
      T sum{};
      for (auto k = static_cast<std::size_t>(a.offsets[r]); k < static_cast<std::size_t>(a.offsets[r + 1]); ++k)
        sum = sum + static_cast<T>(a.values[k]) * x[a.column_indices[k]];
      want.push_back(sum);
    }
    for (std::size_t const misaligned : {0, 1}) {
      placed<Value, std::uint16_t, std::int64_t> const matrix(a, misaligned);
      array<T> const from(x);
      each_policy([&](auto const& on) {
        array<T> y(a.rows(), misaligned);
        lookback::spmv(on, matrix.view(), from, y);
        wait(on);
        EXPECT_TRUE(same(y.host(), want));
        EXPECT_TRUE(y.intact());
      });
    }
  };
  check(float{}, double{});
  check(std::int8_t{}, std::int32_t{});
  check(double{}, std::complex<double>{});
}

/// Offsets that decrease or leave the matrix give results that are not told, and touch nothing else.
TEST_F(spmv, offsets_that_lie_touch_nothing_else) {
  std::size_t const rows = up_to(100'003);
  auto const a = random_matrix_of<double>(std::vector<std::size_t>(rows, 3), 1009, 8);
  auto const x = small_values<double>(a.columns, 3);
  auto const nonzeros = static_cast<std::int64_t>(a.values.size());
  generator random(6);
  std::vector<std::vector<std::int64_t>> lies(3, std::vector<std::int64_t>(rows + 1));
  for (std::size_t k = 0; k <= rows; ++k) {
    lies[0][k] = k <= rows / 2 && k > 0 ? nonzeros : 0;
    lies[1][k] = nonzeros - static_cast<std::int64_t>(3 * k);
    lies[2][k] = static_cast<std::int64_t>(random.next());
  }
  array<double> const from(x);
  for (auto const& lie : lies) {
    auto lying = a;
    lying.offsets = lie;
    placed<double, std::int32_t, std::int64_t> const matrix(lying);
    each_policy([&](auto const& on) {
      array<double> y(rows, 1);
      lookback::spmv(on, matrix.view(), from, y);
      wait(on);
      EXPECT_TRUE(y.intact());
    });
  }
}

using matrix_of_doubles = placed<double, std::int32_t, std::int32_t>;

/// y = alpha A x + beta y; with beta 0 y may hold anything.
TEST_F(spmv, adds_to_what_is_there) {
  auto const a = random_matrix_of<double>(geometric_lengths(up_to(20'011), 4, 5), 1009, 8);
  auto const x = small_values<double>(a.columns, 3), before = small_values<double>(a.rows(), 4);
  auto const sums = multiplied_rows(a, x, 1);
  matrix_of_doubles const matrix(a);
  array<double> const from(x);
  each_policy([&](auto const& on) {
    for (double const alpha : {1.0, -2.0, 0.0})
      for (double const beta : {0.0, 1.0, 0.5}) {
        SCOPED_TRACE(std::to_string(alpha) + " and " + std::to_string(beta));
        std::vector<double> want;
        for (std::size_t r = 0; r < a.rows(); ++r) want.push_back(alpha * sums[r] + beta * before[r]);
        auto const unread = std::vector<double>(a.rows(), std::numeric_limits<double>::quiet_NaN());
        array<double> y(beta == 0 ? unread : before, 1);
        lookback::spmv(on, matrix.view(), from, y, alpha, beta);
        wait(on);
        auto got = y.host();
        for (auto& v : got) v += 0.0;  // -0 is as good
        EXPECT_TRUE(same(got, want));
        EXPECT_TRUE(y.intact());
      }
  });
}

/// Shortest paths, reachability, the most likely path: empty rows give what adds nothing.
TEST_F(spmv, over_any_semiring) {
  auto lengths = geometric_lengths(up_to(20'011), 4, 6);
  lengths[3] = 0, lengths[5] = up_to(30'000);
  auto const check = [&]<class T, class Ring>(T, Ring const& ring) {
    auto const a = random_matrix_of<T>(lengths, 1009, 8);
    auto const x = small_values<T>(a.columns, 3), before = small_values<T>(a.rows(), 4);
    T const zero = decltype(ring.add)::identity(), alpha = 2, beta = 1;
    placed<T, std::int32_t, std::int32_t> const matrix(a);
    array<T> const from(x);
    auto const want = multiplied_rows(a, x, 1, zero, ring.add, ring.multiply);
    auto scaled = want, alone = want;
    for (std::size_t r = 0; r < want.size(); ++r) {
      alone[r] = ring.multiply(alpha, want[r]);
      scaled[r] = ring.add(alone[r], ring.multiply(beta, before[r]));
    }
    each_policy([&](auto const& on) {
      array<T> y(a.rows());
      lookback::spmv(on, matrix.view(), from, y, ring);
      wait(on);
      EXPECT_TRUE(same(y.host(), want));
      array<T> more(before);
      lookback::spmv(on, matrix.view(), from, more, alpha, beta, ring);
      wait(on);
      EXPECT_TRUE(same(more.host(), scaled));
      array<T> fresh(before);
      lookback::spmv(on, matrix.view(), from, fresh, alpha, zero, ring);
      wait(on);
      EXPECT_TRUE(same(fresh.host(), alone));
    });
  };
  check(0.0f, lookback::min_plus<float>{});
  check(0.0, lookback::max_times<double>{});
  check(std::uint32_t{0}, lookback::or_and<std::uint32_t>{});
}

/// A column is read where it lies, whatever the values beside it: NaN and infinity stay in their rows.
TEST_F(spmv, keeps_nan_in_its_row) {
  auto a = random_matrix_of<double>(std::vector<std::size_t>(up_to(30'011), 3), 501, 8);
  a.values[3 * 7 + 1] = std::numeric_limits<double>::quiet_NaN();
  a.values[3 * 4000] = std::numeric_limits<double>::infinity();
  auto x = small_values<double>(a.columns, 3);
  for (auto& v : x) v += 4;  // none is 0
  matrix_of_doubles const matrix(a);
  array<double> const from(x);
  auto const want = multiplied_rows(a, x, 1);
  each_number_of_passes([&](auto const& on) {
    array<double> y(a.rows());
    lookback::spmv(on, matrix.view(), from, y);
    wait(on);
    auto const got = y.host();
    for (std::size_t r = 0; r < a.rows(); ++r) {
      bool const equal = r == 7 ? std::isnan(got[r]) : got[r] == want[r];
      ASSERT_TRUE(equal) << "row " << r << ": " << got[r] << ", expected " << want[r];
    }
  });
}

/// Floats within the bound of any order of summation, the same bits on every run.
TEST_F(spmv, floats_within_the_bound_and_steady) {
  auto lengths = geometric_lengths(up_to(20'011), 8, 6);
  lengths[77] = up_to(200'000);
  auto a = random_matrix_of<float>(lengths, 5003, 8);
  generator random(5);
  auto const real = [&] { return static_cast<float>(static_cast<double>(random.below(1u << 24)) * 0x1p-23 - 1); };
  for (auto& v : a.values) v = real();
  std::vector<float> x(a.columns);
  for (auto& v : x) v = real();
  placed<float, std::int32_t, std::int32_t> const matrix(a);
  array<float> const from(x);
  std::vector<float> first;
  each_run([&](auto const& on) {
    array<float> y(a.rows());
    lookback::spmv(on, matrix.view(), from, y);
    wait(on);
    auto const got = y.host();
    if (first.empty()) first = got;
    EXPECT_TRUE(same(got, first));
  });
  for (std::size_t r = 0; r < a.rows(); ++r) {
    double want = 0, magnitude = 0;
    for (auto k = static_cast<std::size_t>(a.offsets[r]); k < static_cast<std::size_t>(a.offsets[r + 1]); ++k) {
      double const product = double{a.values[k]} * double{x[a.column_indices[k]]};
      want += product, magnitude += std::abs(product);
    }
    ASSERT_LE(std::abs(double{first[r]} - want), 16 * magnitude * double{std::numeric_limits<float>::epsilon()}) << "row " << r;
  }
}

TEST_F(spmv, refuses_what_does_not_match) {
  auto const a = random_matrix_of<double>({3, 0, 2}, 4, 1);
  matrix_of_doubles const matrix(a);
  array<double> x(small_values<double>(4, 1)), short_x(small_values<double>(3, 1)), y(std::size_t{3}), short_y(std::size_t{2});
  each_policy([&](auto const& on) {
    auto const view = matrix.view();
    expect_refused(
        y, [&] { lookback::spmv(on, view, short_x, y); }, "expected: x has an element for every column: at least 4, found 3");
    expect_refused(
        short_y, [&] { lookback::spmv(on, view, x, short_y); }, "y has an element for every row: at least 3, found 2");
    expect_refused(x, [&] { lookback::spmv(on, view, x, x); });
    auto changed = view;
    changed.rows = 2;
    expect_refused(
        y, [&] { lookback::spmv(on, changed, x, y); }, "one more offset than there are rows: 3, found 4");
    array<double> long_y(std::size_t{4});
    changed = view, changed.rows = 4;
    expect_refused(
        long_y, [&] { lookback::spmv(on, changed, x, long_y); }, "one more offset than there are rows: 5, found 4");
    changed = view, changed.rows = -1;
    expect_refused(y, [&] { lookback::spmv(on, changed, x, y); });
    changed = view, changed.columns = -1;
    expect_refused(y, [&] { lookback::spmv(on, changed, x, y); });
    std::size_t const very_many = std::size_t{1} << 31;  // refused before anybody looks there
    changed = view, changed.column_indices = {view.column_indices.data(), very_many},
    changed.values = {view.values.data(), very_many};
    try {
      lookback::spmv(on, changed, x, y);
      ADD_FAILURE() << "not refused";
    } catch (lookback::invalid_argument const& refused) {
      EXPECT_NE(std::string(refused.what()).find("fewer than 2^31 nonzeros"), std::string::npos) << refused.what();
    }
    changed = view, changed.column_indices = changed.column_indices.first(4);
    expect_refused(y, [&] { lookback::spmv(on, changed, x, y); });
    array<double> values(a.values);
    auto const own = lookback::csr_view{3, 4, matrix.offsets, matrix.column_indices, values};
    expect_refused(values, [&] { lookback::spmv(on, own, x, values); });
  });
}
