// What CUB or the runtime refuses fails the benchmark.
#pragma once
#include <cuda_runtime_api.h>

#include <stdexcept>

namespace bench::cub_peer {

inline void must(cudaError_t code) {
  if (code != cudaSuccess) throw std::runtime_error(cudaGetErrorString(code));
}

}  // namespace bench::cub_peer
