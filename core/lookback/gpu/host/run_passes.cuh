// What every call of scan_into does: which of its arguments fit, its kernels one behind the other, or one kernel for few items.
#pragma once
#include "../../model/lifted.hpp"
#include "../../operators.hpp"
#include "../pipelines/one_wave.cuh"
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

/// Has the strategy of a call a form here that fits the sink? Else a sentence says what it is for.
template <class Strategy, class Carry, class T, class Sink>
constexpr void expects_strategy() {
  static_assert(has_gpu_form<Strategy>, "this strategy has no GPU form");
  static_assert(!propagates<Strategy> || is_lifted<Strategy> || std::is_same_v<Sink, each<T, as_it_is>>,
                "scan_then_propagate is for scans that store every value of the operator, as it is");
  static_assert(!propagates<Strategy> || std::is_same_v<Carry, no_carry>, "scan_then_propagate has no carry");
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
  observe_way(way::one_wave, decoupled_look_back::name, tiles, index_t{threads} * Wave::form::items_per_thread);
  allow_shared_bytes<&one_wave_kernel<Wave>>(Wave::gathered_bytes(Wave::form::most_threads));
  enqueue<&one_wave_kernel<Wave>>(static_cast<int>(std::max<index_t>(tiles, 1)), threads, gathered, on.stream, call);
}

}  // namespace detail

}  // namespace lookback::gpu
