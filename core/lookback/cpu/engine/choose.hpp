// Which way a call of scan_into is run, and by how many workers. The table of ways is in core/README.md.
#pragma once
#include <algorithm>
#include <atomic>
#include <chrono>
#include <limits>
#include <type_traits>

#include "../../observe.hpp"
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
  char const* why = "as asked for";
};

template <class Policy>
chosen_way choose(Policy const& on, call_facts const& call) {
  using strategy = typename Policy::strategy_type;
  if constexpr (std::is_same_v<strategy, sequential>) return {};
  bool pays = call.bytes >= serial_below(on.tuning, call.elsewhere);
  char const* alone = pays ? "there is one worker, or one tile" : "there is so little input that one worker is faster";
  if (pays && call.elsewhere && call.bytes < wakes_from(on.tuning)) {
    pays = recent_calls::ended_lately();
    if (!pays) alone = "no call ended lately, and to wake workers would take longer than they save";
  }
  int const workers = pays ? static_cast<int>(std::min<index_t>(on.executor.workers(on.threads), call.tiles)) : 1;
  bool const asked_for = call.needs_strategy || propagates<strategy> || (pays && on.tuning.protocol_always);
  if (workers > 1) return {way::by_strategy, workers, "there is enough input that several workers pay"};
  if (asked_for) return {way::by_strategy, workers, "the call needs a form that one worker alone does not have"};
  return {way::one_worker, 1, alone};
}

/// Notes how a call runs. `reads_again`: its strategy goes over the input twice; `writes_again`: over the output, too.
inline void observe_choice(chosen_way const& chosen, char const* strategy, index_t tiles, bool reads_again, bool writes_again) {
  bool const alone = chosen.by == way::one_worker;
  lookback::detail::observe_way(alone ? "one worker" : strategy, chosen.why, tiles, 0, reads_again && !alone ? 2 : 1,
                                writes_again && !alone ? 2 : 1);
  if (alone) lookback::detail::observe_pass(sequential::name, tiles, 1);
  else if (!reads_again) lookback::detail::observe_pass(strategy, tiles, chosen.workers);  // of two passes each says so itself
}

}  // namespace lookback::cpu::inline LOOKBACK_UNIT::detail
