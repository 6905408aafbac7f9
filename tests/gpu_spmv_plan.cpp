// What a plan of the GPU holds and how long: its renamed columns, indices that are none, captured graphs, streams.
#include <limits>
#include <lookback/spmv_plan.cuh>
#include <map>
#include <optional>
#include <set>

#include "compare.hpp"
#include "fixture.hpp"
#include "graph.hpp"
#include "sparse.hpp"

using namespace harness;
using lookback::index_t;

namespace {

struct gpu_spmv_plan : on_device {};
using matrix_of_doubles = placed<double, std::int32_t, std::int32_t>;
/// Else no plan keeps anything, as spmv_plan.cpp sees.
bool has_room() { return lookback::gpu::most_read<std::int32_t>::device_has_room(); }
lookback::keeping const whatever_its_size{.least_reads = 1, .least_size = 1, .least_each = 1, .least_share = 0};

template <class Plan>
std::vector<std::int32_t> renamed_columns(Plan const& plan) {
  std::vector<std::int32_t> columns(plan.matrix().column_indices.size());
  check(cudaMemcpy(columns.data(), plan.most_read().renamed(), columns.size() * sizeof(std::int32_t), cudaMemcpyDeviceToHost));
  return columns;
}

/// Every name stands for one column, and every kept column has one: no other nonzero is renamed.
template <class Plan>
void expect_names(Plan const& plan, std::vector<std::int32_t> const& columns) {
  auto const renamed = renamed_columns(plan);
  std::map<std::int32_t, std::int32_t> column_of, name_of;
  std::size_t nonzeros = 0;
  for (std::size_t k = 0; k < columns.size(); ++k) {
    if (renamed[k] == columns[k]) {
      ASSERT_FALSE(name_of.count(columns[k])) << "nonzero " << k << " keeps the column " << columns[k];
      continue;
    }
    ++nonzeros;
    ASSERT_LT(renamed[k], 0);
    ASSERT_LT(~renamed[k], plan.cached_columns());
    ASSERT_EQ(column_of.emplace(renamed[k], columns[k]).first->second, columns[k]);
    ASSERT_EQ(name_of.emplace(columns[k], renamed[k]).first->second, renamed[k]);
  }
  EXPECT_EQ(static_cast<index_t>(name_of.size()), plan.cached_columns());
  EXPECT_EQ(static_cast<double>(nonzeros) / static_cast<double>(columns.size()), plan.cached_share());
}

}  // namespace

