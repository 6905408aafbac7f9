// right_to_left is refused where there is no direction, before anything is written.
#include <lookback/partition_if.hpp>
#include <lookback/reduce_by_key.hpp>
#include <lookback/run_length_decode.hpp>
#include <lookback/run_length_encode.hpp>
#include <lookback/select_if.hpp>
#include <lookback/spmm.hpp>
#include <lookback/spmv.hpp>
#include <lookback/spmv_plan.hpp>
#include <lookback/unique.hpp>

#include "fixture.hpp"
#include "random.hpp"
#include "refused.hpp"

using namespace harness;

struct cpu_direction : on_device {};

constexpr std::size_t number_of_items = 1000;

struct is_positive {
  ON_DEVICE bool operator()(std::int32_t x) const { return x > 0; }
};

TEST_F(cpu_direction, a_direction_is_refused_where_there_is_none) {
  char const* const why = "right_to_left";
  array<std::int32_t> const in(random_values<std::int32_t>(number_of_items, 3));
  array<std::int32_t> const lengths(std::vector<std::int32_t>(number_of_items, 1)), rows(std::vector<std::int32_t>{0, 1, 2, 3}),
      columns(std::vector<std::int32_t>{0, 1, 2});
  array<float> const values(std::vector<float>{1, 2, 3}), x(std::vector<float>{1, 2, 3, 4, 5, 6});
  each_policy([&](auto const& policy) {
    auto const on = policy.with(lookback::right_to_left);
    array<std::int32_t> out(number_of_items), second(number_of_items), third(number_of_items);
    array<lookback::index_t> count(3);
    array<float> y(6);
    lookback::csr_view const matrix{3, 3, rows, columns, values};
    expect_refused(
        out, [&] { lookback::select_if(on, in, out, is_positive{}); }, why);
    expect_refused(
        out, [&] { lookback::select_if_async(on, in, out, is_positive{}, count.data()); }, why);
    expect_refused(
        out, [&] { lookback::select_if(on, in, lookback::stencil(in), out, is_positive{}); }, why);
    expect_refused(
        out, [&] { lookback::select_flagged(on, in, lengths, out); }, why);
    expect_refused(
        out, [&] { lookback::partition_if(on, in, out, second, is_positive{}); }, why);
    expect_refused(
        out, [&] { lookback::partition_if(on, in, out, is_positive{}); }, why);
    expect_refused(
        out, [&] { lookback::partition_if(on.with(lookback::stable), in, out, is_positive{}); }, why);
    expect_refused(
        out, [&] { lookback::partition_if(on, in, out, second, third, is_positive{}, is_positive{}); }, why);
    expect_refused(
        out, [&] { lookback::unique(on, in, out); }, why);
    expect_refused(
        out, [&] { lookback::unique_by_key(on, in, in, out, second); }, why);
    expect_refused(
        out, [&] { lookback::run_length_encode(on, in, out, second); }, why);
    expect_refused(
        out, [&] { lookback::run_length_encode(on, in, out, second, third); }, why);
    expect_refused(
        out, [&] { lookback::non_trivial_runs(on, in, out, second); }, why);
    expect_refused(
        out, [&] { lookback::decoded_size(on, lengths); }, why);
    expect_refused(
        out, [&] { lookback::run_length_decode(on, in, lengths, out); }, why);
    expect_refused(
        out, [&] { lookback::run_length_decode_async(on, in, lengths, out, count.data()); }, why);
    expect_refused(
        out, [&] { lookback::reduce_by_key(on, in, in, out, second); }, why);
    expect_refused(
        out, [&] { lookback::segmented_reduce(on, in, lookback::rows_of(10), out); }, why);
    expect_refused(
        y, [&] { lookback::spmv(on, matrix, x, y); }, why);
    expect_refused(
        y, [&] { lookback::spmm<2>(on, matrix, x, y); }, why);
    expect_refused(
        y, [&] { lookback::spmv_plan const plan(on, matrix); }, why);
    lookback::spmv_plan const plan(policy, matrix);
    expect_refused(
        y, [&] { lookback::spmv(on, plan, x, y); }, why);
  });
}
