// Products by a plan against a plain loop over the rows, and which columns it keeps against counting.
#include <complex>
#include <lookback/scan.hpp>
#include <map>
#include <utility>

#include "compare.hpp"
#include "fixture.hpp"
#include "plans.hpp"
#include "refused.hpp"
#include "sparse.hpp"

using namespace harness;
using lookback::index_t;

namespace {

/// Whatever its size.
lookback::keeping const always{.least_reads = 1, .least_size = 1, .least_each = 1, .least_share = 0};

struct most_kept {
  index_t columns = 0;
  double share = 0;
};
/// The columns with the most nonzeros, but of those with equally many all or none.
template <class Value>
most_kept most_read(sparse<Value> const& a, index_t most, index_t least_each) {
  std::map<std::size_t, index_t> counts;
  for (auto const c : a.column_indices) ++counts[c];
  std::map<index_t, index_t, std::greater<>> columns_by_count;
  for (auto const& [column, count] : counts) ++columns_by_count[count];
  most_kept found;
  index_t nonzeros = 0;
  for (auto const& [count, columns] : columns_by_count) {
    if (count < least_each || found.columns + columns > most) break;
    found.columns += columns, nonzeros += columns * count;
  }
  found.share = static_cast<double>(nonzeros) / static_cast<double>(a.values.size());
  return found;
}
/// Is anything renamed by a plan of that type, on this device?
template <class Plan>
bool renames() {
  return std::remove_cvref_t<decltype(std::declval<Plan const&>().most_read())>::device_has_room();
}

}  // namespace

template <class T>
struct spmv_plan_types : on_device {};
using plan_kinds =
    ::testing::Types<matrix_kind<float, std::int32_t, std::int32_t>, matrix_kind<double, std::int64_t, std::int64_t>,
                     matrix_kind<std::complex<double>, std::int32_t, std::int32_t>, matrix_kind<float, std::int16_t, std::int64_t>,
                     matrix_kind<std::complex<float>, std::int64_t, std::int32_t>,
                     matrix_kind<std::int8_t, std::int32_t, std::int32_t>>;
TYPED_TEST_SUITE(spmv_plan_types, plan_kinds);

