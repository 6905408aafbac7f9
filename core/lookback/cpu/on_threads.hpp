// A policy that runs on std::thread, for programs without oneTBB. Threads start and end with each call: about 20 us for each.
#pragma once
#include "run/executor_threads.hpp"
#include "run/policy.hpp"
#include "simd/unit.hpp"

namespace lookback::cpu::inline LOOKBACK_UNIT {

/// At most `threads` workers, the calling thread and std::threads; 0 is one per hardware thread.
inline policy<> on_threads(int threads = 0) {
  policy<> p;
  p.threads = threads;
  p.executor = std_threads;
  return p;
}

}  // namespace lookback::cpu::inline LOOKBACK_UNIT
