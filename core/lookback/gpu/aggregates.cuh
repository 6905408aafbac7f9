// Between the passes of reduce_then_scan: what the tiles told of themselves becomes what comes up to and including each.
#pragma once
#include "../source.hpp"
#include "../tile.hpp"
#include "counters.cuh"
#include "launch.cuh"
#include "scan_call.cuh"
#include "warp.cuh"
#include "workspace.cuh"

namespace lookback::gpu {

/// One block for each counter of a tile. Each thread folds a share of neighbouring tiles, the shares are folded one after the
/// other, each thread walks its share again. A tile that is a prefix already (the first; one that holds a head) starts anew.
///   extra   steps beside the items, where tiles are cut along a path
template <class T, class Tiles, class Fold>
__global__ void __launch_bounds__(256)
    aggregates_kernel(Tiles all, call_state const* state, Fold op, size n, index_t extra, int tile_items) {
  __shared__ __align__(16) unsigned char memory[256 * sizeof(T)];
  __shared__ bool told[256];
  T* const share = reinterpret_cast<T*>(memory);
  all.epoch = state->epoch_minus_one + 1;
  strided<Tiles> const tiles{all, gridDim.x, blockIdx.x};
  index_t const tile_count = tiles_of(items_in(n) + extra, tile_items);
  index_t const each = (tile_count + 255) / 256, begin = threadIdx.x * each, end = min(begin + each, tile_count);

  // Walks the share from `before`, if there is one; returns false if it is empty.
  auto const walk = [&](bool has, room<T>& run, bool publish) {
    for (index_t t = begin; t < end; ++t) {
      room<T> mine;
      bool const prefix = tiles.peek(t, mine) == status::prefix;
      run.value = has && !prefix ? op(run.value, mine.value) : mine.value;
      has = true;
      if (publish && !prefix) tiles.publish(t, status::prefix, run.value);
    }
    return has;
  };
  room<T> run;
  bool starts_anew = false;
  for (index_t t = begin; t < end; ++t) {
    room<T> mine;
    starts_anew = starts_anew || tiles.peek(t, mine) == status::prefix;
  }
  bool const any = walk(false, run, false);
  if (any) share[threadIdx.x] = run.value;
  told[threadIdx.x] = starts_anew;
  __syncthreads();
  if (threadIdx.x == 0)
    for (int s = 1; s < 256 && s * each < tile_count; ++s)
      if (!told[s]) share[s] = op(share[s - 1], share[s]);
  __syncthreads();
  if (threadIdx.x > 0 && begin < end) run.value = share[threadIdx.x - 1];
  walk(threadIdx.x > 0, run, true);
}

/// Turns the aggregates of a call's tiles, `counters` of each, into prefixes.
template <class T, class Call, class Fold>
void scan_aggregates(Call const& call, int counters, Fold const& op, index_t extra, int tile_items, cudaStream_t stream) {
  using tiles = std::remove_cvref_t<decltype(call.tiles)>;
  detail::enqueue_after(&aggregates_kernel<T, tiles, Fold>, counters, 256, stream, call.tiles,
                        static_cast<call_state const*>(call.memory.state), op, call.size, extra, tile_items);
}

}  // namespace lookback::gpu
