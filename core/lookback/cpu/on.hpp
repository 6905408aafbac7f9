// A policy that runs on oneTBB's workers.
#pragma once
#include "run/executor_tbb.hpp"
#include "run/policy.hpp"
#include "simd/unit.hpp"

namespace lookback::cpu::inline LOOKBACK_UNIT {

/// At most `threads` workers as isolated oneTBB tasks in the arena of the calling thread; 0 is all that it has.
inline policy<> on(int threads = 0) {
  policy<> p;
  p.threads = threads;
  p.executor = tbb_tasks;
  return p;
}

}  // namespace lookback::cpu::inline LOOKBACK_UNIT
