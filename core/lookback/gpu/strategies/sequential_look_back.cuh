// The decoupled look-back with a window of one tile: a thread asks the tiles before its own one after the other, as the first
// sketch of it does. What a window of many tiles gains is seen beside it. Source: Merrill & Garland 2016, 4.1 and 4.4.
#pragma once
#include "decoupled_look_back.cuh"

namespace lookback::gpu {

template <>
struct prefix_exchange<sequential_look_back> : prefix_exchange<decoupled_look_back> {
  template <class T, class Tiles, class Fold, class InOrder>
  __device__ __forceinline__ static T before(Tiles const& tiles, index_t id, bool, Fold const& fold, InOrder,
                                             exchange_call const&) {
    room<T> before;
    if (threadIdx.x % 32 == 0) before.value = before_tile<T>(tiles, id, fold);
    before.value = shuffle(before.value, 0);
    return before.value;
  }
  /// A thread for each counter.
  template <int Counters, class TilesOf>
  __device__ __forceinline__ static index_t before_of_each(TilesOf const& tiles_of, index_t id, exchange_call const&) {
    int const lane = threadIdx.x % 32;
    index_t const mine = lane < Counters ? before_tile<index_t>(tiles_of(lane), id, sum_of_counts{{}, false}) : 0;
    __syncwarp();
    return mine;
  }

 private:
  template <class T, class Tiles, class Fold>
  __device__ __forceinline__ static T before_tile(Tiles const& tiles, index_t id, Fold const& fold) {
    room<T> before, told;
    for (index_t tile = id - 1;; --tile) {
      status state;
      do state = tiles.peek(tile, told);
      while (state == status::empty);
      before.value = tile == id - 1 ? told.value : fold(told.value, before.value);
      if (state == status::prefix) return before.value;  // at tile 0 at the latest
    }
  }
};

}  // namespace lookback::gpu
