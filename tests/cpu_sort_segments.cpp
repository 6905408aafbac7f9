// What belongs to sorts of segments on the CPU alone: memory that is refused, functions that throw, more threads than cores,
// millions of segments.
#include <algorithm>
#include <lookback/cpu.hpp>
#include <lookback/radix_sort.hpp>
#include <numeric>

#include "check_sort_segments.hpp"
#include "cpu_stress.hpp"
#include "cpu_watchdog.hpp"

namespace {

using namespace stress;
using harness::segments_of;

struct cpu_sort_segments : watched {};

using words = std::vector<std::uint32_t>;

/// Short, long and large ones, whatever the tuning; side by side.
segments_of mixed_segments() {
  auto lengths = harness::lengths_between(900, 0, 9);
  lengths[100] = 5000, lengths[300] = 1, lengths[500] = 700, lengths[501] = 600, lengths[899] = 2500;
  return harness::side_by_side("mixed", lengths);
}

TEST_F(cpu_sort_segments, when_memory_is_refused_nothing_has_been_touched) {
  auto const segments = mixed_segments();
  auto const offsets = segments.offsets();
  auto const said = lookback::offsets(offsets);
  words keys(segments.n), keys_out(segments.n, 7), values(segments.n), values_out(segments.n, 9), indices(segments.n, 11);
  harness::generator random(1);
  for (auto& key : keys) key = static_cast<std::uint32_t>(random.next()) & 0xF0F;
  std::iota(values.begin(), values.end(), 0u);
  auto const places = harness::places_in_segments<std::uint32_t>(keys, {}, false, segments);
  auto const sorted = oracle::taken(keys, places), moved = oracle::taken(values, places);
  auto const check = [&](auto const& plain) {
    words data = keys, moving = values;
    check_refusals(plain, {&data}, [&](auto const& on) { lookback::radix_sort(on, data, said); });
    EXPECT_EQ(data, sorted);
    check_refusals(plain, {&keys, &keys_out}, [&](auto const& on) { lookback::radix_sort_copy(on, keys, keys_out, said); });
    EXPECT_EQ(keys_out, sorted);
    check_refusals(plain, {&keys, &indices}, [&](auto const& on) { lookback::argsort(on, keys, indices, said); });
    EXPECT_EQ(indices, moved);
    data = keys;
    check_refusals(plain, {&data, &moving}, [&](auto const& on) { lookback::radix_sort(on, data, moving, said); });
    EXPECT_EQ(data, sorted);
    EXPECT_EQ(moving, moved);
    check_refusals(plain, {&keys, &keys_out, &values, &values_out},
                   [&](auto const& on) { lookback::radix_sort_copy(on, keys, values, keys_out, values_out, said); });
    EXPECT_EQ(values_out, moved);
  };
  check(cpu::on(3).with(cpu::std_threads).with(tiles_of(64)));
  check(cpu::on(2));
  check(cpu::seq);
}

struct throws_at_key {
  std::uint32_t item;
  std::uint32_t operator()(std::uint32_t x) const {
    if (x == item) throw thrown{x};
    return x & 0xFF;
  }
};

/// What a function throws comes through; keys of another array stay, in place each segment is sorted or as it was, and the next
/// call finds everything in order.
TEST_F(cpu_sort_segments, what_a_function_throws_comes_through) {
  auto const segments = mixed_segments();
  auto const offsets = segments.offsets();
  auto const said = lookback::offsets(offsets);
  words keys(segments.n), out(segments.n);
  std::iota(keys.begin(), keys.end(), 0u);
  auto const before = keys;
  std::vector<std::uint8_t> low(keys.begin(), keys.end());
  auto const want = oracle::taken(keys, harness::places_in_segments<std::uint8_t>(low, {}, false, segments));
  each_engine(tiles_of(128), [&](auto const& on) {
    for (std::uint32_t const at : {0u, 3'333u, static_cast<std::uint32_t>(segments.n - 1)}) {
      EXPECT_THROW(lookback::radix_sort_copy(on, keys, out, lookback::by(throws_at_key{at}), said), thrown);
      EXPECT_EQ(keys, before);
      auto data = keys;
      EXPECT_THROW(lookback::radix_sort(on, data, lookback::by(throws_at_key{at}), said), thrown);
      for (std::size_t s = 0; s < segments.begins.size(); ++s) {
        auto const begin = segments.begins[s], end = segments.ends[s];
        auto const is_as = [&](words const& other) {
          return std::equal(data.begin() + begin, data.begin() + end, other.begin() + begin);
        };
        EXPECT_TRUE(is_as(before) || is_as(want)) << "segment " << s;
      }
    }
    lookback::radix_sort_copy(on, keys, out, lookback::by(throws_at_key{~0u}), said);
    EXPECT_EQ(out, want);
  });
}

/// Segments of every kind on many more threads than there are cores, again and again: pairs of few keys, whose order a race mixes.
TEST_F(cpu_sort_segments, more_threads_than_cores) {
  auto const segments = harness::scattered_about(mixed_segments());
  auto const keys = harness::distributions<std::uint8_t>(segments.n)[10].keys;
  auto const values = harness::random_values<std::uint32_t>(segments.n, 1);
  auto const places = harness::places_in_segments<std::uint8_t>(keys, {}, false, segments);
  auto const want = oracle::taken(keys, places);
  auto const want_values = oracle::taken(values, places);
  for (index_t const items : {16, 900})
    each_engine(tiles_of(items), [&](auto const& on) {
      for (int run = 0; run < 10; ++run) {
        auto data = keys;
        auto beside = values;
        lookback::radix_sort(on, data, beside, lookback::offsets(segments.begins, segments.ends));
        ASSERT_TRUE(data == want && beside == want_values) << run;
      }
    });
}

/// Ten million segments, most of them empty; and one of nearly everything among them.
TEST_F(cpu_sort_segments, millions_of_segments) {
  std::size_t const number = harness::small() ? 100'000 : 10'000'000;
  std::vector<std::int32_t> offsets(number + 1);
  harness::generator random(1);
  for (std::size_t s = 0; s < number; ++s)
    offsets[s + 1] = offsets[s] + (s == number / 3 ? static_cast<std::int32_t>(number / 10) : random.below(8) == 0 ? 3 : 0);
  auto const keys = harness::random_values<std::uint32_t>(static_cast<std::size_t>(offsets.back()), 1);
  auto want = keys;
  for (std::size_t s = 0; s < number; ++s) std::sort(want.begin() + offsets[s], want.begin() + offsets[s + 1]);
  for (auto const& on : {cpu::on(), cpu::on(2).with(cpu::std_threads)}) {
    auto data = keys;
    lookback::radix_sort(on, data, lookback::offsets(offsets));
    EXPECT_TRUE(data == want);
  }
}

}  // namespace
