// Between the passes of reduce_then_scan: what the tiles told of themselves becomes what comes up to and including each.
#pragma once
#include "../../model/tile.hpp"
#include "../../source.hpp"
#include "../device/warp.cuh"
#include "../host/launch.cuh"
#include "../host/scan_call.cuh"
#include "../host/workspace.cuh"
#include "counters.cuh"

namespace lookback::gpu {

inline constexpr int aggregates_threads = 512;

/// One block for each counter of a tile. Each thread folds a share of neighbouring tiles, the shares are scanned, each thread walks
/// its share again. A tile that is a prefix already (the first; one that holds a head) starts anew.
///   extra   steps beside the items, where tiles are cut along a path
template <class T, class Tiles, class Fold>
__global__ void __launch_bounds__(aggregates_threads)
    aggregates_kernel(Tiles all, call_state const* state, Fold op, size n, index_t extra, int tile_items) {
  constexpr int warps = aggregates_threads / 32;
  __shared__ __align__(16) unsigned char memory[warps * sizeof(room<T>)];
  __shared__ bool warp_starts_anew[warps];
  auto* const warp_total = reinterpret_cast<room<T>*>(memory);
  all.epoch = state->epoch_minus_one + 1;
  strided<Tiles> const tiles{all, gridDim.x, blockIdx.x};
  index_t const tile_count = tiles_of(items_in(n) + extra, tile_items), each = tiles_of(tile_count, aggregates_threads);
  index_t const begin = threadIdx.x * each, end = min(begin + each, tile_count);
  int const lane = threadIdx.x % 32, warp = threadIdx.x / 32;

  // Walks the share from `run`, if there is something before it. Many tiles are read at once, because they come from L2.
  bool starts_anew = false;
  auto const walk = [&](bool has, room<T>& run, bool publish) {
    constexpr int group = sizeof(T) <= 16 ? 8 : 2;
    for (index_t t = begin; t < end; t += group) {
      room<T> mine[group];
      status states[group];
#pragma unroll
      for (int g = 0; g < group; ++g)
        if (t + g < end) states[g] = tiles.peek(t + g, mine[g]);
#pragma unroll
      for (int g = 0; g < group; ++g) {
        if (t + g >= end) break;
        bool const prefix = states[g] == status::prefix;
        run.value = has && !prefix ? op(run.value, mine[g].value) : mine[g].value;
        has = true, starts_anew = starts_anew || prefix;
        if (publish && !prefix) tiles.publish(t + g, status::prefix, run.value);
      }
    }
  };
  room<T> run;
  walk(false, run, false);
  scan_order const order{false};
  int const filled = __popc(__ballot_sync(all_lanes, begin < end));
  unsigned const anew = __ballot_sync(all_lanes, starts_anew);
  run.value = warp_scan(run.value, op, order, last_lane_upto(anew, lane), filled);
  if (lane == max(filled, 1) - 1) warp_total[warp].value = run.value, warp_starts_anew[warp] = anew != 0;
  __syncthreads();
  if (warp == 0) {
    room<T> total;
    bool const has_total = lane < warps && lane * 32 * each < tile_count;
    if (has_total) total = warp_total[lane];
    unsigned const warps_anew = __ballot_sync(all_lanes, has_total && warp_starts_anew[lane]);
    total.value = warp_scan(total.value, op, order, last_lane_upto(warps_anew, lane), __popc(__ballot_sync(all_lanes, has_total)));
    if (has_total) warp_total[lane] = total;
  }
  __syncthreads();
  bool has = lane > 0;
  run.value = shuffle(run.value, max(lane - 1, 0));
  if (warp > 0 && begin < end && (anew & ((1u << lane) - 1)) == 0) {
    run.value = has ? op(warp_total[warp - 1].value, run.value) : warp_total[warp - 1].value;
    has = true;
  }
  walk(has, run, true);
}

/// Turns the aggregates of a call's tiles, `counters` of each, into prefixes.
template <class T, class Call, class Fold>
void scan_aggregates(detail::turn now, Call const& call, int counters, Fold const& op, index_t extra, int tile_items,
                     cudaStream_t stream) {
  using tiles = std::remove_cvref_t<decltype(call.tiles)>;
  constexpr auto kernel = &aggregates_kernel<T, tiles, Fold>;
  if (now == detail::turn::load) return detail::load<kernel>();
  detail::enqueue_after<kernel>(counters, aggregates_threads, stream, call.tiles, static_cast<call_state const*>(call.memory.state),
                                op, call.size, extra, tile_items);
}

}  // namespace lookback::gpu
