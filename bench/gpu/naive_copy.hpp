// The naive copy of bench/textbook as a kernel: a thread for each item.
#pragma once
#include "harness.hpp"

namespace bench {

template <class T>
__global__ void naive_copy_kernel(T const* in, T* out, std::size_t n) {
  std::size_t const i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (i < n) out[i] = in[i];
}

template <class T>
sampler naive_copy(device& d, T const* in, T* out, std::size_t n) {
  return d.timed(timing::single, [&d, in, out, n] {
    naive_copy_kernel<<<static_cast<unsigned>((n + 255) / 256), 256, 0, d.on().stream>>>(in, out, n);
    must(cudaGetLastError());
  });
}

}  // namespace bench
