// scan_into on the GPU where items are kept in order, class by class. Only enqueues.
#pragma once
#include "../../model/overlap.hpp"
#include "../pipelines/staged.cuh"
#include "../pipelines/wave_compact.cuh"
#include "../sinks/compact.cuh"
#include "../sinks/in_place.cuh"
#include "run_passes.cuh"

namespace lookback::gpu {

namespace detail {

template <class Policy, class Items, class Segments, class T, class Op, class Sink>
void scan_compact(Policy const& on, size n, source<Items, Segments, T> const& from, Op const& op, Sink const& sink) {
  using strategy = typename Policy::strategy_type;
  expects(n.bound < count_descriptors::count_limit, "fewer than 2^40 items are counted");
  expects(!sink.stacked || reads_twice<strategy>,
          "outputs stored one behind the other need a strategy that reads twice, as reduce_then_scan does");
  lookback::detail::expects_compactable(from.items.arrays(), sink, n.bound, on.direction == right_to_left);
  lookback::detail::expects_marks(from.segments, sink, n.bound, on.direction == right_to_left);
  using carry = typename Policy::carry_type;
  using parts = chunk_parts<Items, Segments, int, Op, Sink, carry>;
  static_assert(std::is_same_v<carry, no_carry> || std::is_same_v<decltype(parts::carried_type::value), index_t>,
                "a compaction takes carry<index_t, Key>: the value is how many were kept");
  static_assert(std::is_same_v<carry, no_carry> || !is_ends_of_runs<Segments>,
                "only what ends within a chunk is known to be a run of two or more: non_trivial_runs has no carry");
  if constexpr (!std::is_same_v<carry, no_carry>) expects_key<typename parts::carried_type>(from.segments, from.items.arrays());
  constexpr int classes = Sink::classes;
  using tuning = compact_tuning_for<typename Policy::tuning_type, Items, Segments, typename Sink::stored>;
  using form = shape<Items, typename Sink::stored, tuning, 32 * classes + lead_bytes<Segments, arrays_t<Items>>, false>;
  source<Items, Segments, int> const classified{from.items, from.segments, {}};
  using wave = compact_wave<parts>;
  call_facts const call{.wave_threads = threads_of_wave<wave>(on, n)};
  if constexpr (has_wave<wave, Policy>)
    if (choose(call) == way::one_wave) return scan_in_one_wave<wave>(on, n, classified, op, sink, call.wave_threads);
  auto const into = [&](Sink const& to) {
    scan_launch<strategy, carry, parts, form, compact_work> launch(on, n, n.bound, classes, classified, op, to);
    run_passes(on, launch, [&](auto now) {
      scan_aggregates<index_t>(now, launch.call(), classes, directed<plus<index_t>>{{}, false}, 0, form::tile_items, on.stream);
    });
  };
  if constexpr (reads_twice<strategy>) compact_elsewhere(from.items.arrays(), sink, n.bound, on.stream, into);
  else into(sink);
}

}  // namespace detail

/// Moves the items of `from` where `sink` says; see core/README.md for the protocol.
template <class Strategy, class Carry, class Tuning, class Items, class Segments, class T, class Op, class Sink>
requires is_compact<Sink>
void scan_into(policy<Strategy, Carry, Tuning> const& on, size n, source<Items, Segments, T> const& from, Op const& op,
               Sink const& sink) {
  detail::expects_strategy<Strategy, Carry, T, Sink>();
  if constexpr (!has_gpu_form<Strategy>) return;
  else if constexpr (is_lifted<Strategy>) lookback::detail::scan_lifted<typename Strategy::base>(on, n, from, op, sink);
  else if constexpr (are_number_keys<Segments>)
    scan_into(on, n, source<Items, segments, T>{from.items, from.segments, from.initial}, op, sink);
  else detail::scan_compact(on, n, from, detail::plain(op), sink);
}

}  // namespace lookback::gpu
