// From the strategy of a request to a policy of either back end.
#pragma once
#include <lookback/strategy.hpp>

#include "types.hpp"

namespace lookback::dispatch {

static_assert(has_gpu_form<sequential> == has_strategy(back_end::gpu, strategy::sequential));

/// Policies of the GPU have a stream.
template <class Policy>
concept has_stream = requires(Policy const& policy) {
  policy.stream;
};

/// f(policy) with the strategy that was asked for. Those that are there to be compared are compiled where EveryStrategy says so,
/// and one that needs every value of a scan stored where EveryValue does, too. Everywhere else the policy stays as it is.
template <bool EveryStrategy, bool EveryValue = false, class Policy, class F>
void by_strategy(Policy const& policy, strategy how, F const& f) {
  if constexpr (EveryStrategy) {
    if (how == strategy::chained) return f(policy.with(chained{}));
    if (how == strategy::auxiliary_block) return f(policy.with(auxiliary_block{}));
    if (how == strategy::reduce_then_scan) return f(policy.with(reduce_then_scan{}));
    if constexpr (has_stream<Policy>)
      if (how == strategy::sequential_look_back) return f(policy.with(sequential_look_back{}));
    if constexpr (EveryValue)
      if (how == strategy::scan_then_propagate) return f(policy.with(scan_then_propagate{}));
  }
  f(policy);
}

}  // namespace lookback::dispatch
