// Every built-in operator, and operators of a user: lambdas, structs of odd sizes, operands that may not be swapped.
#include <bit>
#include <lookback/operators.hpp>

#include "check_scan.hpp"
#include "edge_sizes.hpp"
#include "random.hpp"
#include "types.hpp"

using namespace harness;

struct operators : on_device {};

template <class Op>
void check_operator(Op op, typename Op::value_type initial, std::size_t largest = up_to(300007)) {
  using T = typename Op::value_type;
  for (std::size_t const n : {std::size_t{1}, std::size_t{33}, std::size_t{5000}, largest}) {
    auto const in = random_values<T>(n, n);
    each_form(op, initial, [&](auto const& how) { check_scan(in, op, how); });
  }
}

TEST_F(operators, minimum_and_maximum_of_integers) {
  check_operator(lookback::minimum<std::int32_t>{}, 7);
  check_operator(lookback::maximum<std::int32_t>{}, -7);
  check_operator(lookback::maximum<std::uint8_t>{}, std::uint8_t{3});
}

TEST_F(operators, minimum_and_maximum_of_floats) {
  check_operator(lookback::minimum<float>{}, 0.25f);
  check_operator(lookback::maximum<double>{}, -0.25);
}

TEST_F(operators, a_nan_stays_until_the_end) {
  std::vector<float> in(100000, 1.0f);
  std::size_t const poisoned = 70001;
  in[poisoned] = std::numeric_limits<float>::quiet_NaN();
  each_policy([&](auto const& on) {
    array<float> const source(in);
    array<float> out(in.size());
    lookback::inclusive_scan(on, source, out, lookback::maximum<float>{});
    auto const got = out.host();
    for (std::size_t i = 0; i < in.size(); ++i) ASSERT_EQ(i >= poisoned, std::isnan(got[i])) << i;
  });
}

TEST_F(operators, products_of_integers_wrap) {
  check_operator(lookback::multiplies<std::uint32_t>{}, 3u);
  check_operator(lookback::multiplies<std::int64_t>{}, std::int64_t{-3});
}

TEST_F(operators, products_of_powers_of_two_are_exact) {
  std::vector<double> in(up_to(200003));
  generator random(5);
  int exponent = 0;
  for (double& x : in) {
    bool const up = exponent < -500 || (exponent < 500 && random.below(2) == 0);
    exponent += up ? 1 : -1;
    x = up ? 2.0 : -0.5;
  }
  each_form(lookback::multiplies<double>{}, 2.0, [&](auto const& how) { check_scan(in, lookback::multiplies<double>{}, how); });
}

TEST_F(operators, bits) {
  check_operator(lookback::bit_xor<std::uint32_t>{}, 9u);
  check_operator(lookback::bit_or<std::uint8_t>{}, std::uint8_t{1});
  check_operator(lookback::bit_and<std::uint64_t>{}, ~std::uint64_t{2});
}

TEST_F(operators, twelve_bytes) {
  for (std::size_t const n : edge_sizes<triple>(1 << 22)) {
    auto const in = random_values<triple>(n, n);
    each_form(add_triples{}, triple{1, 2, 3}, [&](auto const& how) { check_scan(in, add_triples{}, how); });
  }
}

TEST_F(operators, matrices_do_not_commute) {
  for (std::size_t const n : edge_sizes<matrix>(1 << 22)) {
    auto const in = random_values<matrix>(n, n);
    each_form(times_matrix{}, matrix{1, 2, 3, 4}, [&](auto const& how) { check_scan(in, times_matrix{}, how); });
  }
}

TEST_F(operators, sixty_four_bytes) {
  for (std::size_t const n : {1, 31, 33, 1000, 4096, 20011}) {
    auto const in = random_values<wide>(n, n);
    each_form(times_wide{}, times_wide::identity(), [&](auto const& how) { check_scan(in, times_wide{}, how, 1); });
  }
}

TEST_F(operators, the_first_and_the_last) {
  for (std::size_t const n : edge_sizes<ends>(1 << 22)) {
    auto const in = random_values<ends>(n, n);
    each_form(join_ends{}, ends{12345, 0}, [&](auto const& how) { check_scan(in, join_ends{}, how); });
  }
}

// A lambda cannot be written inside a test's body: nvcc wants the function around it to be public.
inline void scan_by_a_lambda() {
  auto const in = random_values<std::int32_t>(up_to(250007), 11);
  auto const last_even = [] ON_DEVICE(std::int32_t a, std::int32_t b) { return b % 2 == 0 ? b : a; };
  for (auto const from : {lookback::left_to_right, lookback::right_to_left}) {
    check_scan(in, last_even, oracle::form<std::int32_t>{{}, false, from, {}});
    check_scan(in, last_even, oracle::form<std::int32_t>{5, true, from, {}});
  }
}

TEST_F(operators, a_lambda) { scan_by_a_lambda(); }

// The accumulator is the operator's, not the item's: bytes are summed in 64 bits, and stored as whatever out holds.
TEST_F(operators, accumulate_in_their_own_type) {
  auto const in = random_values<std::uint8_t>(up_to(300007), 12);
  std::vector<std::int64_t> const wide_in(in.begin(), in.end());
  auto const want = oracle::scan<std::int64_t>(wide_in, lookback::plus<std::int64_t>{}, {});
  each_policy([&](auto const& on) {
    array<std::uint8_t> const source(in, 3);
    array<std::int64_t> out(in.size());
    lookback::inclusive_scan(on, source, out, lookback::plus<std::int64_t>{});
    EXPECT_TRUE(same(out.host(), want));
    array<float> rounded(in.size());
    lookback::inclusive_scan(on, source, rounded, lookback::plus<std::int64_t>{});
    EXPECT_TRUE(same(rounded.host(), std::vector<float>(want.begin(), want.end())));
  });
}
