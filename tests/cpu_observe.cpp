// What a CPU alone says of its calls: sorts by the ways that they take, and that workers tell nothing of their own.
#include <lookback/observe.hpp>
#include <lookback/radix_sort.hpp>
#include <lookback/scan.hpp>
#include <lookback/select_if.hpp>
#include <numeric>

#include "array.hpp"
#include "fixture.hpp"
#include "random.hpp"

using namespace harness;

struct cpu_observe : on_device {};

namespace {

lookback::plus<std::uint32_t> const sum{};

template <class Call>
lookback::observation seen_of(Call const& call) {
  lookback::observation seen;
  lookback::observing const now(seen);
  call();
  return seen;
}

}  // namespace

/// Calls the library for some items, which no call of the observed thread is.
struct calls_again {
  LOOKBACK_FN bool operator()(std::uint32_t x) const {
    std::uint32_t one[1] = {x};
    if (x % 4096 == 0) lookback::inclusive_scan(default_policy(), one, one, sum);
    return one[0] % 2 == 0;
  }
};

TEST_F(cpu_observe, ways_of_a_cpu) {
  std::size_t const n = 2'000'000;
  std::vector<std::uint32_t> places(n);
  std::iota(places.begin(), places.end(), 0u);
  auto const in = random_values<std::uint32_t>(n, 7);
  auto const on = default_policy();
  array<std::uint32_t> const numbers(places);
  array<std::uint32_t> out(n), keys(in), one(1);
  auto const nested = seen_of([&] { lookback::select_if(on, numbers, out, calls_again{}); });
  EXPECT_EQ(nested.ways.size(), 1u) << "what an operator calls in a worker is no call of this thread";
  // Memory that a sort has had before is not told again when its parts take of it.
  auto const whole = seen_of([&] { lookback::radix_sort(on, keys); });
  array<std::uint32_t> again(in);
  array<std::int64_t> const halves(std::vector<std::int64_t>{0, 1'000'000, 2'000'000});
  auto const segments = seen_of([&] { lookback::radix_sort(on, again, lookback::offsets(halves)); });
  EXPECT_LT(segments.scratch_bytes, 2 * whole.scratch_bytes);
  array<std::uint8_t> bytes(random_values<std::uint8_t>(8 * n, 8));
  auto const few = seen_of([&] { lookback::radix_sort(on, bytes); });
  ASSERT_EQ(few.ways.size(), 1u);
  EXPECT_EQ(few.ways[0].what, "counted, then written");
  auto const nothing = seen_of([&] { lookback::radix_sort(on, one); });
  ASSERT_EQ(nothing.ways.size(), 1u);
  EXPECT_EQ(nothing.ways[0].why, "there is nothing to compare");
}
