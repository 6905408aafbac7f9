// reproducible: the same bits on every run, thread count, SIMD level and alignment. Between the back ends it is held by
// tests/program, which has both.
#include <cstring>

#include "check_scan.hpp"
#include "random.hpp"

using namespace harness;

struct reproducible : on_device {};

template <class T, class Op>
void check_same_bits(Op op) {
  for (std::size_t const n : {std::size_t{1}, std::size_t{1000}, up_to(300007)})
    for (auto const from : {lookback::left_to_right, lookback::right_to_left}) {
      SCOPED_TRACE(describe(n, false, false, from));
      auto const in = random_values<T>(n, n);
      expected<T, Op> const right(in, op, {{}, false, from, {}});
      std::vector<T> first;
      each_reproducible_policy([&](auto const& policy) {
        for (std::size_t const misaligned : {0, 1, 3}) {
          array<T> const source(in, misaligned);
          array<T> out(n, misaligned);
          lookback::inclusive_scan(policy.with(from), source, out, op);
          auto const got = out.host();
          EXPECT_TRUE(right(got));
          if (first.empty()) first = got;
          EXPECT_EQ(std::memcmp(first.data(), got.data(), n * sizeof(T)), 0);
        }
      });
    }
}

TEST_F(reproducible, sums_have_the_same_bits) {
  check_same_bits<float>(lookback::plus<float>{});
  check_same_bits<double>(lookback::plus<double>{});
}

TEST_F(reproducible, maxima_have_the_same_bits) { check_same_bits<float>(lookback::maximum<float>{}); }
