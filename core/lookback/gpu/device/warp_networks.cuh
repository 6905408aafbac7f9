// The networks by which a warp scans one value of each lane: part of a tuning (gpu::tuning), for who compares them.
//
//   network       steps for 32 lanes   applications in a warp   at a step
//   kogge_stone   5                    129                      every lane takes the value twice as far back as in the step before
//   sklansky      5                    80                       the upper half of a block takes the last value of the lower half
//   brent_kung    9                    57                       sums of blocks going up, prefixes coming down
//   raking        7                    62                       four neighbours one after the other; their totals; back to the four
//
// A step costs a warp as much however many of its lanes apply the operator, so that few steps count, and not few applications.
// Sources: Kogge & Stone 1973; Sklansky 1960; Brent & Kung 1982; compared in Merrill & Garland 2016, 2. Raking there is that
// few go over many serially: every thread over its items, and here lanes over four neighbours.
#pragma once
#include "warp.cuh"

namespace lookback::gpu {

struct kogge_stone {
  template <class T, class Op>
  __device__ __forceinline__ static T scan(T const& value, Op const& op, scan_order order, int start, int end) {
    return warp_scan(value, op, order, start, end);
  }
};

namespace detail {
/// One step: a lane that `takes` gets what lane `from` has before what it has itself, unless that lies before `start`.
template <class T, class Op>
__device__ __forceinline__ void network_step(T& value, Op const& op, scan_order order, int start, int end, int from, bool takes) {
  T const earlier = order.from(value, takes ? from : order.lane());
  if (takes && from >= start && order.lane() < end) value = op(earlier, value);
}
}  // namespace detail

struct sklansky {
  template <class T, class Op>
  __device__ __forceinline__ static T scan(T value, Op const& op, scan_order order, int start, int end) {
    int const lane = order.lane();
#pragma unroll
    for (int half = 1; half < 32; half *= 2)
      detail::network_step(value, op, order, start, end, (lane & ~(2 * half - 1)) + half - 1, (lane & half) != 0);
    return value;
  }
};

struct brent_kung {
  template <class T, class Op>
  __device__ __forceinline__ static T scan(T value, Op const& op, scan_order order, int start, int end) {
    int const lane = order.lane();
#pragma unroll
    for (int half = 1; half < 32; half *= 2)
      detail::network_step(value, op, order, start, end, lane - half, (lane + 1) % (2 * half) == 0);
#pragma unroll
    for (int half = 8; half >= 1; half /= 2)
      detail::network_step(value, op, order, start, end, lane - half, lane >= 2 * half && (lane + 1) % (2 * half) == half);
    return value;
  }
};

struct raking {
  template <class T, class Op>
  __device__ __forceinline__ static T scan(T value, Op const& op, scan_order order, int start, int end) {
    constexpr int group = 4;
    int const lane = order.lane(), place = lane % group;
#pragma unroll
    for (int k = 1; k < group; ++k) detail::network_step(value, op, order, start, end, lane - 1, place == k);
#pragma unroll
    for (int distance = group; distance < 32; distance *= 2)
      detail::network_step(value, op, order, start, end, lane - distance, place == group - 1 && lane >= distance);
    detail::network_step(value, op, order, start, end, lane - place - 1, place < group - 1 && lane >= group);
    return value;
  }
};

}  // namespace lookback::gpu
