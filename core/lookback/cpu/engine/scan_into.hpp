// scan_into on the CPU: which work a sink asks for, how large its tiles are, how many workers it is worth.
#pragma once
#include <algorithm>
#include <optional>
#include <type_traits>

#include "../../lanes.hpp"
#include "../../model/lifted.hpp"
#include "../../model/overlap.hpp"
#include "../../operators.hpp"
#include "../../sink.hpp"
#include "../run/policy.hpp"
#include "../simd/unit.hpp"
#include "../sinks/compact.hpp"
#include "../sinks/each.hpp"
#include "../sinks/heads.hpp"
#include "../sinks/items.hpp"
#include "../sinks/per_segment.hpp"
#include "../sinks/reproducible.hpp"
#include "../sinks/reproducible_ends.hpp"
#include "../sinks/scatter.hpp"
#include "choose.hpp"
#include "strategies.hpp"

namespace lookback::cpu::inline LOOKBACK_UNIT {

namespace detail {

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
  chosen_way const chosen = choose(on, {bytes, work.tiles(), needs_strategy, elsewhere});
  if constexpr (!std::is_same_v<typename Policy::strategy_type, sequential>)
    if (chosen.by == way::by_strategy)
      return run_tiles(typename Policy::strategy_type{}, work, on.executor, on.memory, chosen.workers);
  auto const last = run_tiles(sequential{}, work, on.executor, on.memory, 1);
  streaming_fence();
  return last;
}

template <class Policy, class Parts, class Heads>
void scan_each(Policy const& on, Parts const& parts, Heads const& heads, maybe<typename Parts::value_type> const& before, index_t n,
               index_t item_bytes) {
  using T = typename Parts::value_type;
  simd_level const level = usable(on.tuning.simd);
  auto const last = [&] {
    if constexpr (Policy::is_reproducible && std::is_floating_point_v<T>) {
      using op = decltype(Parts::op);
      static_assert(lookback::is_reproducible<op>,
                    "a reproducible scan of floats needs plus, multiplies, minimum or maximum of float or double");
      index_t const items =
          on.tuning.tile_items > 0 ? on.tuning.tile_items : reproducible_work<Parts, Heads>::most * tree<T>::items;
      expects(items % tree<T>::items == 0 && items <= reproducible_work<Parts, Heads>::most * tree<T>::items,
              "with reproducible, tuning.tile_items is 1 to 8 times the items of a tree tile");
      reproducible_work<Parts, Heads> work{parts, heads, before, n, items, level};
      return run_by_policy(on, work, n * item_bytes);
    } else {
      each_work<Parts, Heads> work{parts, heads, before, n, tile_items(on, item_bytes), level};
      return run_by_policy(on, work, n * item_bytes);
    }
  }();
  if constexpr (!std::is_same_v<typename Policy::carry_type, no_carry>) {
    if (!on.carry.out) return;
    auto& out = *on.carry.out;
    out.count = (on.carry.in ? on.carry.in->count : 0) + n;
    out.any = true;
    if constexpr (Parts::is_segmented) out.any = heads.stays_open(), heads.last_key(out.last_key);
    out.value = static_cast<decltype(out.value)>(T{last.value});
  }
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
  compact_work<parts> work{parts{items, arrays, marks, sink, on.direction == right_to_left, streaming}, n,
                           tile_items(on, item_bytes), usable(on.tuning.simd)};
  auto const last = run_by_policy(on, work, n * item_bytes, sink.stacked);
  // At the end: what throws before leaves them as they were, and the number of items may lie among them.
  std::copy(last.value.counts.begin(), last.value.counts.end(), sink.counts);
}

/// Classes begin where the sink says.
template <class Policy, class Items, class Sink>
void scan_scatter(Policy const& on, Items const& items, Sink const& sink, index_t n) {
  if (n == 0) return;
  index_t const size = sizeof(typename Sink::value_type), bytes = std::max(bytes_of(items.arrays()), size);
  scatter_work<Items, Sink> work{items, sink, n, tile_items(on, bytes), n * size > stream_above(on.tuning)};
  run_by_policy(on, work, n * bytes);
}

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

/// Runs a scan where `on` says: what every algorithm calls. Waits; throws what an operator threw, with `out` part written.
template <class Strategy, class Carry, bool Reproducible, class Items, class Segments, class T, class Op, class Sink>
void scan_into(policy<Strategy, Carry, Reproducible> const& on, size const& number, source<Items, Segments, T> const& from,
               Op const& given, Sink const& sink) {
  static_assert(has_cpu_form<Strategy>, "this strategy has no CPU form");
  static_assert(!propagates<Strategy> || is_lifted<Strategy> || std::is_same_v<Sink, each<T, as_it_is>>,
                "scan_then_propagate is for scans that store every value of the operator, as it is");
  static_assert(!propagates<Strategy> || (std::is_same_v<Carry, no_carry> && !Reproducible),
                "scan_then_propagate has no carry, and is not reproducible");
  index_t const n = count_of(number);
  if constexpr (is_lifted<Strategy>) {
    lookback::detail::scan_lifted<typename Strategy::base>(on, n, from, given, sink);
  } else if constexpr (lookback::is_each<Sink>) {
    auto const& op = detail::plain_operator(given);
    constexpr bool is_segmented = !std::is_same_v<Segments, no_segments>;
    using plain = std::remove_cvref_t<decltype(op)>;
    using parts = each_parts<Items, T, plain, Sink, is_segmented>;
    if constexpr (!std::is_same_v<Carry, no_carry>) {
      if (n == 0) {
        if (on.carry.out && on.carry.in) *on.carry.out = *on.carry.in;
        else if (on.carry.out) on.carry.out->any = false, on.carry.out->count = 0;
      }
    }
    if (n == 0) return;
    auto const arrays = from.items.arrays();
    index_t const read_bytes = detail::bytes_of(arrays), item_bytes = std::max<index_t>(read_bytes, sizeof(T));
    index_t const out_bytes = n * static_cast<index_t>(sizeof(typename Sink::value_type));
    bool const streaming = out_bytes > stream_above(on.tuning) && !detail::reads_from(arrays, sink.out);
    parts const p{from.items, arrays, op, sink, from.initial, on.direction == right_to_left, streaming};
    maybe<T> before = from.initial;
    bool continues = false;
    if constexpr (!std::is_same_v<Carry, no_carry>) {
      continues = on.carry.in && on.carry.in->any;
      if (continues) before = maybe<T>{static_cast<T>(on.carry.in->value)};
    }
    if constexpr (is_segmented) {
      auto const marks = detail::described(from.segments, arrays, n);
      heads<std::remove_const_t<decltype(marks)>> const h{marks, n, p.reversed, on.carry};
      if (h.starts) before = maybe<T>{};
      detail::scan_each(on, p, h, before, n, item_bytes);
    } else detail::scan_each(on, p, no_segments{}, before, n, item_bytes);
  } else {
    static_assert(std::is_same_v<Carry, no_carry>, "a carry needs a sink that stores every value");
    if constexpr (lookback::is_compact<Sink>) detail::scan_compact(on, from.items, from.segments, sink, n);
    else if constexpr (lookback::is_scatter<Sink>) detail::scan_scatter(on, from.items, sink, n);
    else detail::scan_per_segment(on, from, detail::plain_operator(given), sink, n);
  }
}

}  // namespace lookback::cpu::inline LOOKBACK_UNIT
