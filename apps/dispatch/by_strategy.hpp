// From the strategy of a request to a policy of the CPU.
#pragma once
#include <lookback/cpu.hpp>

#include "scan.hpp"

namespace lookback::dispatch {

/// f(policy) by the strategy that was asked for. Those that are there to be compared are compiled where EveryStrategy says so; the
/// others are one policy, since one worker has no protocol.
template <bool EveryStrategy, class F>
void by_strategy(place const& on, strategy how, F const& f) {
  auto const workers = cpu::on(how == strategy::sequential ? 1 : on.threads);
  if constexpr (EveryStrategy) {
    if (how == strategy::chained) return f(workers.with(chained{}));
    if (how == strategy::auxiliary_block) return f(workers.with(auxiliary_block{}));
    if (how == strategy::reduce_then_scan) return f(workers.with(reduce_then_scan{}));
  }
  f(workers);
}

}  // namespace lookback::dispatch
