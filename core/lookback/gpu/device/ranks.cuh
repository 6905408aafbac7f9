// Ranks of threads: which lanes are of one class, and the sum of what the threads before hold.
#pragma once
#include "warp.cuh"

namespace lookback::gpu::detail {

/// Which lanes have the same lowest `Bits` bits as this one.
template <int Bits>
__device__ __forceinline__ unsigned match_any(int c) {
  unsigned same = all_lanes;
#pragma unroll
  for (int bit = 0; bit < Bits; ++bit) {
    asm("{\n.reg .pred set;\n.reg .b32 masked;\nand.b32 masked, %1, %2;\nsetp.ne.u32 set, masked, 0;\n"
        "vote.sync.ballot.b32 masked, set, 0xffffffff;\n@!set not.b32 masked, masked;\nand.b32 %0, %0, masked;\n}"
        : "+r"(same)
        : "r"(c), "r"(1 << bit));
  }
  return same;
}

/// The sum of the values of the threads before this one, among the first `Summed` of a block. meet() is a barrier of these.
template <int Summed, class Meet>
__device__ __forceinline__ std::uint32_t sum_of_threads_before(std::uint32_t value, std::uint32_t* warp_sums, Meet const& meet) {
  bool const is_summed = threadIdx.x < Summed;
  int const warp = threadIdx.x / 32;
  std::uint32_t const upto = sum_of_lanes_upto(value);
  if (is_summed && threadIdx.x % 32 == 31) warp_sums[warp] = upto;
  meet();
  std::uint32_t before = 0;
#pragma unroll
  for (int w = 0; w < Summed / 32; ++w)
    if (w < warp && is_summed) before += warp_sums[w];
  return before + upto - value;
}
/// The same where all threads of the block come.
template <int Summed>
__device__ __forceinline__ std::uint32_t sum_of_threads_before(std::uint32_t value, std::uint32_t* warp_sums) {
  return sum_of_threads_before<Summed>(value, warp_sums, [] { __syncthreads(); });
}

}  // namespace lookback::gpu::detail
