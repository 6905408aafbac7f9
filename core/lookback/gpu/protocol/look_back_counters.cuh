// Look-back over counters: tiles tell how many items they have of each of k classes, and one thread looks back for one counter.
//
// The counters of a tile lie beside each other, so that the threads of a warp read whole lines. Each thread goes back by itself, a
// few tiles at a time whose loads are in flight together; it stops at the nearest prefix of its own counter.
#pragma once
#include "descriptors.cuh"

namespace lookback::gpu {

/// Descriptors [tile][class].
template <int Classes>
struct counter_descriptors {
  count_descriptors all;
  __device__ __forceinline__ void publish(index_t tile, int c, status state, index_t count) const {
    all.publish(tile * Classes + c, state, count);
  }
  __device__ __forceinline__ status peek(index_t tile, int c, room<index_t>& count) const {
    return all.peek(tile * Classes + c, count);
  }
};

/// How many items of class c the tiles [first, tile) have. By one thread, for which tiles with smaller tickets are waited: their
/// blocks publish without waiting for larger ones.
template <int Window = 4, int Classes>
__device__ __forceinline__ index_t look_back_counter(counter_descriptors<Classes> const& tiles, index_t tile, index_t first,
                                                     int c) {
  index_t sum = 0;
  for (index_t last = tile - 1;;) {
    room<index_t> told[Window];
    status state[Window];
#pragma unroll
    for (int w = 0; w < Window; ++w) {
      state[w] = status::prefix;  // nobody looks past `first`
      told[w].value = 0;
      if (last - w >= first) state[w] = tiles.peek(last - w, c, told[w]);
    }
    bool found = false, stuck = false;
    int used = 0;
#pragma unroll
    for (int w = 0; w < Window; ++w) {
      stuck = stuck || (!found && state[w] == status::empty);
      if (found || stuck) continue;
      sum += told[w].value, ++used;
      found = state[w] == status::prefix;
    }
    if (found) return sum;
    last -= used;
  }
}

}  // namespace lookback::gpu
