// Which worker does which tile.
#pragma once
#include <atomic>

#include "../../fn.hpp"
#include "../simd/unit.hpp"

namespace lookback::cpu::inline LOOKBACK_UNIT {

/// Hands out 0, 1, 2 ... in the order of asking. Whoever holds a ticket is running, so that all earlier ones are held by workers
/// that run too: waiting for an earlier tile ends with any number of workers, even one.
class tickets {
 public:
  index_t claim() { return next_.fetch_add(1, std::memory_order_relaxed); }

 private:
  alignas(64) std::atomic<index_t> next_{0};
};

}  // namespace lookback::cpu::inline LOOKBACK_UNIT
