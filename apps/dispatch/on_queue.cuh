// Where a call on the GPU runs, as the library wants it said.
#pragma once
#include <lookback/gpu.cuh>

#include "scan.hpp"

namespace lookback::dispatch {

inline auto on_queue(place const& on) {
  return gpu::on(static_cast<cudaStream_t>(on.stream)).with(*static_cast<gpu::workspace*>(on.workspace));
}

}  // namespace lookback::dispatch
