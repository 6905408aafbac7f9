// From the strategy of a request to a policy of either back end.
#pragma once
#include <lookback/strategy.hpp>
#include <type_traits>

#include "types.hpp"

namespace lookback::dispatch {

static_assert(has_gpu_form<sequential> == has_strategy(back_end::gpu, strategy::sequential));

/// Policies of the GPU have a stream.
template <class Policy>
concept has_stream = requires(Policy const& policy) {
  policy.stream;
};

/// What f stores: products of a matrix; every value of a scan, by a function or as it is; or something else.
enum class stored { other, products, mapped_values, values };

/// f(policy) with the strategy that was asked for. Those that are there to be compared are compiled where EveryStrategy says so,
/// and those that need every value of a scan stored where What does, too. Everywhere else the policy stays as it is.
template <bool EveryStrategy, stored What = stored::other, class Policy, class F>
void by_strategy(Policy const& policy, strategy how, F const& f) {
  if constexpr (EveryStrategy) {
    if (how == strategy::chained) return f(policy.with(chained{}));
    if (how == strategy::auxiliary_block) return f(policy.with(auxiliary_block{}));
    if (how == strategy::reduce_then_scan) return f(policy.with(reduce_then_scan{}));
    if constexpr (has_stream<Policy> || What >= stored::mapped_values)
      if (how == strategy::immediate_look_back) return f(policy.with(immediate_look_back{}));
    if constexpr (has_stream<Policy>) {
      if (how == strategy::sequential_look_back) return f(policy.with(sequential_look_back{}));
      if constexpr (What != stored::products)
        if (how == strategy::wide_look_back) return f(policy.with(wide_look_back{}));
      if (how == strategy::fenced_look_back) return f(policy.with(fenced_look_back{}));
    } else {
      if (how == strategy::waiting_look_back) return f(policy.with(waiting_look_back{}));
    }
    if constexpr (What >= stored::mapped_values) {
      if constexpr (has_stream<Policy>)
        if (how == strategy::fast_tracked_look_back) return f(policy.with(fast_tracked_look_back{}));
      if (how == strategy::lifted) return f(policy.with(lookback::lifted<decoupled_look_back>{}));
      if (how == strategy::lifted_reduce_then_scan) return f(policy.with(lookback::lifted<reduce_then_scan>{}));
    }
    if constexpr (What == stored::values)
      if (how == strategy::scan_then_propagate) return f(policy.with(scan_then_propagate{}));
  }
  f(policy);
}

/// Is the strategy of a policy one of segmented scans alone, as needs_segments() says of its name?
template <class Policy>
inline constexpr bool is_for_segments =
    lookback::is_lifted<typename Policy::strategy_type> || std::is_same_v<typename Policy::strategy_type, fast_tracked_look_back>;

}  // namespace lookback::dispatch
