// The layers under scan_into, used alone: a split into 16 classes by a look-back over 16 counters, as a sort's digit pass does
// it; and the same with a look-back that announces too weakly, which ThreadSanitizer must report.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <lookback/cpu/engine/look_back.hpp>
#include <lookback/cpu/engine/tickets.hpp>
#include <lookback/cpu/run/executor_threads.hpp>
#include <lookback/model/tile.hpp>
#include <vector>

#include "cpu_watchdog.hpp"
#include "random.hpp"

namespace {

namespace cpu = lookback::cpu;
using lookback::index_t;

constexpr int classes = 16;
using counts = cpu::counters<index_t, classes>;

/// Stable: items of class c follow all items of class c - 1, in order.
template <std::memory_order Publish>
std::vector<std::uint32_t> split(std::vector<std::uint32_t> const& in, index_t items_per_tile, int workers) {
  auto const n = static_cast<index_t>(in.size());
  auto const class_of = [](std::uint32_t x) { return static_cast<std::size_t>(x & (classes - 1)); };
  counts starts{};  // of each class in the output
  for (auto const x : in) ++starts.of[class_of(x)];
  index_t sum = 0;
  for (auto& s : starts.of) sum += std::exchange(s, sum);

  index_t const number = lookback::tiles_of(n, items_per_tile);
  cpu::descriptors<counts, counts, Publish> published(cpu::heap, number);
  cpu::tickets tiles;
  std::vector<std::uint32_t> out(in.size());
  cpu::run_workers(cpu::std_threads, workers, [&](int, std::atomic<bool> const&) {
    for (index_t id; (id = tiles.claim()) < number;) {
      auto const t = lookback::tile_at(id, n, items_per_tile);
      counts mine{};
      for (index_t i = t.begin; i < t.end; ++i) ++mine.of[class_of(in[static_cast<std::size_t>(i)])];
      counts before = starts;
      if (id > 0) {
        published.publish_aggregate(id, mine);
        before = cpu::look_back(published, id, [](counts const& a, counts const& b) { return a + b; }).value;
      }
      published.publish_prefix(id, before + mine);
      for (index_t i = t.begin; i < t.end; ++i) {
        auto const x = in[static_cast<std::size_t>(i)];
        out[static_cast<std::size_t>(before.of[class_of(x)]++)] = x;
      }
    }
  });
  return out;
}

class cpu_engine_layers : public watched {};

TEST_F(cpu_engine_layers, split_into_sixteen_classes) {
  for (std::size_t const n : {0, 1, 63, 64, 65, 5000, 100003}) {
    auto const in = harness::random_values<std::uint32_t>(n, n);
    auto want = in;
    std::stable_sort(want.begin(), want.end(), [](auto a, auto b) { return a % classes < b % classes; });
    for (index_t const items : {3, 64, 1000})
      for (int const workers : {1, 2, 16}) EXPECT_EQ(split<std::memory_order_release>(in, items, workers), want);
  }
}

#if defined(__SANITIZE_THREAD__)
constexpr int exit_code_of_a_report = 66;  // ThreadSanitizer's own
#else
constexpr int exit_code_of_a_report = 0;  // nobody looks: the program must only run
#endif

TEST(cpu_engine_seeded_bug, a_relaxed_announcement_is_reported) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  EXPECT_EXIT(
      {
        auto const in = harness::random_values<std::uint32_t>(20000, 1);
        split<std::memory_order_relaxed>(in, 16, 4);
        std::exit(0);
      },
      ::testing::ExitedWithCode(exit_code_of_a_report), "");
}

}  // namespace