TYPED_TEST(spmv_plan_types, equals_the_plain_loop) {
  using value = typename TypeParam::value;
  std::size_t const rows = up_to(150'011);
  for (std::size_t const columns : {std::size_t{1}, std::size_t{13}, std::size_t{8'009}, std::size_t{20'011}, rows}) {
    if (columns > std::size_t{std::numeric_limits<typename TypeParam::column>::max()}) continue;
    SCOPED_TRACE(std::to_string(columns) + " columns");
    auto const a = power_law<value>(rows, columns, 5);
    auto const want_kept = most_read(a, lookback::detail::cached_elements(lookback::detail::planned_bytes<value>), 1);
    auto const x = small_values<value>(columns, 3);
    auto const want = multiplied_rows(a, x, 1);
    for (std::size_t const misaligned : {0, 1}) {
      placed<value, typename TypeParam::column, typename TypeParam::offset> const matrix(a, misaligned);
      array<value> const from(x, misaligned);
      each_policy([&](auto const& on) {
        lookback::spmv_plan const plan(on, matrix.view(), always);
        bool const keeps = renames<decltype(plan)>();
        EXPECT_EQ(plan.cached_columns(), keeps ? want_kept.columns : 0);
        EXPECT_EQ(plan.cached_share(), keeps ? want_kept.share : 0);
        array<value> y(a.rows(), misaligned);
        for (int k = 0; k < 2; ++k) lookback::spmv(on, plan, from, y);
        wait(on);
        EXPECT_TRUE(same(y.host(), want));
        EXPECT_TRUE(y.intact());
      });
    }
  }
}

struct spmv_plan : on_device {};
using matrix_of_doubles = placed<double, std::int32_t, std::int32_t>;

/// Rows of every length, many tiles and one: those of the plain products.
TEST_F(spmv_plan, rows_of_every_shape) {
  for (auto const& [name, lengths, columns] : matrices()) {
    SCOPED_TRACE(name);
    auto const a = random_matrix_of<double>(lengths, columns, lengths.size());
    auto const x = small_values<double>(columns, 3);
    auto const want = multiplied_rows(a, x, 1);
    matrix_of_doubles const matrix(a, 1);
    array<double> const from(x);
    each_number_of_passes([&](auto const& on) {
      lookback::spmv_plan const plan(on, matrix.view(), always);
      array<double> y(a.rows(), 1);
      lookback::spmv(on, plan, from, y);
      wait(on);
      EXPECT_TRUE(same(y.host(), want));
      EXPECT_TRUE(y.intact());
    });
  }
}

/// Scalars, semirings, x of other types.
TEST_F(spmv_plan, multiplies_as_without_it) {
  auto a = power_law<double>(up_to(30'011), 8'009, 5);
  auto const x = small_values<double>(a.columns, 3), before = small_values<double>(a.rows(), 4);
  auto const narrow = small_values<float>(a.columns, 3);
  auto const narrowest = small_values<std::int16_t>(a.columns, 3);
  auto const wide = small_values<std::complex<double>>(a.columns, 3);
  array<double> const from(x);
  array<float> const from_narrow(narrow);
  array<std::int16_t> const from_narrowest(narrowest);
  array<std::complex<double>> const from_wide(wide);
  matrix_of_doubles const matrix(a);
  auto const sums = multiplied_rows(a, x, 1);
  std::vector<double> scaled;
  for (std::size_t r = 0; r < a.rows(); ++r) scaled.push_back(2 * sums[r] - before[r]);
  lookback::min_plus<double> const ring{};
  auto const shortest = multiplied_rows(a, x, 1, std::numeric_limits<double>::infinity(), ring.add, ring.multiply);
  auto const of_narrow = multiplied_rows(a, std::vector<double>(narrow.begin(), narrow.end()), 1),
             of_narrowest = multiplied_rows(a, std::vector<double>(narrowest.begin(), narrowest.end()), 1);
  std::vector<std::complex<double>> of_wide(a.rows());
  for (std::size_t r = 0; r < a.rows(); ++r)
    for (auto k = static_cast<std::size_t>(a.offsets[r]); k < static_cast<std::size_t>(a.offsets[r + 1]); ++k)
      of_wide[r] += a.values[k] * wide[a.column_indices[k]];
  each_policy([&](auto const& on) {
    lookback::spmv_plan const plan(on, matrix.view(), always);
    array<double> y(before);
    lookback::spmv(on, plan, from, y, 2.0, -1.0);
    wait(on);
    EXPECT_TRUE(same(y.host(), scaled));
    lookback::spmv(on, plan, from, y, ring);
    wait(on);
    EXPECT_TRUE(same(y.host(), shortest));
    lookback::spmv(on, plan, from_narrow, y);
    wait(on);
    EXPECT_TRUE(same(y.host(), of_narrow));
    lookback::spmv(on, plan, from_narrowest, y);
    wait(on);
    EXPECT_TRUE(same(y.host(), of_narrowest));
    array<std::complex<double>> complex_y(a.rows());
    lookback::spmv(on, plan, from_wide, complex_y);
    wait(on);
    EXPECT_TRUE(same(complex_y.host(), of_wide));
  });
}

/// Values are read when a product is made, not when the plan is.
TEST_F(spmv_plan, values_may_change) {
  auto const a = power_law<double>(up_to(30'011), 8'009, 5);
  auto doubled = a;
  std::vector<double> differences;
  for (double last = 0; auto& v : doubled.values) v *= 2, differences.push_back(v - last), last = v;
  auto const x = small_values<double>(a.columns, 3);
  matrix_of_doubles const matrix(a);
  array<double> const from(x), steps(differences);
  each_policy([&](auto const& on) {
    auto const rows = static_cast<index_t>(a.rows()), columns = static_cast<index_t>(a.columns);
    array<double> changing(a.values);
    lookback::spmv_plan const plan(on, lookback::csr_view{rows, columns, matrix.offsets, matrix.column_indices, changing}, always);
    array<double> y(a.rows());
    lookback::inclusive_scan(on, steps, changing);
    lookback::spmv(on, plan, from, y);
    wait(on);
    EXPECT_TRUE(same(y.host(), multiplied_rows(doubled, x, 1)));
  });
}

/// Where columns are kept products read the plan's own indices, not the matrix's; a plan that has been moved from keeps none.
TEST_F(spmv_plan, reads_its_own_columns) {
  auto const a = power_law<double>(up_to(30'011), 8'009, 5);
  auto const x = small_values<double>(a.columns, 3);
  auto const want = multiplied_rows(a, x, 1);
  matrix_of_doubles const matrix(a);
  array<double> const from(x);
  array<std::int32_t> const zeros(std::vector<std::int32_t>(a.values.size()));
  each_policy([&](auto const& on) {
    auto const rows = static_cast<index_t>(a.rows()), columns = static_cast<index_t>(a.columns);
    array<std::int32_t> changing(std::vector<std::int32_t>(a.column_indices.begin(), a.column_indices.end()));
    lookback::spmv_plan made(on, lookback::csr_view{rows, columns, matrix.offsets, changing, matrix.values}, always);
    auto const plan = std::move(made);
    EXPECT_EQ(made.cached_columns(), 0);
    EXPECT_EQ(made.cached_share(), 0);
    array<double> y(a.rows()), of_moved(a.rows());
    lookback::spmv(on, made, from, of_moved);
    wait(on);
    EXPECT_TRUE(same(of_moved.host(), want));
    if (!renames<decltype(plan)>()) return;
    EXPECT_GT(plan.cached_columns(), 0);
    lookback::inclusive_scan(on, zeros, changing);
    lookback::spmv(on, plan, from, y);
    wait(on);
    EXPECT_TRUE(same(y.host(), want));
  });
}

/// Where it would not pay nothing is kept: few reads, small arrays, columns that all have as many, none often enough.
TEST_F(spmv_plan, keeps_what_pays) {
  auto const a = power_law<double>(up_to(30'011), 8'009, 5);
  auto const nonzeros = static_cast<index_t>(a.values.size());
  matrix_of_doubles const matrix(a);
  each_policy([&](auto const& on) {
    auto const kept_of = [&](lookback::keeping const& when) {
      return lookback::spmv_plan(on, matrix.view(), when).cached_columns();
    };
    EXPECT_EQ(lookback::spmv_plan(on, matrix.view()).cached_columns(), 0);
    auto when = always;
    when.least_reads = nonzeros + 1;
    EXPECT_EQ(kept_of(when), 0);
    when = always, when.least_size = 8'010;
    EXPECT_EQ(kept_of(when), 0);
    when = always, when.least_share = 1;
    EXPECT_EQ(kept_of(when), 0);
    when = always, when.least_each = nonzeros;
    EXPECT_EQ(kept_of(when), 0);
    if (!renames<decltype(lookback::spmv_plan(on, matrix.view()))>()) return;
    for (index_t const each : {1, 2, 10, 100}) {
      when = always, when.least_each = each, when.least_reads = nonzeros, when.least_size = 8'009;
      EXPECT_EQ(kept_of(when), most_read(a, lookback::detail::cached_elements(sizeof(double)), each).columns)
          << "at least " << each;
    }
  });
  auto uniform = a;
  std::size_t k = 0;
  for (auto& c : uniform.column_indices) c = k++ % 8'009;
  uniform.column_indices.resize(8'009 * 10), uniform.values.resize(8'009 * 10), uniform.offsets = {0, 8'009 * 10};
  matrix_of_doubles const evenly(uniform);
  each_policy([&](auto const& on) { EXPECT_EQ(lookback::spmv_plan(on, evenly.view(), always).cached_columns(), 0); });
}

/// Signs of columns are needed for names: unsigned ones stay as they are.
TEST_F(spmv_plan, unsigned_columns_are_left) {
  auto const a = power_law<double>(up_to(30'011), 8'009, 5);
  auto const x = small_values<double>(a.columns, 3);
  placed<double, std::uint16_t, std::int32_t> const matrix(a);
  array<double> const from(x);
  each_policy([&](auto const& on) {
    lookback::spmv_plan const plan(on, matrix.view(), always);
    EXPECT_EQ(plan.cached_columns(), 0);
    array<double> y(a.rows());
    lookback::spmv(on, plan, from, y);
    wait(on);
    EXPECT_TRUE(same(y.host(), multiplied_rows(a, x, 1)));
  });
}

/// The bits of products without a plan.
TEST_F(spmv_plan, reproducible_as_without_it) {
  auto a = power_law<float>(up_to(30'011), 8'009, 5);
  generator random(5);
  auto const real = [&] { return static_cast<float>(static_cast<double>(random.below(1u << 24)) * 0x1p-23 - 1); };
  for (auto& v : a.values) v = real();
  std::vector<float> x(a.columns);
  for (auto& v : x) v = real();
  placed<float, std::int32_t, std::int32_t> const matrix(a);
  array<float> const from(x);
  each_reproducible_policy_by_ends([&](auto const& on) {
    lookback::spmv_plan const plan(on, matrix.view(), always);
    array<float> y(a.rows()), planned(a.rows());
    lookback::spmv(on, matrix.view(), from, y);
    lookback::spmv(on, plan, from, planned);
    wait(on);
    EXPECT_TRUE(same(planned.host(), y.host()));
  });
}

TEST_F(spmv_plan, refuses_what_does_not_match) {
  auto const a = random_matrix_of<double>({3, 0, 2}, 4, 1);
  matrix_of_doubles const matrix(a);
  array<double> x(small_values<double>(4, 1)), short_x(small_values<double>(3, 1)), y(std::size_t{3}), short_y(std::size_t{2});
  each_policy([&](auto const& on) {
    lookback::spmv_plan const plan(on, matrix.view(), always);
    expect_refused(
        y, [&] { lookback::spmv(on, plan, short_x, y); }, "expected: x has an element for every column: at least 4, found 3");
    expect_refused(
        short_y, [&] { lookback::spmv(on, plan, x, short_y); }, "y has an element for every row: at least 3, found 2");
    expect_refused(x, [&] { lookback::spmv(on, plan, x, x); });
    auto changed = matrix.view();
    changed.rows = 2;
    expect_refused(
        y, [&] { lookback::spmv_plan const refused(on, changed, always); }, "one more offset than there are rows: 3, found 4");
    changed.rows = std::numeric_limits<index_t>::max();
    expect_refused(
        y, [&] { lookback::spmv_plan const refused(on, changed, always); }, "fewer than 2^63 - 1 rows");
  });
}
