// Every strategy is another way to run the same three parts: `.with(...)` is all that changes, in whatever order the rest is said.
#include <lookback/strategy.hpp>

#include "check_scan.hpp"
#include "random.hpp"

using namespace harness;

struct strategies : on_device {};

TEST_F(strategies, are_said_in_any_order) {
  auto const in = random_values<std::int32_t>(up_to(200003), 1);
  auto const want = oracle::scan<std::int32_t>(in, lookback::plus<std::int32_t>{}, {{}, false, lookback::right_to_left, {}});
  each_number_of_passes([&](auto const& on) {
    array<std::int32_t> const source(in);
    auto const check = [&](auto const& policy) {
      array<std::int32_t> out(in.size());
      lookback::inclusive_scan(policy, source, out);
      EXPECT_TRUE(same(out.host(), want));
    };
    check(on.with(lookback::reduce_then_scan{}).with(lookback::right_to_left));
    check(on.with(lookback::right_to_left).with(lookback::reduce_then_scan{}));
    check(on.with(lookback::right_to_left).with(lookback::decoupled_look_back{}));
  });
}
