// The path that merges the items to write and the ends of the runs they lie in (Green, McColl, Bader, GPU Merge Path, ICS 2012).
// Tiles of equally many steps cost equally much, whether a run has no item or all of them. An end comes before the item at its
// position; the path ends where the last item is written.
#pragma once
#include "../run_lengths.hpp"
#include "boundaries.cuh"
#include "warp.cuh"

namespace lookback::gpu {

/// Where the path is after some steps: before `item`, in run `run`, which begins at item `begin`.
struct place_on_path {
  index_t run, item, begin;
};

namespace detail {

/// The sum of the values of lanes 0 to this one.
__device__ __forceinline__ index_t sum_of_lanes_upto(index_t value) {
  int const lane = threadIdx.x % 32;
#pragma unroll
  for (int distance = 1; distance < 32; distance *= 2) {
    index_t const earlier = __shfl_up_sync(all_lanes, value, distance);
    if (lane >= distance) value += earlier;
  }
  return value;
}

}  // namespace detail

namespace detail {

/// As warp_partition_point from 0 to `last`, where the answer is thought to be near `guess`: the lanes first ask further and
/// further away from it on both sides, so that a good guess costs one more read whatever `last` is.
template <class Below>
__device__ __forceinline__ index_t warp_partition_point_near(index_t guess, index_t last, Below below) {
  int const lane = threadIdx.x % 32;
  auto const asked = [&](int l) { return guess + (l < 16 ? -(index_t{1} << (15 - l)) : (index_t{1} << (l - 16)) - 1); };
  index_t const k = asked(lane);
  int const passed = __popc(__ballot_sync(all_lanes, k < 0 || (k < last && below(k))));
  index_t const from = passed > 0 ? max(index_t{0}, asked(passed - 1) + 1) : 0;
  return warp_partition_point(from, passed < 32 ? max(from, min(last, asked(passed))) : last, below);
}

}  // namespace detail

/// By one warp, for n > 0 items, all of which lie in one of the first `runs` runs. The row is found 33 ways at a time; in it every
/// lane adds up neighbours, so that whole lines are read; then all lanes look at the few runs of the lane that it is.
template <class Word>
__device__ __forceinline__ place_on_path place_after(Word const* data, index_t const* row_ends, index_t n, index_t runs,
                                                     index_t steps) {
  constexpr index_t row = run_lengths<int>::row;
  constexpr int each = 4, rounds = static_cast<int>(row) / (32 * each);
  static_assert(rounds * 32 * each == row);
  // Have the first `ended` runs, which end before item `end`, ended by then? The first comparison keeps the sum from overflowing.
  auto const passed = [&](index_t end, index_t ended) { return end < n && end + ended <= steps; };

  index_t const rows = tiles_of(runs, row), last_row = min(rows, steps / row + 1);
  double const share = static_cast<double>(steps) / (static_cast<double>(n) + static_cast<double>(runs));
  index_t const k = detail::warp_partition_point_near(static_cast<index_t>(share * static_cast<double>(rows)), last_row,
                                                      [&](index_t j) { return passed(row_ends[j], min((j + 1) * row, runs)); });
  index_t begin = k > 0 ? row_ends[k - 1] : 0;

  index_t const first = k * row + threadIdx.x % 32 * each;
  index_t sum[rounds];
#pragma unroll
  for (int j = 0; j < rounds; ++j) {
    sum[j] = 0;
#pragma unroll
    for (int i = 0; i < each; ++i) {
      index_t const r = first + j * 32 * each + i;
      if (r < runs) sum[j] += static_cast<index_t>(data[r]);
    }
  }
  index_t run = k * row;
#pragma unroll
  for (int j = 0; j < rounds; ++j) {
    index_t const end = begin + detail::sum_of_lanes_upto(sum[j]);
    unsigned const lanes = __ballot_sync(all_lanes, passed(end, min(first + (j * 32 + 1) * each, runs)));
    int const before = __popc(lanes);  // lanes whose runs have all ended: the first ones
    if (before > 0) begin = __shfl_sync(all_lanes, end, before - 1);
    run += before * each;
    if (before < 32) break;
  }

  index_t length[each];
#pragma unroll
  for (int i = 0; i < each; ++i) length[i] = run + i < runs ? static_cast<index_t>(data[run + i]) : 0;
  bool inside = false;
  index_t const group = run;
#pragma unroll
  for (int i = 0; i < each; ++i) {
    inside = inside || !passed(begin + length[i], group + i + 1);
    if (!inside) begin += length[i], ++run;
  }
  return {run, min(steps - run, n), begin};
}

}  // namespace lookback::gpu
