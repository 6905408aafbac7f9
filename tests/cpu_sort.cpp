// What belongs to sorts on the CPU alone: memory that is refused, functions that throw, more threads than cores.
#include <algorithm>
#include <lookback/cpu.hpp>
#include <lookback/radix_sort.hpp>
#include <numeric>

#include "check_sort.hpp"
#include "cpu_stress.hpp"
#include "cpu_watchdog.hpp"

namespace {

using namespace stress;
using harness::with_algorithm;

struct cpu_sort : watched {};

using words = std::vector<std::uint32_t>;

/// The same with the options of the algorithm: body(on, options...).
template <class On, class Body>
void check_refusals_with(On const& plain, std::vector<words*> const& all, Body body) {
  check_refusals(plain, all, [&](auto const& on) { with_algorithm(on, [&](auto... options) { body(on, options...); }); });
}

/// Keys of few values, so that their order with values shows. The textbook asks for memory between its passes, and may have put
/// values in order by then.
TEST_F(cpu_sort, when_memory_is_refused_nothing_has_been_touched) {
  words keys(3000), keys_out(3000, 7), values(3000), values_out(3000, 9), indices(3000, 11);
  harness::generator random(1);
  for (auto& key : keys) key = static_cast<std::uint32_t>(random.next()) & 0xF0F;
  std::iota(values.begin(), values.end(), 0u);
  auto sorted = keys;
  std::stable_sort(sorted.begin(), sorted.end());
  auto const check = [&](auto const& plain) {
    words data = keys, moving = values;
    check_refusals_with(plain, {&data}, [&](auto const& on, auto... o) { lookback::radix_sort(on, data, o...); });
    EXPECT_EQ(data, sorted);
    check_refusals_with(plain, {&keys, &keys_out},
                        [&](auto const& on, auto... o) { lookback::radix_sort_copy(on, keys, keys_out, o...); });
    EXPECT_EQ(keys_out, sorted);
    check_refusals_with(plain, {&keys, &indices}, [&](auto const& on, auto... o) { lookback::argsort(on, keys, indices, o...); });
    data = keys;
    check_refusals_with(plain, {&data, &moving}, [&](auto const& on, auto... o) { lookback::radix_sort(on, data, moving, o...); });
    EXPECT_EQ(data, sorted);
    check_refusals_with(plain, {&keys, &keys_out, &values, &values_out}, [&](auto const& on, auto... o) {
      lookback::radix_sort_copy(on, keys, values, keys_out, values_out, o...);
    });
  };
  check(cpu::on(3).with(cpu::std_threads).with(tiles_of(64)));
  check(cpu::on(2));
  check(cpu::seq);
}

struct throws_at {
  std::uint32_t item;
  std::uint32_t operator()(std::uint32_t x) const {
    if (x == item) throw thrown{x};
    return x & 0xFF;
  }
};

/// What a function throws comes through; keys stay, in place, too, and the next call finds everything in order.
TEST_F(cpu_sort, what_a_function_throws_comes_through) {
  words keys(20'000), out(20'000);
  std::iota(keys.begin(), keys.end(), 0u);
  auto const before = keys;
  each_engine(tiles_of(128), [&](auto const& on) {
    with_algorithm(on, [&](auto... o) {
      for (std::uint32_t const at : {0u, 7'777u, 19'999u}) {
        EXPECT_THROW(lookback::radix_sort_copy(on, keys, out, lookback::by(throws_at{at}), o...), thrown);
        EXPECT_EQ(keys, before);
        EXPECT_THROW(lookback::radix_sort(on, keys, lookback::by(throws_at{at}), o...), thrown);
        EXPECT_EQ(keys, before);
      }
      lookback::radix_sort_copy(on, keys, out, lookback::by(throws_at{~0u}), o...);
    });
    for (std::size_t k = 1; k < out.size(); ++k) {
      bool const in_order =
          (out[k - 1] & 0xFF) < (out[k] & 0xFF) || ((out[k - 1] & 0xFF) == (out[k] & 0xFF) && out[k - 1] < out[k]);
      ASSERT_TRUE(in_order) << k;
    }
  });
}

/// Tiles of a few items on many more threads than there are cores, again and again: pairs of few keys, whose order a race mixes.
TEST_F(cpu_sort, more_threads_than_cores) {
  std::size_t const n = harness::small() ? 2'000 : 10'007;
  auto const keys = harness::distributions<std::uint8_t>(n)[10].keys;
  auto const values = harness::random_values<std::uint32_t>(n, 1);
  auto const places = oracle::sorted_places<std::uint8_t>(keys, {}, false);
  auto const want = oracle::taken(keys, places);
  auto const want_values = oracle::taken(values, places);
  each_engine(tiles_of(16), [&](auto const& on) {
    for (int run = 0; run < 20; ++run) {
      auto data = keys;
      auto beside = values;
      with_algorithm(on, [&](auto... o) { lookback::radix_sort(on, data, beside, o...); });
      ASSERT_TRUE(data == want && beside == want_values) << run;
    }
  });
}

/// Several callers at once, each with arrays of its own.
TEST_F(cpu_sort, several_callers_at_once) {
  auto const keys = harness::any_words<std::uint32_t>(30'000, 1);
  auto want = keys;
  std::sort(want.begin(), want.end());
  std::vector<words> data(4, keys);
  std::vector<std::thread> callers;
  for (auto& each : data)
    callers.emplace_back([&each] {
      auto const on = cpu::on(2);
      with_algorithm(on, [&](auto... o) { lookback::radix_sort(on, each, o...); });
    });
  for (auto& caller : callers) caller.join();
  for (auto const& each : data) EXPECT_TRUE(each == want);
}

}  // namespace
