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
#include "chunk.hpp"
#include "run_work.hpp"

namespace lookback::cpu::inline LOOKBACK_UNIT {

namespace detail {

/// Runs of a chunk, of which the first may have begun in an earlier one; nothing where nothing is cut, or marks are the chunk's
/// own.
template <class Segments, class Marks, class Carry>
auto runs_of_chunk(Marks const& marks, index_t n, Carry const& carry) {
  if constexpr (is_runs<Segments> && !std::is_same_v<Carry, no_carry>) return heads<Marks>(marks, n, false, carry);
  else return no_segments{};
}
template <class Marks>
chunk_marks<Marks> marks_of_chunk(Marks const& marks, heads<Marks> const& begins) {
  return {marks, begins.starts};
}
template <class Marks>
Marks marks_of_chunk(Marks const& marks, no_segments) {
  return marks;
}

/// Leaves how many of class 0 there were up to here, and the last key of runs.
template <class S, class Key, class Runs>
void leave_compacted(carry<S, Key> const& carry, index_t kept, index_t n, Runs const& begins) {
  static_assert(std::is_same_v<S, index_t>, "a compaction takes carry<index_t, Key>: the value is how many were kept");
  chunk const here(carry);
  auto const before = here.template open<index_t>();
  here.leave(maybe<index_t>{before.has ? before.value + kept : kept}, n, begins);
}

template <class Policy, class Items, class Segments, class Sink>
void scan_compact(Policy const& on, Items const& items, Segments const& segments, Sink const& sink, index_t n) {
  auto const arrays = items.arrays();
  expects(!sink.stacked || reads_twice<typename Policy::strategy_type>,
          "outputs stored one behind the other need a strategy that reads twice, as reduce_then_scan does");
  lookback::detail::expects_compactable(arrays, sink, n, on.direction == right_to_left);
  lookback::detail::expects_marks(segments, sink, n, on.direction == right_to_left);
  expects(decltype(sink.beside)::count == 0 || on.direction == left_to_right,
          "a compaction with additional outputs runs from left to right");
  using carry_type = typename Policy::carry_type;
  static_assert(std::is_same_v<carry_type, no_carry> || !is_ends_of_runs<Segments>,
                "only what ends within a chunk is known to be a run of two or more: non_trivial_runs has no carry");
  if (n == 0) {
    for (int c = 0; c < Sink::classes; ++c) sink.counts[c] = 0;
    if constexpr (!std::is_same_v<carry_type, no_carry>) chunk(on.carry).pass_on();
    return;
  }
  auto const described_here = described(segments, arrays, n);
  auto const begins = runs_of_chunk<Segments>(described_here, n, on.carry);
  auto const marks = marks_of_chunk(described_here, begins);
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
  if constexpr (!std::is_same_v<carry_type, no_carry>) leave_compacted(on.carry, last.value.counts[0], n, begins);
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
