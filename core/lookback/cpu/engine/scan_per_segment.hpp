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
#include "chunk.hpp"
#include "run_work.hpp"

namespace lookback::cpu::inline LOOKBACK_UNIT {

namespace detail {

/// What is stored of segment first + s, where a chunk says s.
template <class F>
struct numbered_from {
  F f;
  index_t first;
  template <class T>
  decltype(auto) operator()(index_t s, T const& value) const {
    return lookback::detail::stored(f, first + s, value);
  }
};

/// A chunk by offsets or rows, which speak of positions in the whole: the segments that end in it, and with the last one all that
/// are left. Results of offsets go where the whole has them, those of rows one behind the other.
template <class Chunk, class Items, class Segments, class T, class Out, class F, class... Columns, class Run>
void scan_chunk_by_ends(Chunk const& here, source<Items, Segments, T> const& from, per_segment<Out, F, Columns...> const& sink,
                        index_t n, Run run) {
  index_t const base = here.items_before(),
                all = is_offsets(from.segments) ? from.segments.count - 1 : tiles_of(base + n, from.segments.count);
  chunk_ends ends{from.segments, n, base, 0};
  auto const ended_by = [&](index_t position) {
    index_t first = 0, last = all;
    while (first < last) {
      index_t const middle = first + (last - first) / 2;
      if (ends.end(middle) <= position) first = middle + 1;
      else last = middle;
    }
    return first;
  };
  if (base > 0) ends.first = ended_by(base);
  index_t const end = here.is_last ? all : n > 0 ? ended_by(base + n) : 0;  // nothing ends in a chunk without items but the last
  index_t const number = std::max(ends.first, end) - ends.first;
  Out* const out = sink.out + (is_offsets(from.segments) ? ends.first : 0);
  auto const last =
      run(path_by_ends<chunk_ends>{ends, n, number}, per_segment<Out, numbered_from<F>>{out, nullptr, {sink.f, ends.first}});
  if (sink.count) *sink.count = number;
  if (last.has) here.leave(last.value.open, n);
  else here.pass_on();
}

/// By heads, or by what turns out to be offsets or rows: the path that `run` goes along, `run_by_offsets` that of offsets.
template <class Carry, class Items, class Segments, class T, class Sink, class Run, class RunByOffsets>
void scan_per_described(tuning const& how, Carry const& carry, source<Items, Segments, T> const& from, Sink const& sink, index_t n,
                        Run run, RunByOffsets run_by_offsets) {
  auto const arrays = from.items.arrays();
  auto const here = chunk(carry);
  if constexpr (std::is_same_v<Segments, segments>) {
    if (is_offsets(from.segments) || from.segments.kind == segment_kind::rows) {
      if constexpr (!std::is_same_v<Carry, no_carry>) {
        return scan_chunk_by_ends(here, from, sink, n, run);
      } else {
        bool const rows = from.segments.kind == segment_kind::rows;
        index_t const number = rows ? tiles_of(n, from.segments.count) : from.segments.count - 1;
        path_by_ends<segment_ends> const path{{from.segments, n, order_of_rows(how, number, n)}, n, number};
        if (rows) run(path, sink);
        else run_by_offsets(path);
        if (sink.count) *sink.count = number;
        return;
      }
    }
  }
  auto const marks = described(from.segments, arrays, n);
  heads<std::remove_const_t<decltype(marks)>> const begins{marks, n, false, carry};
  bool const goes_on = here.template open<T>().has;
  auto const last = run(path_by_heads<std::remove_const_t<decltype(begins)>, T>{begins, n, goes_on}, sink);
  index_t ended = last.has ? last.value.ended : 0;
  maybe<T> const open = last.has ? last.value.open : here.template open<T>();
  if (here.is_last && open.has) sink.out[ended++] = static_cast<typename Sink::value_type>(sink.f(open.value));
  if (sink.count) *sink.count = ended;
  if constexpr (!std::is_same_v<Carry, no_carry>) {
    if (last.has) here.leave(open, n, begins);
    else here.pass_on();
  }
}

template <class Policy, class Items, class Segments, class T, class Op, class Sink>
void scan_per_segment(Policy const& on, source<Items, Segments, T> const& from, Op const& op, Sink const& sink, index_t n) {
  static_assert(!std::is_same_v<Segments, no_segments>, "a result per segment needs segments");
  if constexpr (!std::is_same_v<typename Policy::carry_type, no_carry> && std::is_convertible_v<Segments, segments>) {
    segments const& s = from.segments;
    expects(!Policy::is_reproducible || !rounds<T> || !(is_offsets(s) || s.kind == segment_kind::rows),
            "reproducible sums by offsets or rows have one tree for the whole, and no carry: cut between segments, into calls of "
            "their own");
  }
  expects(!Policy::is_reproducible || std::is_integral_v<T> || lookback::is_reproducible<lane_operator_t<Op>>,
          "reproducible is used with a built-in operator");
  if constexpr (std::is_convertible_v<Segments, segments>)
    expects(!is_offsets(from.segments) || has_identity<Op> || from.initial.has,
            "an initial value is given if the operator has no identity(), because segments may be empty");
  auto const arrays = from.items.arrays();
  // By heads it is not known before how many segments there are: they may be as many as the items.
  index_t results = n;
  if constexpr (std::is_same_v<Segments, offset_segments>) results = from.segments.count - 1;
  bool const streaming = results * static_cast<index_t>(sizeof(typename Sink::value_type)) > stream_above(on.tuning);
  maybe<T> empty = from.initial;
  if constexpr (has_identity<Op>)
    if (!empty.has) empty = maybe<T>{static_cast<T>(op.identity())};
  index_t const item_bytes = std::max<index_t>(bytes_of(arrays), sizeof(T));
  constexpr bool elsewhere = reads_elsewhere<Items>;
  auto const run = [&](auto const& path, auto const& to) {
    index_t const length = path.length();
    if (length == 0) return maybe<open_segment<T>>{};
    using parts = each_parts<Items, T, Op, std::remove_cvref_t<decltype(to)>, true>;
    parts const p{from.items, arrays, op, to, from.initial, false, streaming, empty};
    using by = std::remove_cvref_t<decltype(path)>;
    constexpr index_t staged = std::max<index_t>(sizeof(typename Sink::value_type), widest_column<decltype(Sink::firsts)>);
    index_t const bytes = by::stages_results ? std::max(item_bytes, staged) : item_bytes;
    bool const chosen = Policy::is_reproducible || on.tuning.tile_items > 0 || by::stages_results;
    index_t const items =
        chosen ? tile_items(on, bytes) : default_path_items(on.tuning, bytes, length, serial_below(on.tuning, elsewhere));
    per_segment_work<parts, by> work{p, path, items, usable(on.tuning.simd), chunk(on.carry).template open<T>()};
    return run_by_policy(on, work, length * item_bytes, false, elsewhere);
  };
  auto const run_by_offsets = [&](path_by_ends<segment_ends> const& path) {
    if constexpr (Policy::is_reproducible && rounds<T> && lookback::is_reproducible<Op>) {
      index_t const length = path.length();
      if (length == 0) return;
      index_t const steps = on.tuning.tile_items > 0
                                ? on.tuning.tile_items
                                : default_path_items(on.tuning, item_bytes, length, serial_below(on.tuning, elsewhere));
      using parts = each_parts<Items, T, Op, Sink, true>;
      using work_type = reproducible_ends_work<parts>;
      work_type work{parts{from.items, arrays, op, sink, from.initial, false, streaming, empty}, path,
                     static_cast<int>(std::min<index_t>(steps / work_type::tree_steps, work_type::most)), usable(on.tuning.simd)};
      run_by_policy(on, work, length * item_bytes, false, elsewhere);
    } else run(path, sink);
  };
  if constexpr (!std::is_same_v<Segments, offset_segments>) {
    scan_per_described(on.tuning, on.carry, from, sink, n, run, run_by_offsets);
  } else if constexpr (!std::is_same_v<typename Policy::carry_type, no_carry>) {
    scan_chunk_by_ends(chunk(on.carry), from, sink, n, run);
  } else {
    index_t const number = from.segments.count - 1;
    run_by_offsets({{from.segments, n, order_of_rows(on.tuning, number, n)}, n, number});
    if (sink.count) *sink.count = number;
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
