// What is left to do when the passes of a sort have gone: bring the result to the output, gather what was sorted by its places.
#pragma once
#include "count_classes.cuh"

namespace lookback::gpu {

inline constexpr int copy_threads = 256;

/// The items, or what is beside them, where they ended: number 1 is where they belong. `makes_places`: where nothing moved, they
/// are the places.
template <class V>
struct settle_call {
  V* at[3];
  bool makes_places;
  std::int32_t const* result;
  lookback::size size;
};
template <class V>
__global__ void __launch_bounds__(copy_threads) settle_kernel(__grid_constant__ settle_call<V> const call) {
  ptx::let_next_kernel_start();
  ptx::wait_for_kernel_before();
  int const from = *call.result;
  if (from == 1 || !call.at[1]) return;
  index_t const n = items_in(call.size), step = index_t{gridDim.x} * copy_threads;
  index_t const first = index_t{blockIdx.x} * copy_threads + threadIdx.x;
  if (from == 0 && call.makes_places) {
    if constexpr (std::is_integral_v<V>)
      for (index_t i = first; i < n; i += step) call.at[1][i] = static_cast<V>(i);
  } else if (call.at[from] != call.at[1]) {
    V const* const in = call.at[from];
    for (index_t i = first; i < n; i += step) call.at[1][i] = in[i];
  }
}

/// out[i] = in[places[i]], or without `moves` in[i]. Where there are gaps, what is no place stays.
template <class V, class Place>
struct gather_call {
  V const* in;
  V* out;
  Place const* places;
  bool moves, has_gaps;
  lookback::size size;
};
template <class V, class Place>
__global__ void __launch_bounds__(copy_threads) gather_kernel(__grid_constant__ gather_call<V, Place> const call) {
  ptx::let_next_kernel_start();
  ptx::wait_for_kernel_before();
  index_t const n = items_in(call.size), step = index_t{gridDim.x} * copy_threads;
  for (index_t i = index_t{blockIdx.x} * copy_threads + threadIdx.x; i < n; i += step) {
    Place const from = call.places[i];
    if (call.has_gaps && static_cast<std::uint64_t>(from) >= static_cast<std::uint64_t>(n)) continue;
    call.out[i] = call.in[call.moves ? static_cast<index_t>(from) : i];
  }
}

}  // namespace lookback::gpu
