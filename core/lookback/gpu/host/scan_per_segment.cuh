// scan_into on the GPU where every segment has one result: by heads, along the merge path, or a row a warp. Only enqueues.
#pragma once
#include "../../lanes.hpp"
#include "../pipelines/row_per_warp.cuh"
#include "../pipelines/staged.cuh"
#include "../pipelines/wave_per_segment.cuh"
#include "../sinks/per_segment_by_heads.cuh"
#include "../sinks/per_segment_by_offsets.cuh"
#include "run_passes.cuh"

namespace lookback::gpu {

namespace detail {

/// By offsets.
template <class Policy, class Items, class T, class Op, class Sink>
void scan_per_end(Policy const& on, size n, source<Items, segments, T> const& from, Op const& op, Sink const& sink) {
  expects(from.segments.count >= 1, "offsets hold at least one position");
  expects(has_identity<Op> || from.initial.has,
          "an initial value is given if the operator has no identity(), because segments may be empty");
  expects(n.bound + from.segments.count < count_descriptors::count_limit, "fewer than 2^40 items and segments are counted");
  using form = path_shape<Items, T, typename Policy::tuning_type>;
  using carry = typename Policy::carry_type;
  using parts = chunk_parts<Items, segments, T, Op, Sink, carry>;
  using tree = path_tile<arrays_t<Items>, T>;
  bool const by_the_tree = on.is_reproducible && rounds<T>;
  if constexpr (!std::is_same_v<carry, no_carry>) {
    static_assert(std::is_same_v<decltype(parts::carried_type::value), T>,
                  "the value in the carry has the type of what is accumulated");
    expects(!by_the_tree, "reproducible sums by offsets have one tree for the whole, and no carry: cut between segments");
    expects(!reads_twice<typename Policy::strategy_type>, "a carry of results by offsets has a strategy that reads once");
  }
  expects(!by_the_tree || std::is_same_v<typename Policy::strategy_type, decoupled_look_back>,
          "reproducible is asked for with the strategy decoupled_look_back");
  expects(!by_the_tree || (form::threads == tree::threads && form::items == tree::items),
          "reproducible is asked for with the default tuning, and where items or sums have more than 16 bytes, with code for sm_90 "
          "to sm_110");
  index_t const segments = from.segments.count - 1;
  scan_launch<typename Policy::strategy_type, carry, parts, form, per_end_work> launch(on, n, n.bound + segments, 1, from, op,
                                                                                       sink);
  run_passes(on, launch, [&](auto now) {
    scan_aggregates<T>(now, launch.call(), 1, directed<Op>{op, false}, segments, form::tile_items, on.stream);
  });
}

/// By heads, or by what turns out to be offsets or rows.
template <class Policy, class Items, class Segments, class T, class Op, class Sink>
void scan_per_described(Policy const& on, size n, source<Items, Segments, T> const& from, Op const& op, Sink const& sink) {
  using strategy = typename Policy::strategy_type;
  using tuning = typename Policy::tuning_type;
  using carry = typename Policy::carry_type;
  constexpr bool is_whole = std::is_same_v<carry, no_carry>;
  using parts = chunk_parts<Items, Segments, T, Op, Sink, carry>;
  static_assert(is_whole || std::is_same_v<decltype(parts::carried_type::value), T>,
                "the value in the carry has the type of what is accumulated");
  if constexpr (!is_whole) {
    expects_key<typename parts::carried_type>(from.segments, from.items.arrays());
    if constexpr (std::is_same_v<Segments, segments>)
      expects(!on.is_reproducible || std::is_integral_v<T> || from.segments.kind != segment_kind::rows,
              "reproducible sums of rows are cut between segments");
  }
  using wave = runs_wave<parts>;
  call_facts call{.wave_threads = threads_of_wave<wave>(on, n),
                  .wave_would_differ = (on.is_reproducible && std::is_floating_point_v<T>) || from.initial.has};
  if constexpr (std::is_same_v<Segments, segments>) call.results_by_offsets = is_offsets(from.segments);
  if constexpr (is_whole && may_fold_rows<Segments, T, Op, Sink>) {
    bool const counts_over = sink.count && sink.count == n.count;  // some read the number when others have done
    call.folds_rows = folds_rows(from.segments) && !counts_over;
    if (choose(call) == way::row_per_warp) return fold_rows(on, n, from, op, sink);
  }
  if constexpr (std::is_same_v<Segments, segments>) {
    if (choose(call) == way::merge_path) return scan_per_end(on, n, from, op, sink);
  }
  if constexpr (!is_whole)
    expects(!on.carry.in || on_device(on.carry.in) || !is_captured(on.stream),
            "a carry comes from device memory where the stream is captured");
  if constexpr (saved_at_heads<parts>::sums_units) expects(!from.initial.has, "lengths of runs begin with nothing");
  expects(
      !on.is_reproducible || std::is_integral_v<T> || repeats_bits<strategy>,
      "reproducible is asked for with a strategy that repeats bits: decoupled_look_back, immediate_look_back, fenced_look_back, "
      "fast_tracked_look_back, chained or reduce_then_scan");
  if constexpr (has_wave<wave, Policy>)
    if (choose(call) == way::one_wave) return scan_in_one_wave<wave>(on, n, from, op, sink, call.wave_threads);
  // Results and first items lie at any phase of 16 bytes.
  using form = head_shape<parts, tuning>;
  scan_launch<strategy, carry, parts, form, per_head_work> launch(on, n, n.bound, 1, from, op, sink);
  run_passes(on, launch, [&](auto now) {
    scan_aggregates<numbered<T>>(now, launch.call(), 1, numbered_fold<Op>{{op, false}}, 0, form::tile_items, on.stream);
  });
}

template <class Policy, class Items, class Segments, class T, class Op, class Sink>
void scan_per_segment(Policy const& on, size n, source<Items, Segments, T> const& from, Op const& op, Sink const& sink) {
  static_assert(!std::is_same_v<Segments, no_segments>, "a result per segment needs segments");
  expects(n.bound < count_descriptors::count_limit, "fewer than 2^40 items are counted");
  expects(!on.is_reproducible || std::is_integral_v<T> || is_reproducible<Op>, "reproducible is used with a built-in operator");
  auto const forwards = on.with(left_to_right);
  if constexpr (std::is_same_v<Segments, offset_segments>)
    return scan_per_end(forwards, n, source<Items, segments, T>{from.items, from.segments, from.initial}, op, sink);
  else scan_per_described(forwards, n, from, op, sink);
}

}  // namespace detail

/// Reduces the segments of `from` by `op` into `sink`; see core/README.md for the protocol.
template <class Strategy, class Carry, class Tuning, class Items, class Segments, class T, class Op, class Sink>
requires is_per_segment<Sink>
void scan_into(policy<Strategy, Carry, Tuning> const& on, size n, source<Items, Segments, T> const& from, Op const& op,
               Sink const& sink) {
  detail::expects_strategy<Strategy, Carry, T, Sink>();
  if constexpr (!has_gpu_form<Strategy>) return;
  else if constexpr (is_lifted<Strategy>) lookback::detail::scan_lifted<typename Strategy::base>(on, n, from, op, sink);
  else if constexpr (are_number_keys<Segments>)
    scan_into(on, n, source<Items, segments, T>{from.items, from.segments, from.initial}, op, sink);
  else detail::scan_per_segment(on, n, from, detail::plain(op), sink);
}

}  // namespace lookback::gpu
