// Loops on several threads.
#pragma once
#include <algorithm>
#include <atomic>
#include <lookback/cpu/run/machine.hpp>
#include <lookback/fn.hpp>
#include <thread>
#include <vector>

#include "report/progress.hpp"

namespace lookback::app {

/// Calls work(begin, end) for parts of [0, n) that cover it, each once, in any order, on `threads` threads (0: one per core), this
/// one among them. `work` does not throw. No part but the last has fewer items than `smallest`. `doing` is what progress is of.
template <class Work>
void in_parts(index_t n, int threads, Work const& work, index_t smallest = 256, char const* doing = "generating") {
  constexpr index_t parts = 4096;  // many, so that a few parts with most of the work delay nobody
  index_t const size = std::max(smallest, (n + parts - 1) / parts);
  index_t const wanted = threads > 0 ? threads : cpu::usable_cores();
  progress line(doing, static_cast<double>(n));
  std::atomic<index_t> next{0};
  auto const help = [&](progress* shown) {
    for (index_t begin; (begin = next.fetch_add(size, std::memory_order_relaxed)) < n;) {
      work(begin, std::min(n, begin + size));
      if (shown) shown->at(static_cast<double>(begin));
    }
  };
  std::vector<std::jthread> helpers;
  for (index_t t = 1; t < wanted && t * size < n; ++t) helpers.emplace_back(help, nullptr);
  help(&line);
}

}  // namespace lookback::app
