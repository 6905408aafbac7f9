// Work on the host that falls into pieces: readers and writers of matrices.
#pragma once
#include <algorithm>
#include <atomic>
#include <lookback/cpu/run/executor_threads.hpp>
#include <lookback/fn.hpp>

namespace lookback::app {

/// How a file is read or written.
struct reading {
  int threads = 0;              // 0: as many as the machine has
  std::size_t piece_bytes = 0;  // of text that a thread takes at a time; 0: by its size
};

/// f(piece) for each piece in [0, pieces), in any order and on several threads. The first exception ends it and is thrown again.
template <class F>
void each_piece(int threads, index_t pieces, F const& f) {
  if (pieces <= 0) return;
  std::atomic<index_t> next{0};
  auto const workers = std::min<index_t>(pieces, cpu::std_threads.workers(threads));
  cpu::run_workers(cpu::std_threads, static_cast<int>(workers), [&](int, std::atomic<bool> const& failing) {
    for (index_t piece;
         (piece = next.fetch_add(1, std::memory_order_relaxed)) < pieces && !failing.load(std::memory_order_relaxed);)
      f(piece);
  });
}

}  // namespace lookback::app
