// What calls make of the operators that they are given: standard ones and those of any type become ours.
#include <functional>
#include <lookback/reduce_by_key.hpp>

#include "check_scan.hpp"
#include "random.hpp"
#include "refused.hpp"

using namespace harness;

struct arguments : on_device {};

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
    check(std::plus<>{}, lookback::plus<T>{}, "std::plus<>");
    check(std::plus<T>{}, lookback::plus<T>{}, "std::plus<T>");
    check(lookback::maximum<>{}, lookback::maximum<T>{}, "maximum<>");
    if constexpr (on_gpu) return;  // the others are the same templates, and each is a kernel
    check(lookback::multiplies<>{}, lookback::multiplies<T>{}, "multiplies<>");
    check(lookback::minimum<>{}, lookback::minimum<T>{}, "minimum<>");
    check(lookback::bit_and<>{}, lookback::bit_and<T>{}, "bit_and<>");
    check(lookback::bit_or<>{}, lookback::bit_or<T>{}, "bit_or<>");
    check(lookback::bit_xor<>{}, lookback::bit_xor<T>{}, "bit_xor<>");
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
    std::vector<std::int32_t> before(n);
    for (std::size_t i = 0; i < n; ++i) before[i] = i % 7 == 0 ? 0 : want[i - 1];
    EXPECT_TRUE(same(out.host(), before));
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
