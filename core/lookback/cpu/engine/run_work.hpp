// How a call's work is run: by the strategy of its policy, or by one worker where more would not pay.
#pragma once
#include <optional>
#include <type_traits>

#include "../../model/lifted.hpp"
#include "../../sink.hpp"
#include "../run/policy.hpp"
#include "../simd/unit.hpp"
#include "choose.hpp"
#include "strategies.hpp"

namespace lookback::cpu::inline LOOKBACK_UNIT {

namespace detail {

/// Has the strategy of a call a form here that fits the sink? Else a sentence says what it is for.
template <class Strategy, class Carry, bool Reproducible, class T, class Sink>
constexpr void expects_strategy() {
  static_assert(has_cpu_form<Strategy>, "this strategy has no CPU form");
  static_assert(!propagates<Strategy> || is_lifted<Strategy> || std::is_same_v<Sink, each<T, as_it_is>>,
                "scan_then_propagate is for scans that store every value of the operator, as it is");
  static_assert(!propagates<Strategy> || (std::is_same_v<Carry, no_carry> && !Reproducible),
                "scan_then_propagate has no carry, and is not reproducible");
  static_assert(is_each<Sink> || is_compact<Sink> || is_per_segment<Sink> || std::is_same_v<Carry, no_carry>,
                "a carry is for scans, compactions and results of segments");
  static_assert(is_each<Sink> || !is_lifted<Strategy> || std::is_same_v<Carry, no_carry>,
                "a compaction and results of segments have a carry under any strategy but a lifted one");
}

template <class Op>
auto const& plain_operator(Op const& op) {
  if constexpr (lookback::is_segmented<Op>) return op.op;
  else return op;
}

/// Runs `work` by the strategy of `on`, on one worker where more would not pay. `needs_strategy`: it would be wrong under any
/// other, so one worker runs it too.
template <class Policy, class Work>
auto run_by_policy(Policy const& on, Work& work, index_t bytes, bool needs_strategy = false, bool elsewhere = false) {
  std::optional<recent_calls> mine;
  if (!std::is_same_v<typename Policy::strategy_type, sequential> && elsewhere && bytes >= serial_below(on.tuning, true))
    mine.emplace();
  using strategy = typename Policy::strategy_type;
  chosen_way const chosen = choose(on, {bytes, work.tiles(), needs_strategy, elsewhere});
  observe_choice(chosen, strategy::name, work.tiles(), reads_twice<strategy> || propagates<strategy>, propagates<strategy>);
  if constexpr (!std::is_same_v<typename Policy::strategy_type, sequential>)
    if (chosen.by == way::by_strategy)
      return run_tiles(typename Policy::strategy_type{}, work, on.executor, on.memory, chosen.workers);
  auto const last = run_tiles(sequential{}, work, on.executor, on.memory, 1);
  streaming_fence();
  return last;
}

}  // namespace detail

}  // namespace lookback::cpu::inline LOOKBACK_UNIT
