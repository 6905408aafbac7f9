// One pass: tiles publish their aggregates, and one warp at a time, the auxiliary, turns these into prefixes, a window of tiles at
// once.
//
// In its source a block has no other part. Such a block needs room on a multiprocessor beside the others, and where there is none
// all wait for it. Here a warp that waits for its prefix is the auxiliary if none is: it goes on where the one before it ended,
// until its own tile has a prefix, and gives the part back. So a block alone finishes, too. Meanwhile it waits for tiles before its
// own alone, and takes along what those behind have published.
// Source: A Single Pass Scan Using look-back, a course project of 2023.
#pragma once
#include "../host/workspace.cuh"
#include "prefix_exchange.cuh"

namespace lookback::gpu {

namespace detail {

/// The part of the auxiliary: whether a warp has it, and the first tile whose prefix it has not published. Of another epoch: nobody
/// has it, and none is published. epoch:22 unused:1 taken:1 tile:40.
class auxiliary_part {
 public:
  __device__ __forceinline__ explicit auxiliary_part(call_state* state)
      : word_{&state->auxiliary}, epoch_{state->epoch_minus_one + 1} {}
  /// One warp. Is it the auxiliary now? Then `first` is where it goes on, and what the one before it wrote can be read.
  __device__ __forceinline__ bool take(index_t& first) const {
    bool mine = false;
    if (threadIdx.x % 32 == 0) {
      std::uint64_t const before = ptx::load_relaxed(word_);
      bool const is_of_call = (before >> 42) == epoch_;
      first = is_of_call ? static_cast<index_t>(before & tile_mask) : 0;
      mine = !(is_of_call && (before & taken)) && ptx::replace_acquire(word_, before, word(first) | taken);
    }
    mine = __shfl_sync(all_lanes, mine, 0);
    first = shuffle(first, 0);
    __syncwarp();  // what lane 0 may read, all may
    return mine;
  }
  __device__ __forceinline__ void give_back(index_t first) const {
    __syncwarp();  // what any lane wrote comes before
    if (threadIdx.x % 32 == 0) ptx::store_release(word_, word(first));
  }

 private:
  static constexpr std::uint64_t taken = std::uint64_t{1} << 40, tile_mask = taken - 1;
  __device__ __forceinline__ std::uint64_t word(index_t tile) const {
    return std::uint64_t{epoch_} << 42 | static_cast<std::uint64_t>(tile);
  }
  std::uint64_t* word_;
  std::uint32_t epoch_;
};

/// What one warp reads of one counter at once: Groups x 32 tiles, in their order.
template <class T, int Groups>
struct tiles_ahead {
  room<T> value[Groups];
  status state[Groups];

