// The CPU back end on std::thread, for programs without oneTBB. Threads start and end with each call: about 20 us for each.
#pragma once
#include "counts.hpp"
#include "distribute_into.hpp"
#include "executor_threads.hpp"
#include "policy.hpp"
#include "scan_into.hpp"

namespace lookback::cpu {

/// At most `threads` workers, the calling thread and std::threads; 0 is one per hardware thread.
inline policy<> on_threads(int threads = 0) {
  policy<> p;
  p.threads = threads;
  p.executor = std_threads;
  return p;
}

}  // namespace lookback::cpu
