// The protocol of the CPU engine under stress: tiny tiles, delays, more threads than cores, operators that throw or use oneTBB
// themselves, memory that runs out. A watchdog ends a run that hangs.
#include <gtest/gtest.h>
#include <tbb/global_control.h>
#include <tbb/parallel_for.h>
#include <tbb/task_arena.h>

#include <array>
#include <atomic>
#include <chrono>
#include <lookback/cpu.hpp>
#include <lookback/scan.hpp>
#include <lookback/segmented_scan.hpp>
#include <lookback/select_if.hpp>
#include <numeric>
#include <string>
#include <thread>
#include <vector>

#include "cpu_stress.hpp"
#include "cpu_watchdog.hpp"
#include "random.hpp"

namespace {

namespace cpu = lookback::cpu;
using lookback::index_t;
using namespace stress;

// Not commutative: the first and last item of a run, and whether all neighbours met in order.
struct run_of_items {
  std::int32_t first, last;
  bool in_order;
};
run_of_items join(run_of_items const& a, run_of_items const& b) {
  return {a.first, b.last, a.in_order && b.in_order && a.last + 1 == b.first};
}

class cpu_engine : public watched {};

TEST_F(cpu_engine, tiny_tiles_with_random_delays_and_many_threads) {
  std::vector<run_of_items> in(997), out(in.size());
  for (std::size_t i = 0; i < in.size(); ++i) in[i] = {static_cast<int>(i), static_cast<int>(i), true};
  std::atomic<std::uint64_t> calls{0};
  auto const slow_join = [&calls](run_of_items const& a, run_of_items const& b) {
    std::uint64_t const k = harness::generator(calls.fetch_add(1, std::memory_order_relaxed)).next();
    if (k % 64 == 0) std::this_thread::sleep_for(std::chrono::microseconds(k >> 8 & 63));
    else if (k % 8 == 0) std::this_thread::yield();
    return join(a, b);
  };
  for (index_t const items : {1, 2, 3, 5, 7})
    each_engine_of_scans(tiles_of(items), [&](auto const& on) {
      SCOPED_TRACE("tiles of " + std::to_string(items));
      lookback::inclusive_scan(on, in, out, slow_join);
      for (std::size_t i = 0; i < out.size(); ++i)
        ASSERT_TRUE(out[i].in_order && out[i].first == 0 && out[i].last == static_cast<int>(i)) << "item " << i;
    });
}

TEST_F(cpu_engine, floats_are_the_same_for_every_number_of_threads) {
  auto const in = harness::random_values<float>(50000, 7);
  auto const heads = [&] {
    std::vector<std::uint8_t> h(in.size());
    for (std::size_t i = 0; i < h.size(); ++i) h[i] = harness::generator(i).below(3000) == 0;
    return h;
  }();
  auto const add = [](float a, float b) { return a + b; };
  for (index_t const items : {64, 448})
    for (auto const from : {lookback::left_to_right, lookback::right_to_left}) {
      auto const run = [&](auto const& on) {
        std::vector<std::vector<float>> all(4, std::vector<float>(in.size()));
        lookback::inclusive_scan(on.with(from), in, all[0]);
        lookback::exclusive_scan(on.with(from), in, all[1], add, 0.5f);
        lookback::inclusive_segmented_scan(on.with(from), in, lookback::head_flags(heads), all[2]);
        lookback::inclusive_segmented_scan(on.with(from), in, lookback::head_flags(heads), all[3], add, 0.25f);
        return all;
      };
      auto const want = run(cpu::seq.with(tiles_of(items)));
      for (int repeat = 0; repeat < 3; ++repeat) {
        each_engine(tiles_of(items), [&](auto const& on) { EXPECT_EQ(run(on), want); });
        for (int const threads : {1, 2, 3}) EXPECT_EQ(run(cpu::on(threads).with(cpu::std_threads).with(tiles_of(items))), want);
      }
    }
}

// Through the engine's own executor, which tells ThreadSanitizer what oneTBB's library does not.
TEST_F(cpu_engine, an_operator_may_use_tbb_itself) {
  std::vector<long> in(400, 1), out(in.size());
  auto const add = [](long a, long b) {
    std::array<long, 6> few{a, b, 0, 0, 0, 0};
    lookback::inclusive_scan(cpu::on().with(tiles_of(1)), few, few);
    return few.back();
  };
  tbb::task_arena arena(4);
  for (int repeat = 0; repeat < 20; ++repeat)
    arena.execute([&] {
      lookback::inclusive_scan(cpu::on().with(tiles_of(3)), in, out, add);
      for (std::size_t i = 0; i < out.size(); ++i) ASSERT_EQ(out[i], static_cast<long>(i + 1));
    });
}

// Not through the engine: a worker that waits in oneTBB must not be handed another worker of its own call, which would wait for the
// tile that lies suspended beneath it. A scan waits for nobody, a compaction in place does.
TEST_F(cpu_engine, an_operator_may_wait_in_tbb_directly) {
#if defined(__SANITIZE_THREAD__)
  GTEST_SKIP() << "oneTBB's library is not instrumented";
#endif
  tbb::global_control const more(tbb::global_control::max_allowed_parallelism, 8);
  auto const eight = [] {
    std::atomic<long> calls{0};
    tbb::parallel_for(0, 8, [&](int) {
      if (calls.fetch_add(1) % 3 == 0) std::this_thread::yield();
    });
    return calls.load();
  };
  std::vector<long> const in(96, 1);
  tbb::task_arena arena(8);
  auto const on = cpu::on().with(tiles_of(3));
  for (int repeat = 0; repeat < 3; ++repeat)
    arena.execute([&] {
      std::vector<long> out(in.size());
      lookback::inclusive_scan(on, in, out, [&](long a, long b) { return a + b + eight() - 8; });
      for (std::size_t i = 0; i < out.size(); ++i) ASSERT_EQ(out[i], static_cast<long>(i + 1));
      ASSERT_EQ(lookback::select_if(on, out, [&](long x) { return x % eight() != 0; }), 84);
    });
}

TEST_F(cpu_engine, what_an_operator_throws_comes_through_and_nobody_waits) {
  std::vector<std::int64_t> in(500), out(in.size());
  std::iota(in.begin(), in.end(), std::int64_t{0});
  std::vector<std::uint8_t> heads(in.size());
  for (std::size_t i = 0; i < heads.size(); i += 90) heads[i] = 1;
  for (index_t const items : {1, 4, 64})
    for (std::int64_t bad = 0; bad < 500; bad += 1 + bad / 8) {
      auto const value = [bad](std::int64_t x) {
        if (x == bad) throw thrown{x};
        return x;
      };
      SCOPED_TRACE("tiles of " + std::to_string(items) + ", item " + std::to_string(bad));
      each_engine_of_scans(tiles_of(items), [&](auto const& on) {
        for (auto const from : {lookback::left_to_right, lookback::right_to_left}) {
          EXPECT_THROW(lookback::inclusive_scan(on.with(from), lookback::mapped(in, value), out), thrown);
          EXPECT_THROW(
              lookback::inclusive_segmented_scan(on.with(from), lookback::mapped(in, value), lookback::head_flags(heads), out),
              thrown);
        }
      });
    }
  std::int64_t sum = 0;  // and the engine is as good as new
  lookback::inclusive_scan(cpu::on().with(tiles_of(4)), in, out);
  for (std::size_t i = 0; i < in.size(); ++i) ASSERT_EQ(out[i], sum += in[i]);
}

TEST_F(cpu_engine, when_memory_is_refused_nothing_has_been_touched) {
  auto const in = harness::random_values<float>(5000, 3);
  std::vector<std::uint8_t> const heads(in.size(), 1);
  auto const check = [&](auto const& plain) {
    for (int refuse = 0;; ++refuse) {
      refusing source;
      source.refuse = refuse;
      std::vector<float> out(in.size(), -7.0f);
      try {
        lookback::inclusive_segmented_scan(plain.with(source.memory()), in, lookback::head_flags(heads), out);
        EXPECT_GT(refuse, 0) << "no scratch at all";
        EXPECT_EQ(source.held, 0);
        EXPECT_EQ(out, in);
        return;
      } catch (lookback::out_of_memory const&) {
        EXPECT_EQ(source.held, 0);
        EXPECT_EQ(out, std::vector<float>(in.size(), -7.0f)) << "touched, allocation " << refuse;
      }
    }
  };
  each_engine_of_scans(tiles_of(64), check);
  check(cpu::seq);
  check(cpu::on(2).with(lookback::reproducible));
}

TEST_F(cpu_engine, when_memory_is_refused_counts_are_as_they_were) {
  std::vector<int> data(1'000'000);
  std::iota(data.begin(), data.end(), 0);
  auto const before = data;
  refusing source;
  source.refuse = 0;
  index_t count = 1'000'000;  // says how many items there are, too
  auto const on = cpu::on(2).with(source.memory());
  EXPECT_THROW(lookback::select_if_async(
                   on, lookback::first(data, lookback::size{1'000'000, &count}), data, [](int x) { return x % 2 == 0; }, &count),
               lookback::out_of_memory);
  EXPECT_EQ(count, 1'000'000);
  EXPECT_EQ(data, before);
  source.refuse = -1;
  lookback::select_if_async(
      on, lookback::first(data, lookback::size{1'000'000, &count}), data, [](int x) { return x % 2 == 0; }, &count);
  EXPECT_EQ(count, 500'000);
}

TEST_F(cpu_engine, one_worker_asks_for_memory_only_where_its_room_is_large) {
  refusing source;
  source.refuse = 0;
  // Compaction gathers a tile in its room.
  auto const on = [&](index_t items) { return cpu::seq.with(source.memory()).with(tiles_of(items)); };
  auto const in = harness::random_values<float>(10000, 3);
  std::vector<float> out(in.size());
  auto const some = [](float) { return true; };
  EXPECT_EQ(lookback::select_if(on(64), in, out, some), 10000);
  EXPECT_EQ(out, in);
  EXPECT_THROW(lookback::select_if(on(8192), in, out, some), lookback::out_of_memory);
}

TEST_F(cpu_engine, first_items_are_no_more_than_there_are) {
  std::vector<int> const in(3, 1);
  std::vector<int> out(9, -1);
  EXPECT_THROW(lookback::inclusive_scan(cpu::seq, lookback::first(in, 9), out), lookback::invalid_argument);
  index_t const count = 9;
  EXPECT_THROW(lookback::inclusive_scan(cpu::seq, lookback::first(in, lookback::size{9, &count}), out), lookback::invalid_argument);
  EXPECT_EQ(out, std::vector<int>(9, -1));
  lookback::inclusive_scan(cpu::seq, lookback::first(in, 3), out);
  EXPECT_EQ(out[2], 3);
}

TEST_F(cpu_engine, long_double_has_its_operators) {
  std::vector<long double> const in(1000, 0.5L);
  std::vector<long double> out(in.size());
  lookback::inclusive_scan(cpu::on(2).with(tiles_of(64)), in, out);
  EXPECT_EQ(out.back(), 500.0L);
  lookback::inclusive_scan(cpu::on(2).with(tiles_of(64)), in, out, lookback::multiplies<long double>{});
  EXPECT_EQ(out[3], 0.0625L);
}

TEST_F(cpu_engine, pointers_to_members_are_functions) {
  struct item {
    bool keep;
    int value;
    int twice() const { return 2 * value; }
  };
  std::vector<item> const in{{true, 1}, {false, 2}, {true, 3}};
  std::vector<item> out(in.size());
  ASSERT_EQ(lookback::select_if(cpu::on(2), in, out, &item::keep), 2);
  EXPECT_EQ(out[1].value, 3);
  std::vector<int> sums(in.size());
  lookback::inclusive_scan(cpu::on(2), lookback::mapped(in, &item::value), sums);
  EXPECT_EQ(sums, (std::vector{1, 3, 6}));
  lookback::inclusive_scan(cpu::on(2), lookback::mapped(in, &item::twice), sums);
  EXPECT_EQ(sums, (std::vector{2, 6, 12}));
}

TEST_F(cpu_engine, calls_from_many_tasks) {
  std::vector<int> in(20000, 1);
  std::atomic<int> right{0};
  cpu::run_workers(cpu::tbb_tasks, 32, [&](int, std::atomic<bool> const&) {
    std::vector<int> out(in.size());
    lookback::inclusive_scan(cpu::on().with(tiles_of(128)), in, out);
    right.fetch_add(out.back() == 20000);
  });
  EXPECT_EQ(right.load(), 32);
}

}  // namespace
