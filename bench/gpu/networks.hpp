// The networks that a warp may scan by, each in the same tiles.
#pragma once
#include <lookback/gpu.cuh>

namespace bench {

template <class Enter>
void each_network(Enter const& enter) {
  enter("kogge_stone", lookback::gpu::pipelined);
  enter("sklansky", lookback::gpu::tuning<384, 80, 3, 2, lookback::gpu::sklansky>{});
  enter("brent_kung", lookback::gpu::tuning<384, 80, 3, 2, lookback::gpu::brent_kung>{});
}

}  // namespace bench
