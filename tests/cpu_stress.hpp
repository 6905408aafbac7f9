// The CPU engine under stress: tiny tiles, more threads than cores, what throws and what refuses.
#pragma once
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <lookback/cpu.hpp>
#include <lookback/cpu/run/executor_threads.hpp>
#include <thread>
#include <vector>

namespace stress {

namespace cpu = lookback::cpu;
using lookback::index_t;

/// Tiles so small that every call goes through the protocol.
inline cpu::tuning tiles_of(index_t items) {
  cpu::tuning t;
  t.tile_items = items, t.serial_below_bytes = 1, t.protocol_always = true;
  return t;
}

inline int many_threads() { return 8 * std::max(1, static_cast<int>(std::thread::hardware_concurrency())); }

/// body(policy) for look-back on both executors, and for the other strategies.
template <class Body>
void each_engine(cpu::tuning const& tuning, Body body) {
  auto const threads = cpu::on(many_threads()).with(cpu::std_threads).with(tuning);
  auto const tasks = cpu::on().with(tuning);
  {
    SCOPED_TRACE("look-back on std::thread");
    body(threads);
  }
  {
    SCOPED_TRACE("look-back on oneTBB");
    body(tasks);
  }
  {
    SCOPED_TRACE("reduce-then-scan on std::thread");
    body(threads.with(lookback::reduce_then_scan{}));
  }
  {
    SCOPED_TRACE("chained on oneTBB");
    body(tasks.with(lookback::chained{}));
  }
  {
    SCOPED_TRACE("auxiliary_block on std::thread");
    body(threads.with(lookback::auxiliary_block{}));
  }
  {
    SCOPED_TRACE("waiting_look_back on oneTBB");
    body(tasks.with(lookback::waiting_look_back{}));
  }
}
/// The same, and the strategy that scans alone have.
template <class Body>
void each_engine_of_scans(cpu::tuning const& tuning, Body body) {
  each_engine(tuning, body);
  SCOPED_TRACE("scan_then_propagate on oneTBB");
  body(cpu::on().with(tuning).with(lookback::scan_then_propagate{}));
}

/// What a test throws.
struct thrown {
  std::int64_t at;
};

/// Memory whose k-th allocation is refused; counts what is held.
struct refusing {
  int calls = 0, refuse = -1, held = 0;
  cpu::memory memory() {
    return {[](std::size_t bytes, void* context) -> void* {
              auto& r = *static_cast<refusing*>(context);
              if (r.calls++ == r.refuse) return nullptr;
              ++r.held;
              return cpu::heap.allocate(bytes, nullptr);
            },
            [](void* data, std::size_t bytes, void* context) {
              --static_cast<refusing*>(context)->held;
              cpu::heap.release(data, bytes, nullptr);
            },
            this};
  }
};

/// body(on) under memory that refuses its first, second, ... allocation, until none is refused: before that nothing of `all` has
/// changed.
template <class On, class Body>
void check_refusals(On const& plain, std::vector<std::vector<std::uint32_t>*> const& all, Body body) {
  std::vector<std::vector<std::uint32_t>> before;
  for (auto* const each : all) before.push_back(*each);
  for (int refuse = 0;; ++refuse) {
    ASSERT_LT(refuse, 1000);
    refusing source;
    source.refuse = refuse;
    for (std::size_t k = 0; k < all.size(); ++k) *all[k] = before[k];
    try {
      body(plain.with(source.memory()));
      EXPECT_EQ(source.held, 0);
      EXPECT_GT(refuse, 0) << "no scratch at all";
      return;
    } catch (lookback::out_of_memory const&) {
      EXPECT_EQ(source.held, 0);
      for (std::size_t k = 0; k < all.size(); ++k) EXPECT_EQ(*all[k], before[k]) << "array " << k << ", allocation " << refuse;
    }
  }
}

}  // namespace stress
