// Which way a call of scan_into is run, and by how many workers. The table of ways is in core/README.md.
#pragma once
#include <algorithm>
#include <atomic>
#include <chrono>
#include <limits>
#include <type_traits>

#include "../../strategy.hpp"
#include "../run/policy.hpp"
#include "../simd/unit.hpp"

namespace lookback::cpu::inline LOOKBACK_UNIT::detail {

enum class way {
  one_worker,   // tile after tile, without a protocol (strategies/sequential.hpp)
  by_strategy,  // by the strategy of the policy
};

struct call_facts {
  index_t bytes, tiles;
  bool needs_strategy = false;  // one worker without it would leave something else
  bool elsewhere = false;       // items are read where indices say
};

/// Is this one of a row of calls? To wake workers takes longer than a small call does by one of them: the second of a row pays for
/// it, and those after it gain. How many workers there are changes no result (docs/lab/cpu.md, 33).
class recent_calls {
  using clock = std::chrono::steady_clock;
  static inline std::atomic<clock::rep> last_end{std::numeric_limits<clock::rep>::min() / 2};

 public:
  static bool ended_lately() {
    return clock::now().time_since_epoch().count() - last_end.load(std::memory_order_relaxed) <
           clock::duration(std::chrono::microseconds(200)).count();
  }
  recent_calls() = default;
  recent_calls(recent_calls const&) = delete;
  recent_calls& operator=(recent_calls const&) = delete;
  ~recent_calls() { last_end.store(clock::now().time_since_epoch().count(), std::memory_order_relaxed); }
};

struct chosen_way {
  way by = way::one_worker;
  int workers = 1;
};

template <class Policy>
chosen_way choose(Policy const& on, call_facts const& call) {
  using strategy = typename Policy::strategy_type;
  if constexpr (std::is_same_v<strategy, sequential>) return {};
  bool pays = call.bytes >= serial_below(on.tuning, call.elsewhere);
  if (pays && call.elsewhere && call.bytes < wakes_from(on.tuning)) pays = recent_calls::ended_lately();
  int const workers = pays ? static_cast<int>(std::min<index_t>(on.executor.workers(on.threads), call.tiles)) : 1;
  bool const asked_for = call.needs_strategy || propagates<strategy> || (pays && on.tuning.protocol_always);
  if (workers > 1 || asked_for) return {way::by_strategy, workers};
  return {};
}

}  // namespace lookback::cpu::inline LOOKBACK_UNIT::detail
