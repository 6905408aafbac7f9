// The CPU back end on oneTBB. Without oneTBB include <lookback/cpu/threads.hpp> instead: the same engine on std::thread.
//
//   lookback::inclusive_scan(lookback::cpu::on(8), in, out);     at most 8 threads; on(0): all of the calling thread's arena
//   lookback::inclusive_scan(lookback::cpu::seq, in, out);       this thread alone
#pragma once
#include "cpu/engine/counts.hpp"
#include "cpu/engine/distribute_into.hpp"
#include "cpu/engine/scan_into.hpp"
#include "cpu/engine/scatter_into.hpp"
#include "cpu/run/executor_tbb.hpp"
#include "cpu/run/policy.hpp"
#include "cpu/simd/unit.hpp"
#include "cpu/sorts/sort_into.hpp"

namespace lookback::cpu::inline LOOKBACK_UNIT {

/// At most `threads` workers as isolated oneTBB tasks in the arena of the calling thread; 0 is all that it has.
inline policy<> on(int threads = 0) {
  policy<> p;
  p.threads = threads;
  p.executor = tbb_tasks;
  return p;
}

}  // namespace lookback::cpu::inline LOOKBACK_UNIT
