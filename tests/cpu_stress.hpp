// The CPU engine under stress: tiny tiles, more threads than cores, what throws and what refuses.
#pragma once
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <lookback/cpu.hpp>
#include <lookback/cpu/run/executor_threads.hpp>
#include <thread>

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

/// body(policy) for look-back and reduce-then-scan on both executors.
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

}  // namespace stress
