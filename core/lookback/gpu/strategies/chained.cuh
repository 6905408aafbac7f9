// One pass: a tile waits for the prefix of the one before it, and for nothing else, and publishes its own.
//
// Prefixes travel from tile to tile, one step after the other: what a step takes bounds the speed of a call, however many blocks
// there are. The association is that of a serial loop over tiles. Source: Yan, Long & Zhang, StreamScan, 2013, where it is called
// adjacent synchronization.
#pragma once
#include "prefix_exchange.cuh"

namespace lookback::gpu {

template <>
struct prefix_exchange<chained> : one_pass_exchange<chained> {
  template <class Tiles, class T>
  __device__ __forceinline__ static void early(Tiles const& tiles, index_t id, T const& aggregate, bool complete) {
    if (complete) tiles.publish(id, status::prefix, aggregate);
  }
  template <class T, class Tiles, class Fold, class InOrder>
  __device__ __forceinline__ static T before(Tiles const& tiles, index_t id, bool, Fold const&, InOrder, exchange_call const&) {
    room<T> before;
    while (!__all_sync(all_lanes, tiles.peek(id - 1, before) == status::prefix)) {
    }
    return before.value;
  }
  template <int Counters, class TilesOf>
  __device__ __forceinline__ static index_t before_of_each(TilesOf const& tiles_of, index_t id, exchange_call const&) {
    int const lane = threadIdx.x % 32;
    room<index_t> before;
    before.value = 0;
    while (!__all_sync(all_lanes, lane >= Counters || tiles_of(lane).peek(id - 1, before) == status::prefix)) {
    }
    return before.value;
  }
  template <class Tiles, class T>
  __device__ __forceinline__ static void late(Tiles const& tiles, index_t id, T const& prefix) {
    tiles.publish(id, status::prefix, prefix);
  }
};

}  // namespace lookback::gpu
