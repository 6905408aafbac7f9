// The CPU back end on oneTBB. Without oneTBB include <lookback/cpu/threads.hpp> instead: the same engine on std::thread.
//
//   lookback::inclusive_scan(lookback::cpu::on(8), in, out);     at most 8 threads; on(0): all of the calling thread's arena
//   lookback::inclusive_scan(lookback::cpu::seq, in, out);       this thread alone
#pragma once
#include "cpu/counts.hpp"
#include "cpu/distribute_into.hpp"
#include "cpu/executor_tbb.hpp"
#include "cpu/policy.hpp"
#include "cpu/scan_into.hpp"

namespace lookback::cpu {

/// At most `threads` workers as isolated oneTBB tasks in the arena of the calling thread; 0 is all that it has.
inline policy<> on(int threads = 0) {
  policy<> p;
  p.threads = threads;
  p.executor = tbb_tasks;
  return p;
}

}  // namespace lookback::cpu
