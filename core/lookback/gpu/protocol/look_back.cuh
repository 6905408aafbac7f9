// One warp asks the tiles before its own for the prefix, a window at a time (Merrill & Garland 2016, 4.4; van den Hurk 2022 for
// heads: a tile with a head has published a prefix of its own, so nobody looks past it).
#pragma once
#include "../device/warp.cuh"
#include "descriptors.cuh"

namespace lookback::gpu {

namespace detail {

/// Groups x 32 tiles, read at once. In group g, lane l holds tile last - 32 g - l: nearest first.
template <class T, int Groups>
struct window {
  room<T> value[Groups];
  int group, lane;  // of the nearest prefix; where there is none, one past the window and lane 31 of its last group
  bool found;

  /// Reads until no tile nearer than the nearest prefix is empty. Only tiles with smaller tickets are waited for: their blocks
  /// have started and publish without waiting for larger ones, so this ends.
  template <class Descriptors>
  __device__ __forceinline__ void read(Descriptors const& tiles, index_t last) {
    index_t const first = last - threadIdx.x % 32;
    while (true) {
      status state[Groups];
#pragma unroll
      for (int g = 0; g < Groups; ++g)
        state[g] = first - 32 * g >= 0 ? tiles.peek(first - 32 * g, value[g]) : status::prefix;  // nobody looks past tile 0
      bool stuck = false;
      found = false;
      group = Groups - 1, lane = 31;
#pragma unroll
      for (int g = 0; g < Groups; ++g) {
        unsigned const prefixes = __ballot_sync(all_lanes, state[g] == status::prefix);
        unsigned const empty = __ballot_sync(all_lanes, state[g] == status::empty);
        if (found) continue;
        int const nearest = prefixes ? __ffs(prefixes) - 1 : 31;
        stuck = stuck || (empty & ((2u << nearest) - 1)) != 0;
        if (prefixes) found = true, group = g, lane = nearest;
      }
      if (!stuck) return;
    }
  }
};

}  // namespace detail

/// The value of all tiles before `tile`, tile > 0. Called by one whole warp; every lane gets the result. Folds window by window:
/// the association depends on timing. A lane asks one tile: to ask more in one round takes longer than the rounds that it saves.
template <class T, class Fold, class Descriptors>
__device__ __forceinline__ T look_back(Descriptors const& tiles, index_t tile, Fold const& op) {
  detail::window<T, 1> w;
  room<T> before;
  bool first = true;
  for (index_t last = tile - 1;; last -= 32) {
    w.read(tiles, last);
    T const published = fold_back(w.value[0].value, op, w.lane);
    before.value = first ? published : op(published, before.value);
    first = false;
    if (w.found) return before.value;
  }
}

/// The same, folded forward from the nearest prefix, one tile after the other: the association is that of a serial chain whatever
/// the timing, so floats come out the same on every run (plain scans: as on the CPU).
template <class T, class Fold, class Descriptors>
__device__ __forceinline__ T look_back_in_order(Descriptors const& tiles, index_t tile, Fold const& op) {
  constexpr int groups = sizeof(T) <= 8 ? 4 : 1;
  detail::window<T, groups> w;
  index_t last = tile - 1;
  w.read(tiles, last);
  while (!w.found) w.read(tiles, last -= 32 * groups);
  // The window of the prefix, from there towards the tile; then the windows between, read again forwards. A tile that has become a
  // prefix meanwhile has the same bits, by induction along the chain.
  room<T> before;
  while (true) {
#pragma unroll
    for (int g = groups - 1; g >= 0; --g) {
      if (g > w.group) continue;
      int from = 31;
      if (w.found && g == w.group) {
        before.value = shuffle(w.value[g].value, w.lane);
        from = w.lane - 1;
      }
#pragma unroll
      for (int lane = 31; lane >= 0; --lane) {  // the shuffles do not wait for the chain: a few cycles a tile
        T const published = shuffle(w.value[g].value, lane);
        if (lane <= from) before.value = op(before.value, published);
      }
    }
    if (last == tile - 1) return before.value;
    last += 32 * groups;
    w.read(tiles, last);
  }
}

}  // namespace lookback::gpu
