// scan_into on the CPU where items are kept in order, class by class.
#pragma once
#include <algorithm>
#include <type_traits>

#include "../../model/overlap.hpp"
#include "../../sink.hpp"
#include "../run/policy.hpp"
#include "../simd/unit.hpp"
#include "../sinks/compact.hpp"
#include "../sinks/heads.hpp"
#include "../sinks/items.hpp"
#include "run_work.hpp"

namespace lookback::cpu::inline LOOKBACK_UNIT {

namespace detail {

template <class Policy, class Items, class Segments, class Sink>
void scan_compact(Policy const& on, Items const& items, Segments const& segments, Sink const& sink, index_t n) {
  auto const arrays = items.arrays();
  expects(!sink.stacked || reads_twice<typename Policy::strategy_type>,
          "outputs stored one behind the other need a strategy that reads twice, as reduce_then_scan does");
  lookback::detail::expects_compactable(arrays, sink, n, on.direction == right_to_left);
  lookback::detail::expects_marks(segments, sink, n, on.direction == right_to_left);
  expects(decltype(sink.beside)::count == 0 || on.direction == left_to_right,
          "a compaction with additional outputs runs from left to right");
  if (n == 0) {
    for (int c = 0; c < Sink::classes; ++c) sink.counts[c] = 0;
    return;
  }
  auto const marks = described(segments, arrays, n);
  using parts = compact_parts<Items, std::remove_const_t<decltype(marks)>, Sink, is_ends_of_runs<Segments>>;
  constexpr index_t result_bytes = sizeof(typename Sink::value_type);
  index_t const item_bytes = std::max(bytes_of(arrays), result_bytes);
  bool streaming = n * result_bytes > stream_above(on.tuning);
  for (int c = 0; c < Sink::classes; ++c) streaming &= !reads_from(arrays, sink.outputs[c]);
  if (streaming)
    for (int c = 0; c < Sink::classes; ++c) fill_by_huge_pages(sink.outputs[c] - (sink.reversed[c] ? n : 0), n * result_bytes);
  compact_work<parts> work{parts{items, arrays, marks, sink, on.direction == right_to_left, streaming}, n,
                           tile_items(on, item_bytes), usable(on.tuning.simd)};
  auto const last = run_by_policy(on, work, n * item_bytes, sink.stacked);
  // At the end: what throws before leaves them as they were, and the number of items may lie among them.
  std::copy(last.value.counts.begin(), last.value.counts.end(), sink.counts);
}

}  // namespace detail

/// Runs a compaction where `on` says. Waits; throws what a predicate threw, with the outputs part written.
template <class Strategy, class Carry, bool Reproducible, class Items, class Segments, class T, class Op, class Sink>
requires is_compact<Sink>
void scan_into(policy<Strategy, Carry, Reproducible> const& on, size const& number, source<Items, Segments, T> const& from,
               Op const& op, Sink const& sink) {
  detail::expects_strategy<Strategy, Carry, Reproducible, T, Sink>();
  index_t const n = count_of(number);
  if constexpr (is_lifted<Strategy>) lookback::detail::scan_lifted<typename Strategy::base>(on, n, from, op, sink);
  else detail::scan_compact(on, from.items, from.segments, sink, n);
}

}  // namespace lookback::cpu::inline LOOKBACK_UNIT