  /// The tiles from `first` up to `last`. Returns how many of them, in a row, have published something.
  template <class Tiles>
  __device__ __forceinline__ int read(Tiles const& tiles, index_t first, index_t last) {
#pragma unroll
    for (int g = 0; g < Groups; ++g) {
      index_t const tile = first + 32 * g + threadIdx.x % 32;
      state[g] = tile <= last ? tiles.peek(tile, value[g]) : status::empty;
    }
    int count = 0;
#pragma unroll
    for (int g = 0; g < Groups; ++g) {
      unsigned const missing = __ballot_sync(all_lanes, state[g] == status::empty);
      if (count == 32 * g) count += missing ? __ffs(static_cast<int>(missing)) - 1 : 32;
    }
    return count;
  }
  /// Publishes the prefixes of the first `count` of them, which `before` comes before; becomes that of the last one.
  template <class Tiles, class Fold>
  __device__ __forceinline__ void publish(Tiles const& tiles, index_t first, int count, Fold const& fold, room<T>& before) {
    int const lane = threadIdx.x % 32;
#pragma unroll
    for (int g = 0; g < Groups; ++g) {
      int const filled = min(count - 32 * g, 32);
      if (filled <= 0) return;
      unsigned const prefixes = __ballot_sync(all_lanes, lane < filled && state[g] == status::prefix);
      value[g].value = warp_scan(value[g].value, fold, scan_order{false}, last_lane_upto(prefixes, lane), filled);
      bool const follows_prefix = (prefixes & ((2u << lane) - 1)) != 0;
      if (lane < filled && !follows_prefix) value[g].value = fold(before.value, value[g].value);
      if (lane < filled && state[g] != status::prefix) tiles.publish(first + 32 * g + lane, status::prefix, value[g].value);
      before.value = shuffle(value[g].value, filled - 1);
    }
  }
};

/// One warp, the auxiliary: publishes the prefixes of tiles from `first` on until tile `last` has one. Returns the first without.
template <class T, int Counters, class TilesOf, class Fold>
__device__ __forceinline__ index_t publish_prefixes(TilesOf const& tiles_of, index_t first, index_t last, index_t tiles,
                                                    Fold const& fold) {
  constexpr int groups = sizeof(T) <= 8 ? 4 : 1;
  tiles_ahead<T, groups> ahead;
  room<T> before;  // of one counter; of several it is read again. Tile 0 is a prefix: nothing comes before it
  if (Counters == 1 && first > 0) tiles_of(0).peek(first - 1, before);
  while (first <= last) {
    int count = 32 * groups;
    for (int c = 0; c < Counters; ++c) count = min(count, ahead.read(tiles_of(c), first, tiles - 1));
    for (int c = 0; c < Counters && count > 0; ++c) {
      if (Counters > 1) ahead.read(tiles_of(c), first, tiles - 1);
      if (Counters > 1 && first > 0) tiles_of(c).peek(first - 1, before);
      ahead.publish(tiles_of(c), first, count, fold, before);
    }
    if (Counters > 1) __syncwarp();  // what one lane has published, others read
    first += count;
  }
  return first;
}

}  // namespace detail

template <>
struct prefix_exchange<auxiliary_block> : one_pass_exchange<auxiliary_block> {
  template <class Tiles, class T>
  __device__ __forceinline__ static void early(Tiles const& tiles, index_t id, T const& aggregate, bool complete) {
    tiles.publish(id, complete ? status::prefix : status::aggregate, aggregate);
  }
  template <class T, class Tiles, class Fold, class InOrder>
  __device__ __forceinline__ static T before(Tiles const& tiles, index_t id, bool complete, Fold const& fold, InOrder,
                                             exchange_call const& call) {
    wait_for_prefix<T, 1>([&](int) { return tiles; }, id, complete, fold, call);
    room<T> before;
    tiles.peek(id - 1, before);
    return before.value;
  }
  template <int Counters, class TilesOf>
  __device__ __forceinline__ static index_t before_of_each(TilesOf const& tiles_of, index_t id, exchange_call const& call) {
    wait_for_prefix<index_t, Counters>(tiles_of, id, false, sum_of_counts{{}, false}, call);
    room<index_t> before;
    before.value = 0;
    if (static_cast<int>(threadIdx.x % 32) < Counters) tiles_of(static_cast<int>(threadIdx.x % 32)).peek(id - 1, before);
    return before.value;
  }
  /// The auxiliary has published it.
  template <class Tiles, class T>
  __device__ __forceinline__ static void late(Tiles const&, index_t, T const&) {}

 private:
  /// One warp: until the prefixes before tile `id` are published, and its own, so that none is missing when the last block leaves.
  template <class T, int Counters, class TilesOf, class Fold>
  __device__ __forceinline__ static void wait_for_prefix(TilesOf const& tiles_of, index_t id, bool complete, Fold const& fold,
                                                         exchange_call const& call) {
    int const lane = threadIdx.x % 32;
    index_t const last = complete ? id - 1 : id;
    detail::auxiliary_part const part(call.state);
    while (true) {
      bool there = true;
      if (lane < Counters) {
        room<T> unused;
        there = tiles_of(lane).peek(id - 1, unused) == status::prefix && tiles_of(lane).peek(last, unused) == status::prefix;
      }
      if (__all_sync(all_lanes, there)) return;
      index_t first;
      if (!part.take(first)) continue;
      part.give_back(detail::publish_prefixes<T, Counters>(tiles_of, first, last, call.tiles, fold));
    }
  }
};

}  // namespace lookback::gpu
