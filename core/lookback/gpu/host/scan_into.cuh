// scan_into on the GPU: which work a sink asks for, in tiles of which form, in how many passes. Only enqueues.
#pragma once
#include "../../lanes.hpp"
#include "../../model/lifted.hpp"
#include "../../model/overlap.hpp"
#include "../../operators.hpp"
#include "../pipelines/row_per_warp.cuh"
#include "../pipelines/wave_compact.cuh"
#include "../pipelines/wave_each.cuh"
#include "../pipelines/wave_per_segment.cuh"
#include "../sinks/compact.cuh"
#include "../sinks/each.cuh"
#include "../sinks/in_place.cuh"
#include "../sinks/per_segment_by_heads.cuh"
#include "../sinks/per_segment_by_offsets.cuh"
#include "../sinks/propagate.cuh"
#include "../strategies/strategies.cuh"
#include "choose.cuh"
#include "scan_launch.cuh"

namespace lookback::gpu {

namespace detail {

template <class Op>
Op const& plain(Op const& op) {
  return op;
}
template <class Op>
Op const& plain(segmented<Op> const& op) {
  return op.op;
}

template <class T, class Op, class Form>
void expects_reproducible(bool asked) {
  if (!asked) return;
  expects(is_reproducible<Op>, "reproducible is used with a built-in operator");
  expects(!std::is_floating_point_v<T> ||
              (Form::threads == 384 && Form::items * sizeof(T) == 80 && std::is_same_v<typename Form::network, kogge_stone>),
          "reproducible is asked for with the default tuning, and input, sum and output of one size");
}

/// Queues the kernels of a call. `resolve` turns what tiles have told into prefixes, for a strategy that has a kernel for that.
template <class Policy, class Launch, class Resolve>
void run_passes(Policy const& on, Launch& launch, Resolve const& resolve) {
  run_kernels(typename Policy::strategy_type{}, on, launch, resolve);
  launch.finish();
}

template <class Sink>
bool stored_aligned_for_runs([[maybe_unused]] Sink const& sink, [[maybe_unused]] int items) {
  if constexpr (lookback::is_each<Sink>) return aligned_for_runs(sink.out, items);
  else return true;  // item by item
}
template <class Wave, class Policy, class Items, class Segments, class T, class Op, class Sink>
void scan_in_one_wave(Policy const& on, size n, source<Items, Segments, T> const& from, Op const& op, Sink const& sink,
                      int threads) {
  using descriptors_type = typename Wave::descriptors_type;
  index_t const tiles = tiles_of(n.bound, index_t{threads} * Wave::form::items_per_thread);
  scratch_of_call memory(on.scratch, descriptors_type::words_64 * tiles, descriptors_type::words_128 * tiles,
                         descriptors_type::value_bytes * tiles, on.stream);
  bool const aligned = runs_aligned(from.items.arrays(), Wave::form::items) && stored_aligned_for_runs(sink, Wave::form::items);
  typename Wave::call_type const call{.from = from,
                                      .op = op,
                                      .sink = sink,
                                      .size = n,
                                      .tiles = descriptors_in<descriptors_type>(memory.get()),
                                      .memory = memory.get(),
                                      .layout = {aligned}};
  int const gathered = Wave::gathered_bytes(threads);
  allow_shared_bytes<&one_wave_kernel<Wave>>(Wave::gathered_bytes(Wave::form::most_threads));
  enqueue<&one_wave_kernel<Wave>>(static_cast<int>(std::max<index_t>(tiles, 1)), threads, gathered, on.stream, call);
}

template <class Policy, class Items, class Segments, class T, class Op, class Sink>
void scan_each(Policy const& on, size n, source<Items, Segments, T> const& from, Op const& op, Sink const& sink) {
  using carry = typename Policy::carry_type;
  using parts = scan_parts<Items, Segments, T, Op, Sink, typename carry_types<carry>::key>;
  using form = each_shape<Items, Segments, Sink, typename Policy::tuning_type>;
  using strategy = typename Policy::strategy_type;
  expects_reproducible<T, Op, form>(on.is_reproducible);
  expects(!on.is_reproducible || std::is_same_v<strategy, decoupled_look_back>,
          "reproducible is asked for with the strategy decoupled_look_back");
  if constexpr (std::is_same_v<Segments, no_segments>) {
    using wave = each_wave<parts>;
    call_facts const call{.wave_threads = threads_of_wave<wave>(on, n),
                          .wave_would_differ = on.is_reproducible && std::is_floating_point_v<T>};
    if constexpr (has_wave<wave, Policy>)
      if (choose(call) == way::one_wave) return scan_in_one_wave<wave>(on, n, from, op, sink, call.wave_threads);
  }
  scan_launch<strategy, carry, parts, form, each_work> launch(on, n, n.bound, 1, from, op, sink);
  auto const resolve = [&](auto now) {
    scan_aggregates<T>(now, launch.call(), 1, directed<Op>{op, launch.call().reversed}, 0, form::tile_items, on.stream);
  };
  if constexpr (propagates<strategy>) {
    using stored = scan_parts<elements<T>, Segments, T, Op, Sink, char>;
    scan_launch<strategy, no_carry, stored, form, propagate_work> propagation(
        on, n, n.bound, 1, {{sink.out}, from.segments, from.initial}, op, sink, &launch.call().memory);
    run_kernels(strategy{}, on, launch, propagation, resolve);
  } else run_passes(on, launch, resolve);
}

/// Keys of a type that is known are staged beside the items, as those of runs are. With a carry, a tuning or the fixed tree of
/// `reproducible` they are read in memory.
template <class Policy, class Items, class Key, class Equal, class T, class Op, class Sink>
void scan_each_by_keys(Policy const& on, size n, source<Items, key_segments<Key, Equal>, T> const& from, Op const& op,
                       Sink const& sink) {
  if constexpr (std::is_same_v<typename Policy::carry_type, no_carry> && std::is_same_v<typename Policy::tuning_type, tuning<>> &&
                !propagates<typename Policy::strategy_type> && sizeof(Key) <= 8 && sizeof(T) <= 16) {
    if (!on.is_reproducible) {
      using staged = beside<elements<Key>, Items>;
      return scan_each(
          on, n, source<staged, runs<Equal>, T>{{{from.segments.data}, from.items}, {from.segments.equal}, from.initial}, op, sink);
    }
  }
  if constexpr (are_number_keys<key_segments<Key, Equal>>)
    scan_each(on, n, source<Items, segments, T>{from.items, from.segments, from.initial}, op, sink);
  else scan_each(on, n, from, op, sink);
}

template <class Policy, class Items, class Segments, class T, class Op, class Sink>
void scan_compact(Policy const& on, size n, source<Items, Segments, T> const& from, Op const& op, Sink const& sink) {
  using strategy = typename Policy::strategy_type;
  expects(n.bound < count_descriptors::count_limit, "fewer than 2^40 items are counted");
  expects(!sink.stacked || reads_twice<strategy>,
          "outputs stored one behind the other need a strategy that reads twice, as reduce_then_scan does");
  lookback::detail::expects_compactable(from.items.arrays(), sink, n.bound, on.direction == right_to_left);
  lookback::detail::expects_marks(from.segments, sink, n.bound, on.direction == right_to_left);
  using parts = scan_parts<Items, Segments, int, Op, Sink, char>;
  constexpr int classes = Sink::classes;
  using tuning = compact_tuning_for<typename Policy::tuning_type, Items, Segments, typename Sink::stored>;
  using form = shape<Items, typename Sink::stored, tuning, 32 * classes + lead_bytes<Segments, arrays_t<Items>>, false>;
  source<Items, Segments, int> const classified{from.items, from.segments, {}};
  using wave = compact_wave<parts>;
  call_facts const call{.wave_threads = threads_of_wave<wave>(on, n)};
  if constexpr (has_wave<wave, Policy>)
    if (choose(call) == way::one_wave) return scan_in_one_wave<wave>(on, n, classified, op, sink, call.wave_threads);
  auto const into = [&](Sink const& to) {
    scan_launch<strategy, no_carry, parts, form, compact_work> launch(on, n, n.bound, classes, classified, op, to);
    run_passes(on, launch, [&](auto now) {
      scan_aggregates<index_t>(now, launch.call(), classes, directed<plus<index_t>>{{}, false}, 0, form::tile_items, on.stream);
    });
  };
  if constexpr (reads_twice<strategy>) compact_elsewhere(from.items.arrays(), sink, n.bound, on.stream, into);
  else into(sink);
}

/// By offsets.
template <class Policy, class Items, class T, class Op, class Sink>
void scan_per_end(Policy const& on, size n, source<Items, segments, T> const& from, Op const& op, Sink const& sink) {
  expects(from.segments.count >= 1, "offsets hold at least one position");
  expects(has_identity<Op> || from.initial.has,
          "an initial value is given if the operator has no identity(), because segments may be empty");
  expects(n.bound + from.segments.count < count_descriptors::count_limit, "fewer than 2^40 items and segments are counted");
  using form = path_shape<Items, T, typename Policy::tuning_type>;
  using parts = scan_parts<Items, segments, T, Op, Sink, char>;
  using tree = path_tile<arrays_t<Items>, T>;
  bool const by_the_tree = on.is_reproducible && rounds<T>;
  expects(!by_the_tree || std::is_same_v<typename Policy::strategy_type, decoupled_look_back>,
          "reproducible is asked for with the strategy decoupled_look_back");
  expects(!by_the_tree || (form::threads == tree::threads && form::items == tree::items),
          "reproducible is asked for with the default tuning, and where items or sums have more than 16 bytes, with code for sm_90 "
          "to sm_110");
  index_t const segments = from.segments.count - 1;
  scan_launch<typename Policy::strategy_type, no_carry, parts, form, per_end_work> launch(on, n, n.bound + segments, 1, from, op,
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
  using parts = scan_parts<Items, Segments, T, Op, Sink, char>;
  using wave = runs_wave<parts>;
  call_facts call{.wave_threads = threads_of_wave<wave>(on, n),
                  .wave_would_differ = (on.is_reproducible && std::is_floating_point_v<T>) || from.initial.has};
  if constexpr (std::is_same_v<Segments, segments>) call.results_by_offsets = is_offsets(from.segments);
  if constexpr (may_fold_rows<Segments, T, Op, Sink>) {
    bool const counts_over = sink.count && sink.count == n.count;  // some read the number when others have done
    call.folds_rows = folds_rows(from.segments) && !counts_over;
    if (choose(call) == way::row_per_warp) return fold_rows(on, n, from, op, sink);
  }
  if constexpr (std::is_same_v<Segments, segments>)
    if (choose(call) == way::merge_path) return scan_per_end(on, n, from, op, sink);
  if constexpr (saved_at_heads<parts>::sums_units) expects(!from.initial.has, "lengths of runs begin with nothing");
  expects(!on.is_reproducible || std::is_integral_v<T> || repeats_bits<strategy>,
          "reproducible is asked for with a strategy that repeats bits: decoupled_look_back, fenced_look_back, chained or "
          "reduce_then_scan");
  if constexpr (has_wave<wave, Policy>)
    if (choose(call) == way::one_wave) return scan_in_one_wave<wave>(on, n, from, op, sink, call.wave_threads);
  // Results and first items lie at any phase of 16 bytes.
  using form = head_shape<parts, tuning>;
  scan_launch<strategy, no_carry, parts, form, per_head_work> launch(on, n, n.bound, 1, from, op, sink);
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

/// Scans `from` by `op` into `sink` on the GPU; see core/README.md for the protocol.
template <class Strategy, class Carry, class Tuning, class Items, class Segments, class T, class Op, class Sink>
void scan_into(policy<Strategy, Carry, Tuning> const& on, size n, source<Items, Segments, T> const& from, Op const& op,
               Sink const& sink) {
  static_assert(!propagates<Strategy> || is_lifted<Strategy> || std::is_same_v<Sink, each<T, as_it_is>>,
                "scan_then_propagate is for scans that store every value of the operator, as it is");
  static_assert(!propagates<Strategy> || std::is_same_v<Carry, no_carry>, "scan_then_propagate has no carry");
  auto const& plain = detail::plain(op);
  if constexpr (!has_gpu_form<Strategy>) {
    static_assert(has_gpu_form<Strategy>, "this strategy has no GPU form");
  } else if constexpr (is_lifted<Strategy>) {
    lookback::detail::scan_lifted<typename Strategy::base>(on, n, from, op, sink);
  } else if constexpr (is_each<Sink> && is_key_segments<Segments>) {
    detail::scan_each_by_keys(on, n, from, plain, sink);
  } else if constexpr (is_each<Sink>) {
    detail::scan_each(on, n, from, plain, sink);
  } else if constexpr (are_number_keys<Segments>) {
    scan_into(on, n, source<Items, segments, T>{from.items, from.segments, from.initial}, op, sink);
  } else {
    static_assert(std::is_same_v<Carry, no_carry>, "a carry needs a sink that stores every value");
    if constexpr (is_compact<Sink>) detail::scan_compact(on, n, from, plain, sink);
    else detail::scan_per_segment(on, n, from, plain, sink);
  }
}

}  // namespace lookback::gpu
