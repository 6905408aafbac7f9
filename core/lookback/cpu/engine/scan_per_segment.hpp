// scan_into on the CPU where every segment has one result: by heads, along the merge path by offsets and rows.
#pragma once
#include <algorithm>
#include <type_traits>

#include "../../lanes.hpp"
#include "../../operators.hpp"
#include "../../sink.hpp"
#include "../run/policy.hpp"
#include "../simd/unit.hpp"
#include "../sinks/heads.hpp"
#include "../sinks/items.hpp"
#include "../sinks/per_segment.hpp"
#include "../sinks/reproducible_ends.hpp"
#include "run_work.hpp"

namespace lookback::cpu::inline LOOKBACK_UNIT {

namespace detail {

/// By heads, or by what turns out to be offsets or rows: the path that `run` goes along, `run_by_offsets` that of offsets.
template <class Items, class Segments, class T, class Sink, class Run, class RunByOffsets>
void scan_per_described(tuning const& how, source<Items, Segments, T> const& from, Sink const& sink, index_t n, Run run,
                        RunByOffsets run_by_offsets) {
  auto const arrays = from.items.arrays();
  if constexpr (std::is_same_v<Segments, segments>) {
    if (is_offsets(from.segments) || from.segments.kind == segment_kind::rows) {
      bool const rows = from.segments.kind == segment_kind::rows;
      index_t const number = rows ? tiles_of(n, from.segments.count) : from.segments.count - 1;
      path_by_ends<segment_ends> const path{{from.segments, n, order_of_rows(how, number, n)}, n, number};
      if (rows) run(path);
      else run_by_offsets(path);
      if (sink.count) *sink.count = number;
      return;
    }
  }
  auto const marks = described(from.segments, arrays, n);
  using heads = cpu::heads<std::remove_const_t<decltype(marks)>>;
  auto const last = run(path_by_heads<heads, T>{{marks, n, false, no_carry{}}, n});
  if (last.has) sink.out[last.value.ended] = static_cast<typename Sink::value_type>(sink.f(last.value.open.value));
  if (sink.count) *sink.count = last.has ? last.value.ended + 1 : 0;
}

template <class Policy, class Items, class Segments, class T, class Op, class Sink>
void scan_per_segment(Policy const& on, source<Items, Segments, T> const& from, Op const& op, Sink const& sink, index_t n) {
  static_assert(!std::is_same_v<Segments, no_segments>, "a result per segment needs segments");
  expects(!Policy::is_reproducible || std::is_integral_v<T> || lookback::is_reproducible<lane_operator_t<Op>>,
          "reproducible is used with a built-in operator");
  if constexpr (std::is_convertible_v<Segments, segments>)
    expects(!is_offsets(from.segments) || has_identity<Op> || from.initial.has,
            "an initial value is given if the operator has no identity(), because segments may be empty");
  using parts = each_parts<Items, T, Op, Sink, true>;
  auto const arrays = from.items.arrays();
  // By heads it is not known before how many segments there are: they may be as many as the items.
  index_t results = n;
  if constexpr (std::is_same_v<Segments, offset_segments>) results = from.segments.count - 1;
  bool const streaming = results * static_cast<index_t>(sizeof(typename Sink::value_type)) > stream_above(on.tuning);
  parts p{from.items, arrays, op, sink, from.initial, false, streaming, from.initial};
  if constexpr (has_identity<Op>)
    if (!p.empty.has) p.empty = maybe<T>{static_cast<T>(op.identity())};
  index_t const item_bytes = std::max<index_t>(bytes_of(arrays), sizeof(T));
  constexpr bool elsewhere = reads_elsewhere<Items>;
  auto const run = [&](auto const& path) {
    index_t const length = path.length();
    if (length == 0) return maybe<open_segment<T>>{};
    using by = std::remove_cvref_t<decltype(path)>;
    constexpr index_t staged = std::max<index_t>(sizeof(typename Sink::value_type), widest_column<decltype(Sink::firsts)>);
    index_t const bytes = by::stages_results ? std::max(item_bytes, staged) : item_bytes;
    bool const chosen = Policy::is_reproducible || on.tuning.tile_items > 0 || by::stages_results;
    index_t const items =
        chosen ? tile_items(on, bytes) : default_path_items(on.tuning, bytes, length, serial_below(on.tuning, elsewhere));
    per_segment_work<parts, by> work{p, path, items, usable(on.tuning.simd)};
    return run_by_policy(on, work, length * item_bytes, false, elsewhere);
  };
  auto const run_by_offsets = [&](path_by_ends<segment_ends> const& path) {
    if constexpr (Policy::is_reproducible && rounds<T> && lookback::is_reproducible<Op>) {
      index_t const length = path.length();
      if (length == 0) return;
      index_t const steps = on.tuning.tile_items > 0
                                ? on.tuning.tile_items
                                : default_path_items(on.tuning, item_bytes, length, serial_below(on.tuning, elsewhere));
      using work_type = reproducible_ends_work<parts>;
      work_type work{p, path, static_cast<int>(std::min<index_t>(steps / work_type::tree_steps, work_type::most)),
                     usable(on.tuning.simd)};
      run_by_policy(on, work, length * item_bytes, false, elsewhere);
    } else run(path);
  };
  if constexpr (std::is_same_v<Segments, offset_segments>) {
    index_t const number = from.segments.count - 1;
    run_by_offsets({{from.segments, n, order_of_rows(on.tuning, number, n)}, n, number});
    if (sink.count) *sink.count = from.segments.count - 1;
  } else {
    scan_per_described(on.tuning, from, sink, n, run, run_by_offsets);
  }
}

}  // namespace detail

/// Reduces segments where `on` says. Waits; throws what an operator threw, with `out` part written.
template <class Strategy, class Carry, bool Reproducible, class Items, class Segments, class T, class Op, class Sink>
requires is_per_segment<Sink>
void scan_into(policy<Strategy, Carry, Reproducible> const& on, size const& number, source<Items, Segments, T> const& from,
               Op const& op, Sink const& sink) {
  detail::expects_strategy<Strategy, Carry, Reproducible, T, Sink>();
  index_t const n = count_of(number);
  if constexpr (is_lifted<Strategy>) lookback::detail::scan_lifted<typename Strategy::base>(on, n, from, op, sink);
  else detail::scan_per_segment(on, from, detail::plain_operator(op), sink, n);
}

}  // namespace lookback::cpu::inline LOOKBACK_UNIT
