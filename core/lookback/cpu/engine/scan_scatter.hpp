// scan_into on the CPU where items are split into classes of known sizes.
#pragma once
#include <algorithm>
#include <type_traits>

#include "../../sink.hpp"
#include "../run/policy.hpp"
#include "../simd/unit.hpp"
#include "../sinks/scatter.hpp"
#include "run_work.hpp"

namespace lookback::cpu::inline LOOKBACK_UNIT {

namespace detail {

/// Classes begin where the sink says.
template <class Policy, class Items, class Sink>
void scan_scatter(Policy const& on, Items const& items, Sink const& sink, index_t n) {
  if (n == 0) return;
  index_t const size = sizeof(typename Sink::value_type), bytes = std::max(bytes_of(items.arrays()), size);
  scatter_work<Items, Sink> work{items, sink, n, tile_items(on, bytes), n * size > stream_above(on.tuning)};
  run_by_policy(on, work, n * bytes);
}

}  // namespace detail

/// Runs a split where `on` says. Waits; throws what a function threw, with `out` part written.
template <class Strategy, class Carry, bool Reproducible, class Items, class Segments, class T, class Op, class Sink>
requires is_scatter<Sink>
void scan_into(policy<Strategy, Carry, Reproducible> const& on, size const& number, source<Items, Segments, T> const& from,
               Op const& op, Sink const& sink) {
  detail::expects_strategy<Strategy, Carry, Reproducible, T, Sink>();
  index_t const n = count_of(number);
  if constexpr (is_lifted<Strategy>) lookback::detail::scan_lifted<typename Strategy::base>(on, n, from, op, sink);
  else detail::scan_scatter(on, from.items, sink, n);
}

}  // namespace lookback::cpu::inline LOOKBACK_UNIT
