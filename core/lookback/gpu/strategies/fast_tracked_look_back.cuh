// The decoupled look-back, where a tile's prefix is known before the tile is: if a segment begins in the last warp, what follows
// its head is all that passes on. That warp says so as soon as it has reduced its own items; by default it is said when all threads
// of the block have met. Source: van den Hurk 2022, 5.3, and its fast-tracked inclusive values.
#pragma once
#include "decoupled_look_back.cuh"

namespace lookback::gpu {

template <>
struct prefix_exchange<fast_tracked_look_back> : prefix_exchange<decoupled_look_back> {
  static constexpr bool tells_from_last_warp = true;
};

}  // namespace lookback::gpu