TEST_F(gpu_spmv_plan, renames_what_it_keeps_and_nothing_else) {
  if (!has_room()) return;
  auto const a = power_law<double>(up_to(30'011), 8'009, 5);
  matrix_of_doubles const matrix(a);
  lookback::spmv_plan const plan(lookback::gpu::on(stream()), matrix.view(), whatever_its_size);
  EXPECT_GT(plan.cached_columns(), 2'000);
  expect_names(plan, matrix.column_indices.host());
}

/// Nobody has checked indices: those outside of the matrix touch nothing, and keep what they are.
TEST_F(gpu_spmv_plan, indices_of_no_column_are_left) {
  if (!has_room()) return;
  auto const a = power_law<double>(up_to(30'011), 8'009, 5);
  matrix_of_doubles const matrix(a);
  auto lying = matrix.column_indices.host();
  for (std::size_t k = 0; k < lying.size(); k += 7) lying[k] = k % 2 ? 8'009 : std::numeric_limits<std::int32_t>::max();
  for (std::size_t k = 3; k < lying.size(); k += 7) lying[k] = k % 2 ? -1'000'000 : std::numeric_limits<std::int32_t>::min();
  array<std::int32_t> const columns(lying);
  auto view = matrix.view();
  view.column_indices = {columns.data(), columns.size()};
  lookback::spmv_plan const plan(lookback::gpu::on(stream()), view, whatever_its_size);
  EXPECT_GT(plan.cached_columns(), 2'000);
  expect_names(plan, lying);
}

/// The limits that hold where nobody gives any: a power law of 12 M nonzeros and a column more or less.
TEST_F(gpu_spmv_plan, large_power_laws_are_kept) {
  if (!has_room() || small()) return;  // the number is what is tested
  auto const least = static_cast<std::size_t>(lookback::keeping{}.least_reads);
  auto a = power_law<double>(2'600'000, 1 << 16, 5);
  ASSERT_GT(a.values.size(), least);
  for (std::size_t k = a.values.size() / 4 * 3; k < a.values.size(); k += 3) a.column_indices[k] = 7;  // often, but late
  matrix_of_doubles const matrix(a);
  auto const on = lookback::gpu::on(stream());
  auto view = matrix.view();
  {
    lookback::spmv_plan const plan(on, view);
    EXPECT_GT(plan.cached_columns(), 1'000);
    expect_names(plan, matrix.column_indices.host());
  }
  view.columns -= 1;
  EXPECT_EQ(lookback::spmv_plan(on, view).cached_columns(), 0);
  view.columns += 1;
  view.column_indices = view.column_indices.first(least - 1), view.values = view.values.first(least - 1);
  EXPECT_EQ(lookback::spmv_plan(on, view).cached_columns(), 0);
}

/// A column that every other nonzero is in is in the first cache anyway: it pays for nothing, but is kept where others do.
TEST_F(gpu_spmv_plan, columns_that_are_near_anyway_pay_for_nothing) {
  if (!has_room()) return;
  auto a = power_law<double>(up_to(30'011), 8'009, 5);
  auto with_share = whatever_its_size;
  with_share.least_share = 0.3;
  auto const on = lookback::gpu::on(stream());
  double share = 0;
  auto const kept_of = [&](lookback::keeping const& when) {
    matrix_of_doubles const matrix(a);
    lookback::spmv_plan const plan(on, matrix.view(), when);
    share = plan.cached_share();
    if (plan.cached_columns() > 0) expect_names(plan, matrix.column_indices.host());
    return plan.cached_columns();
  };
  with_share.near_of = 10;  // a column of a tenth of these nonzeros there is none
  EXPECT_GT(kept_of(with_share), 2'000);
  for (std::size_t k = 0; k < a.column_indices.size(); ++k)
    if (k % 4 != 0) a.column_indices[k] = 7;
  EXPECT_EQ(kept_of(with_share), 0) << "a quarter of the nonzeros is elsewhere";
  with_share.least_share = 0.2;
  EXPECT_GT(kept_of(with_share), 1'000) << "most of that quarter is in columns that are kept";
  EXPECT_GT(share, 0.75 + 0.2) << "and so is the column that does not count";
  with_share.least_share = 0.3, with_share.near_of = 1;  // more than all: nothing is near
  EXPECT_GT(kept_of(with_share), 1'000);
}

/// One of 1024 is not yet near, one more is.
TEST_F(gpu_spmv_plan, near_begins_behind_its_share) {
  if (!has_room()) return;
  std::size_t const nonzeros = 10'240;
  auto const kept_of = [&](std::size_t each) {
    sparse<double> a;
    a.columns = nonzeros, a.offsets = {0, nonzeros}, a.values.assign(nonzeros, 1);
    for (std::size_t k = 0; k < nonzeros; ++k) a.column_indices.push_back(k < 500 * each ? k % 500 : k);
    matrix_of_doubles const matrix(a);
    auto half = whatever_its_size;
    half.least_each = 2, half.least_share = 0.4, half.near_of = 1024;
    return lookback::spmv_plan(lookback::gpu::on(stream()), matrix.view(), half).cached_columns();
  };
  EXPECT_EQ(kept_of(10), 500);
  EXPECT_EQ(kept_of(11), 0);
}

/// Near would be all columns of two nonzeros, more than there is room for: then only those are of which there cannot be too many.
TEST_F(gpu_spmv_plan, not_more_is_near_than_there_is_room_for) {
  if (!has_room()) return;
  auto const a = power_law<double>(up_to(30'011), 8'009, 5);
  matrix_of_doubles const matrix(a);
  auto when = whatever_its_size;
  when.near_of = std::ssize(a.values);
  lookback::spmv_plan const plan(lookback::gpu::on(stream()), matrix.view(), when);
  EXPECT_GT(plan.cached_columns(), 2'000);
  expect_names(plan, matrix.column_indices.host());
}

/// Classes of several counts: what is numbered is what was counted, even where the last class is the only one that fits.
TEST_F(gpu_spmv_plan, as_many_are_named_as_are_kept) {
  if (!has_room()) return;
  std::int32_t const most = 16;  // of 600'000 indices: classes of three counts, the last one from 37'500 on
  using indices = lookback::gpu::most_read<std::int32_t>;
  auto const kept_of = [&](std::vector<std::int32_t> const& times) {
    std::vector<std::int32_t> asked;
    for (std::size_t k = 0; k < times.size(); ++k)
      asked.insert(asked.end(), static_cast<std::size_t>(times[k]), static_cast<std::int32_t>(k));
    array<std::int32_t> const from(asked);
    indices const kept(from.data(), std::ssize(asked), std::ssize(times), most, whatever_its_size, stream());
    std::vector<std::int32_t> renamed(asked.size());
    check(cudaMemcpy(renamed.data(), kept.renamed(), renamed.size() * sizeof(std::int32_t), cudaMemcpyDeviceToHost));
    std::set<std::int32_t> names;
    for (auto const name : renamed)
      if (name < 0) names.insert(name);
    EXPECT_EQ(std::ssize(names), kept.cached());
    if (!names.empty()) EXPECT_EQ(~*names.begin(), kept.cached() - 1);
    return kept.cached();
  };
  EXPECT_EQ(kept_of(std::vector<std::int32_t>(16, 37'500)), 16);
  std::vector<std::int32_t> one_less(16, 37'500);
  one_less[3] -= 1, one_less[5] += 1;
  EXPECT_EQ(kept_of(one_less), 16);
  std::vector<std::int32_t> halves(15, 37'500);
  halves.resize(17, 18'750);
  EXPECT_EQ(kept_of(halves), 15);
  array<std::int32_t> const one(1);
  EXPECT_THROW(indices(one.data(), 1, 1, 1 << 14, whatever_its_size, stream()), lookback::invalid_argument);
}

/// As often as it is replayed, with the x of then; and a plan that is destroyed leaves what is queued on its stream to end.
TEST_F(gpu_spmv_plan, products_are_captured_and_outlive_it) {
  if (!has_room()) return;
  auto const a = power_law<double>(up_to(30'011), 8'009, 5);
  auto const x = small_values<double>(a.columns, 3);
  auto const want = multiplied_rows(a, x, 1);
  matrix_of_doubles const matrix(a);
  array<double> const from(x);
  lookback::gpu::workspace workspace;
  workspace.reserve(lookback::gpu::scratch_bytes(std::ssize(a.values) + std::ssize(a.offsets), 8), stream());
  auto const on = lookback::gpu::on(stream()).with(workspace);
  std::optional<decltype(lookback::spmv_plan(on, matrix.view()))> plan;
  plan.emplace(on, matrix.view(), whatever_its_size);
  ASSERT_GT(plan->cached_columns(), 0);
  array<double> y(a.rows());
  {
    graph const replay([&] { lookback::spmv(on, *plan, from, y); });
    for (int k = 0; k < 3; ++k) {
      check(cudaMemsetAsync(y.data(), 0, a.rows() * sizeof(double), stream()));
      replay.launch();
      wait(on);
      EXPECT_TRUE(same(y.host(), want));
    }
  }
  array<double> last(a.rows());
  for (int k = 0; k < 20; ++k) lookback::spmv(on, *plan, from, y);
  lookback::spmv(on, *plan, from, last);
  plan.reset();
  wait(on);
  EXPECT_TRUE(same(last.host(), want));
}

/// Room for what a plan keeps is reserved, also where less has been lent before that would do for the call alone.
TEST_F(gpu_spmv_plan, a_workspace_that_was_used_for_less_is_large_enough) {
  auto const bytes = lookback::gpu::scratch_bytes(1'000, 8);
  lookback::gpu::workspace workspace;
  ASSERT_NE(workspace.lend(33 << 10, stream()), nullptr);
  workspace.take_back();
  ASSERT_LT(bytes / 2, (33 << 10) * 3 / 2) << "what was lent before would do for the call";
  workspace.reserve(bytes, stream());
  graph const none([&] { EXPECT_NE(workspace.lend(lookback::detail::cached_bytes(4), stream()), nullptr); });
  workspace.take_back();
}

TEST_F(gpu_spmv_plan, a_direction_is_refused_before_anything_is_queued) {
  if (!has_room()) return;
  auto const a = power_law<double>(up_to(30'011), 8'009, 5);
  matrix_of_doubles const matrix(a);
  array<double> const from(small_values<double>(a.columns, 3));
  array<double> y(a.rows());
  lookback::gpu::workspace workspace;
  auto const on = lookback::gpu::on(stream()).with(workspace);
  lookback::spmv_plan const plan(on, matrix.view(), whatever_its_size);
  ASSERT_GT(plan.cached_columns(), 0);
  lookback::spmv(on, plan, from, y);
  wait(on);
  graph const none(
      [&] { EXPECT_THROW(lookback::spmv(on.with(lookback::right_to_left), plan, from, y), lookback::invalid_argument); });
  std::size_t nodes = 1;
  check(cudaGraphGetNodes(none.made, nullptr, &nodes));
  EXPECT_EQ(nodes, 0u);
}

/// Larger tiles than the default's leave no room: products are those without a plan.
TEST_F(gpu_spmv_plan, another_tuning_multiplies_as_without_it) {
  if (!has_room()) return;
  auto const a = power_law<double>(up_to(30'011), 8'009, 5);
  auto const x = small_values<double>(a.columns, 3);
  matrix_of_doubles const matrix(a);
  array<double> const from(x);
  auto const on = lookback::gpu::on(stream());
  lookback::spmv_plan const plan(on, matrix.view(), whatever_its_size);
  ASSERT_GT(plan.cached_columns(), 0);
  array<double> y(a.rows());
  lookback::spmv(on.with(lookback::gpu::tuning<512, 112, 3, 1>{}), plan, from, y);
  wait(on);
  EXPECT_TRUE(same(y.host(), multiplied_rows(a, x, 1)));
}
