// scan_into on the GPU where every value is stored. Only enqueues.
#pragma once
#include "../pipelines/staged.cuh"
#include "../pipelines/wave_each.cuh"
#include "../sinks/each.cuh"
#include "../sinks/propagate.cuh"
#include "run_passes.cuh"

namespace lookback::gpu {

namespace detail {

template <class Policy, class Items, class Segments, class T, class Op, class Sink>
void scan_each(Policy const& on, size n, source<Items, Segments, T> const& from, Op const& op, Sink const& sink) {
  using carry = typename Policy::carry_type;
  using parts = scan_parts<Items, Segments, T, Op, Sink, typename state_of_carry<carry, T>::type>;
  using form = each_shape<Items, Segments, Sink, typename Policy::tuning_type>;
  if constexpr (!std::is_same_v<carry, no_carry>) {
    static_assert(std::is_same_v<decltype(parts::carried_type::value), T>,
                  "the value in the carry has the type of what is accumulated");
    expects_key<typename parts::carried_type>(from.segments, from.items.arrays());
  }
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
    using stored = scan_parts<elements<T>, Segments, T, Op, Sink>;
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

}  // namespace detail

/// Scans `from` by `op` into `sink` on the GPU; see core/README.md for the protocol.
template <class Strategy, class Carry, class Tuning, class Items, class Segments, class T, class Op, class Sink>
requires is_each<Sink>
void scan_into(policy<Strategy, Carry, Tuning> const& on, size n, source<Items, Segments, T> const& from, Op const& op,
               Sink const& sink) {
  detail::expects_strategy<Strategy, Carry, T, Sink>();
  if constexpr (!has_gpu_form<Strategy>) return;
  else if constexpr (is_lifted<Strategy>) lookback::detail::scan_lifted<typename Strategy::base>(on, n, from, op, sink);
  else if constexpr (is_key_segments<Segments>) detail::scan_each_by_keys(on, n, from, detail::plain(op), sink);
  else detail::scan_each(on, n, from, detail::plain(op), sink);
}

}  // namespace lookback::gpu
