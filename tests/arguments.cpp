// What calls make of their arguments: standard operators and those of any type, and a direction where there is none.
#include <functional>
#include <lookback/partition_if.hpp>
#include <lookback/reduce_by_key.hpp>
#include <lookback/run_length_decode.hpp>
#include <lookback/run_length_encode.hpp>
#include <lookback/select_if.hpp>
#include <lookback/spmm.hpp>
#include <lookback/spmv.hpp>
#include <lookback/spmv_plan.hpp>
#include <lookback/unique.hpp>

#include "check_scan.hpp"
#include "random.hpp"
#include "refused.hpp"

using namespace harness;

struct arguments : on_device {};

constexpr std::size_t number_of_items = 1000;

static_assert(std::is_same_v<lookback::known_operator_t<lookback::plus<>, float>, lookback::plus<float>>);
static_assert(std::is_same_v<lookback::known_operator_t<std::plus<>, std::int32_t>, lookback::plus<std::int32_t>>);
static_assert(std::is_same_v<lookback::known_operator_t<std::plus<double>, double>, lookback::plus<double>>);
static_assert(std::is_same_v<lookback::known_operator_t<std::multiplies<>, std::int8_t>, lookback::multiplies<std::int8_t>>);
static_assert(std::is_same_v<lookback::known_operator_t<std::bit_xor<>, bool>, lookback::bit_xor<bool>>);
static_assert(std::is_same_v<lookback::known_operator_t<std::plus<double>, float>, std::plus<double>>,
              "another type is another sum");
static_assert(std::is_same_v<lookback::known_operator_t<std::minus<>, int>, std::minus<>>);
static_assert(lookback::is_commutative<lookback::known_operator_t<std::plus<>, std::int64_t>>);

TEST_F(arguments, an_operator_of_any_type_is_that_of_the_items) {
  auto const host = random_values<std::int16_t>(30011, 1);
  array<std::int16_t> const in(host);
  each_policy([&](auto const& on) {
    array<std::int16_t> out(host.size());
    auto const check = [&](auto const& any, auto const& own, char const* name) {
      SCOPED_TRACE(name);
      lookback::inclusive_scan(on, in, out, any);
      EXPECT_TRUE(same(out.host(), oracle::scan<std::int16_t>(host, own, {})));
      lookback::exclusive_scan(on, in, out, any);
      oracle::form<std::int16_t> how{};
      how.exclusive = true, how.initial = own.identity();
      EXPECT_TRUE(same(out.host(), oracle::scan<std::int16_t>(host, own, how)));
    };
    using T = std::int16_t;
    check(lookback::plus<>{}, lookback::plus<T>{}, "plus<>");
    check(lookback::multiplies<>{}, lookback::multiplies<T>{}, "multiplies<>");
    check(lookback::minimum<>{}, lookback::minimum<T>{}, "minimum<>");
    check(lookback::maximum<>{}, lookback::maximum<T>{}, "maximum<>");
    check(lookback::bit_and<>{}, lookback::bit_and<T>{}, "bit_and<>");
    check(lookback::bit_or<>{}, lookback::bit_or<T>{}, "bit_or<>");
    check(lookback::bit_xor<>{}, lookback::bit_xor<T>{}, "bit_xor<>");
    check(std::plus<>{}, lookback::plus<T>{}, "std::plus<>");
    check(std::plus<T>{}, lookback::plus<T>{}, "std::plus<T>");
    check(std::multiplies<>{}, lookback::multiplies<T>{}, "std::multiplies<>");
    check(std::bit_or<T>{}, lookback::bit_or<T>{}, "std::bit_or<T>");
  });
}

TEST_F(arguments, every_verb_with_an_operator_takes_a_standard_one) {
  std::size_t const n = 10007;
  auto const host = random_values<std::int32_t>(n, 2);
  std::vector<std::int32_t> by(n), want(n), sums;
  for (std::size_t i = 0; i < n; ++i) by[i] = static_cast<std::int32_t>(i / 7);
  for (std::size_t i = 0; i < n; ++i) {
    bool const begins = i == 0 || by[i] != by[i - 1];
    want[i] = begins ? host[i] : lookback::plus<std::int32_t>{}(want[i - 1], host[i]);
    if (begins) sums.push_back(0);
    sums.back() = want[i];
  }
  array<std::int32_t> const in(host), keys(by);
  each_policy([&](auto const& on) {
    array<std::int32_t> out(n), keys_out(n), totals(n);
    lookback::inclusive_scan_by_key(on, keys, in, out, std::plus<>{});
    EXPECT_TRUE(same(out.host(), want));
    lookback::exclusive_scan_by_key(on, keys, in, out, std::plus<>{});
    lookback::inclusive_segmented_scan(on, in, lookback::rows_of(7), out, std::plus<>{});
    EXPECT_TRUE(same(out.host(), want));
    EXPECT_EQ(lookback::reduce_by_key(on, keys, in, keys_out, totals, std::plus<>{}), std::ssize(sums));
    auto got = totals.host();
    got.resize(sums.size());
    EXPECT_TRUE(same(got, sums));
    EXPECT_EQ(lookback::segmented_reduce(on, in, lookback::keys(keys), totals, std::plus<>{}, 0), std::ssize(sums));
    got = totals.host();
    got.resize(sums.size());
    EXPECT_TRUE(same(got, sums));
  });
}

struct is_positive {
  ON_DEVICE bool operator()(std::int32_t x) const { return x > 0; }
};

TEST_F(arguments, a_direction_is_refused_where_there_is_none) {
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
