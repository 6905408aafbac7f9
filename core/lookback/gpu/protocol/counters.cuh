// Several counters a tile: what passes that sort into classes look back over.
#pragma once
#include "descriptors.cuh"

namespace lookback::gpu {

/// Counter number `place` of `counters` that every tile tells, laid out tile by tile; looks like descriptors of one value a tile.
template <class Descriptors>
struct strided {
  Descriptors all;
  index_t counters, place;
  template <class T>
  __device__ __forceinline__ void publish(index_t tile, status state, T const& value) const {
    all.publish(tile * counters + place, state, value);
  }
  template <class T>
  __device__ __forceinline__ status peek(index_t tile, room<T>& value) const {
    return all.peek(tile * counters + place, value);
  }
};

}  // namespace lookback::gpu
