// The networks that a warp may scan by, and the ways to load, each in the same tiles.
#pragma once
#include <lookback/gpu.cuh>

namespace bench {

template <class Enter>
void each_network(Enter const& enter) {
  enter("kogge_stone", lookback::gpu::pipelined);
  enter("sklansky", lookback::gpu::tuning<384, 80, 3, 2, lookback::gpu::sklansky>{});
  enter("raking", lookback::gpu::tuning<384, 80, 3, 2, lookback::gpu::raking>{});
  enter("brent_kung", lookback::gpu::tuning<384, 80, 3, 2, lookback::gpu::brent_kung>{});
}

/// By which a tile may be loaded, each in the same tiles.
template <class Enter>
void each_way_to_load(Enter const& enter) {
  using namespace lookback::gpu;
  enter("coalesced", tuning<384, 80, 3, 2, kogge_stone, coalesced>{});
  enter("strided", tuning<384, 80, 3, 2, kogge_stone, strided_loads>{});
}

}  // namespace bench
