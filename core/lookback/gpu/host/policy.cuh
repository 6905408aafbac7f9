// Where a GPU call runs and how: `gpu::on(stream)`, extended by `.with(...)`.
#pragma once
#include <cuda_runtime_api.h>

#include <type_traits>

#include "../../policy.hpp"
#include "../../strategy.hpp"
#include "../device/loads.cuh"
#include "../device/strides.cuh"
#include "../device/warp_networks.cuh"
#include "reach.cuh"
#include "workspace.cuh"

namespace lookback::gpu {

/// What a block works on: threads, bytes of the widest array per thread, tiles in flight, blocks that share a multiprocessor;
/// how a warp of it scans what its threads have folded (device/warp_networks.cuh), how tiles are loaded (device/loads.cuh), and
/// whether a thread may have an even number of vectors (device/strides.cuh). What is named is taken as it is: sizes that the engine
/// chooses by types and by the number of items belong to tuning<> alone. The merge path has no network, loads by the copy engine
/// where there is one, and has strides of its own.
template <int Threads = 384, int BytesPerThread = 80, int Slots = 3, int Blocks = 2, class Network = kogge_stone,
          class Loads = by_copy_engine, class Strides = odd_strides>
struct tuning {
  using network = Network;
  using loads = Loads;
  using strides = Strides;
  static constexpr int threads = Threads, bytes_per_thread = BytesPerThread, slots = Slots, blocks = Blocks;
  static_assert(Threads % 32 == 0 && Threads >= 128 && Threads < 1024 && Slots >= 3);
};

/// The kernel for many items, for few ones too: what tests ask for.
struct pipelined_t {};
inline constexpr pipelined_t pipelined{};

template <class Strategy = decoupled_look_back, class Carry = no_carry, class Tuning = tuning<>>
struct policy {
  using back_end = policy<>;
  using strategy_type = Strategy;
  using carry_type = Carry;
  using tuning_type = Tuning;

  cudaStream_t stream = nullptr;
  gpu::workspace* scratch = nullptr;
  lookback::direction direction = left_to_right;
  bool is_reproducible = false;
  bool always_pipelined = false;
  Carry carry{};

  /// Whether kernels on the current device may read and write at p.
  static bool reaches(void const* p) { return detail::reaches(p); }
  /// Whether a carry at p stays there until the call runs; one in host memory is copied before the call returns.
  static bool keeps_carry_at(void const* p) { return detail::on_device(p); }

  policy with(gpu::workspace& w) const {
    policy p = *this;
    p.scratch = &w;
    return p;
  }
  policy with(lookback::direction d) const {
    policy p = *this;
    p.direction = d;
    return p;
  }
  policy with(reproducible_t) const {
    policy p = *this;
    p.is_reproducible = true;
    return p;
  }
  stably<policy> with(stable_t) const { return {*this}; }
  policy with(pipelined_t) const {
    policy p = *this;
    p.always_pipelined = true;
    return p;
  }
  template <strategy S>
  policy<S, Carry, Tuning> with(S) const {
    return {stream, scratch, direction, is_reproducible, always_pipelined, carry};
  }
  template <int Threads, int Bytes, int Slots, int Blocks, class Network, class Loads, class Strides>
  policy<Strategy, Carry, tuning<Threads, Bytes, Slots, Blocks, Network, Loads, Strides>> with(
      tuning<Threads, Bytes, Slots, Blocks, Network, Loads, Strides>) const {
    return {stream, scratch, direction, is_reproducible, always_pipelined, carry};
  }
  template <class T, class Key>
  policy<Strategy, lookback::carry<T, Key>, Tuning> with(lookback::carry<T, Key> c) const {
    return {stream, scratch, direction, is_reproducible, always_pipelined, c};
  }
};

/// Runs on the current device, in `stream` order. Calls only enqueue, unless they say that they wait.
inline policy<> on(cudaStream_t stream) { return {stream}; }

/// Scratch of one call, for `count` elements of T: where the parts of an algorithm leave things for each other.
template <class T, class Strategy, class Carry, class Tuning>
scratch_between_calls<T> scratch_for(policy<Strategy, Carry, Tuning> const& on, index_t count, std::type_identity<T>) {
  return {on.scratch, count, on.stream};
}

}  // namespace lookback::gpu
