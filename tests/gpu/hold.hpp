// Kernels that hold multiprocessors until a later kernel lets them go. After two seconds they go by themselves: no test hangs.
#pragma once
#include <cuda_runtime_api.h>

#include "harness.hpp"

namespace harness {

namespace detail {

__device__ inline unsigned long long nanoseconds() {
  unsigned long long now;
  asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(now));
  return now;
}
__device__ inline void wait_for(unsigned const* number, unsigned least) {
  unsigned long long const begin = nanoseconds();
  while (*static_cast<unsigned const volatile*>(number) < least && nanoseconds() - begin < 2'000'000'000) __nanosleep(1000);
}
template <int Threads>
__global__ void hold_kernel(unsigned* arrived, unsigned const* let_go) {
  atomicAdd(arrived, 1u);
  wait_for(let_go, 1);
}
template <int Threads>
__global__ void await_kernel(unsigned const* arrived, unsigned number) {
  wait_for(arrived, number);
}
template <int Threads>
__global__ void let_go_kernel(unsigned* let_go) {
  atomicExch(let_go, 1u);
}

}  // namespace detail

/// One block for each of some multiprocessors. begin(), then await() and let_go() in the order of another stream.
class hold {
 public:
  hold() : flags_(2 * sizeof(unsigned)) {
    unsigned const none[2] = {0, 0};
    flags_.write(0, none, sizeof none);
    // Loaded now: a kernel that is loaded while others hold the device may wait for them.
    cudaFuncAttributes of;
    check(cudaFuncGetAttributes(&of, &detail::hold_kernel<1>));
    check(cudaFuncGetAttributes(&of, &detail::await_kernel<1>));
    check(cudaFuncGetAttributes(&of, &detail::let_go_kernel<1>));
  }
  /// `alone`: a block leaves no shared memory of its multiprocessor to others.
  void begin(cudaStream_t in, int blocks, bool alone) {
    blocks_ = blocks;
    int bytes = 0;
    if (alone) {
      check(cudaDeviceGetAttribute(&bytes, cudaDevAttrMaxSharedMemoryPerBlockOptin, lookback::gpu::detail::current_device()));
      check(cudaFuncSetAttribute(&detail::hold_kernel<1>, cudaFuncAttributeMaxDynamicSharedMemorySize, bytes));
    }
    if (blocks_ > 0) detail::hold_kernel<1><<<blocks_, 1, bytes, in>>>(arrived(), arrived() + 1);
    check(cudaGetLastError());
  }
  /// What comes later in `in` finds all blocks there.
  void await(cudaStream_t in) const {
    detail::await_kernel<1><<<1, 1, 0, in>>>(arrived(), static_cast<unsigned>(blocks_));
    check(cudaGetLastError());
  }
  void let_go(cudaStream_t in) const {
    detail::let_go_kernel<1><<<1, 1, 0, in>>>(arrived() + 1);
    check(cudaGetLastError());
  }

 private:
  unsigned* arrived() const { return reinterpret_cast<unsigned*>(flags_.data()); }
  memory flags_;
  int blocks_ = 0;
};

}  // namespace harness
