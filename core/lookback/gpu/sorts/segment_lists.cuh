// Segments by their length, found on the device: who sorts each of them.
//
//   up to 32 items        a warp sorts as many as fit into it, right when it meets them
//   up to a few hundred   a small block
//   up to some thousand   a large block
//   more                  tiles, which look back inside of their segment, one pass a digit
//
// Offsets that a caller got wrong may name more items than there are: lists have room for what right ones can name, and what does
// not fit is left out.
#pragma once
#include "count_classes.cuh"
#include "sort_on_chip.cuh"

namespace lookback::gpu {

struct segment_counts {
  std::uint32_t small, large, tiled, tiles;
};

/// A list of segments, and how many it has room for.
struct segment_list {
  std::uint32_t* ids;
  std::uint32_t capacity;
  __device__ __forceinline__ void add(std::uint32_t* count, index_t id) const {
    std::uint32_t const at = atomicAdd(count, 1u);
    if (at < capacity) ids[at] = static_cast<std::uint32_t>(id);
  }
  __device__ __forceinline__ std::uint32_t size(std::uint32_t const& count) const { return min(count, capacity); }
};

/// Where a segment lies, inside of [0, n).
struct segment_range {
  index_t begin, count;
};
__device__ __forceinline__ segment_range range_of(segment_bounds const& s, index_t id, index_t n) {
  index_t const begin = min(max(offset_at(s.begins, id), index_t{0}), n), end = min(max(offset_at(s.ends, id), begin), n);
  return {begin, end - begin};
}

inline constexpr int most_in_warp = 32, list_threads = 256;

template <class T, class Order, class Beside>
struct segments_call {
  chip_job<T, Order, Beside> job;
  segment_bounds segments;
  lookback::size size;
  segment_counts* counts;
  segment_list small, large, tiled;
  int most_small, most_large;
};

/// A warp looks at 32 neighbouring segments: lists the longer ones, and sorts the others, as many at a time as have 32 items.
template <class T, class Order, class Beside>
__global__ void __launch_bounds__(list_threads)
    short_segments_kernel(__grid_constant__ segments_call<T, Order, Beside> const call) {
  ptx::let_next_kernel_start();
  ptx::wait_for_kernel_before();
  index_t const n = items_in(call.size), warps = index_t{gridDim.x} * (list_threads / 32);
  int const lane = threadIdx.x % 32;
  index_t const warp = index_t{blockIdx.x} * (list_threads / 32) + threadIdx.x / 32;
  for (index_t group = warp * 32; group < call.segments.count; group += warps * 32) {
    index_t const id = group + lane;
    segment_range mine{0, 0};
    if (id < call.segments.count) mine = range_of(call.segments, id, n);
    if (mine.count > most_in_warp) {
      if (mine.count <= call.most_small) call.small.add(&call.counts->small, id);
      else if (mine.count <= call.most_large) call.large.add(&call.counts->large, id);
      else call.tiled.add(&call.counts->tiled, id);
    }
    int const count = mine.count <= most_in_warp ? static_cast<int>(mine.count) : 0;
    int const upto = static_cast<int>(sum_of_lanes_upto(static_cast<std::uint32_t>(count)));
    int const all = __shfl_sync(all_lanes, upto, 31);
    for (int from = 0; from < all;) {
      // The last segment that ends within 32 items.
      int const whole = __popc(__ballot_sync(all_lanes, upto <= from + most_in_warp));
      int const to = __shfl_sync(all_lanes, upto, whole - 1);
      int const place = from + lane;
      int of = 0;  // the segment of this lane's item: how many end at or before it
#pragma unroll
      for (int step = 16; step > 0; step /= 2)
        if (__shfl_sync(all_lanes, upto, of + step - 1) <= place) of += step;
      of = min(of, 31);
      int const items = __shfl_sync(all_lanes, count, of), before = __shfl_sync(all_lanes, upto, of) - items;
      index_t const begin = shuffle(mine.begin, of);
      bool const has = place < to;
      int const most = static_cast<int>(__reduce_max_sync(all_lanes, has ? static_cast<unsigned>(items) : 0u));
      sort_in_warp(call.job, has, begin, place - before, before - from, has ? items : 0, most);
      from = to;
    }
  }
}

/// Blocks sort the segments of a list, one after another.
template <class Shape, class T, class Order, class Beside>
__global__ void __launch_bounds__(Shape::threads)
    listed_segments_kernel(__grid_constant__ segments_call<T, Order, Beside> const call, bool large) {
  extern __shared__ __align__(16) unsigned char memory[];
  ptx::let_next_kernel_start();
  ptx::wait_for_kernel_before();
  index_t const n = items_in(call.size);
  segment_list const& list = large ? call.large : call.small;
  std::uint32_t const number = list.size(large ? call.counts->large : call.counts->small);
  for (std::uint32_t i = blockIdx.x; i < number; i += gridDim.x) {
    segment_range const s = range_of(call.segments, list.ids[i], n);
    sort_on_chip<Shape>(call.job, s.begin, static_cast<int>(s.count), memory);
  }
}

/// Few items: one block, no list.
template <class Shape, class T, class Order, class Beside>
__global__ void __launch_bounds__(Shape::threads)
    few_items_kernel(__grid_constant__ chip_job<T, Order, Beside> const job, lookback::size n) {
  extern __shared__ __align__(16) unsigned char memory[];
  ptx::let_next_kernel_start();
  ptx::wait_for_kernel_before();
  sort_on_chip<Shape>(job, 0, static_cast<int>(items_in(n)), memory);
}

// ---- long segments: tiles in a table

/// What the passes over one long segment are told: where digits begin, counted from the begin of the segment, and where passes read
/// and write.
template <int Passes>
struct segment_plan {
  index_t counts[Passes][scatter_classes];  // then starts
  pass_route routes[Passes];
  std::int32_t result;
};
struct tile_entry {
  index_t begin;
  std::int32_t count;
  std::uint32_t segment, first;  // number in the list; of its tiles
};

/// A block for each long segment: its tiles get their entries.
template <int Passes>
struct tiled_call {
  segment_bounds segments;
  lookback::size size;
  segment_counts* counts;
  segment_list tiled;
  tile_entry* table;
  std::uint32_t most_tiles;
  segment_plan<Passes>* plans;
  int tile_items, passes;
  bool in_place, keeps_items;
};
template <int Passes>
__global__ void __launch_bounds__(list_threads) tabulate_kernel(__grid_constant__ tiled_call<Passes> const call) {
  __shared__ std::uint32_t first;
  ptx::let_next_kernel_start();
  ptx::wait_for_kernel_before();
  index_t const n = items_in(call.size);
  std::uint32_t const number = call.tiled.size(call.counts->tiled);
  for (std::uint32_t s = blockIdx.x; s < number; s += gridDim.x) {
    segment_range const range = range_of(call.segments, call.tiled.ids[s], n);
    auto const tiles = static_cast<std::uint32_t>((range.count + call.tile_items - 1) / call.tile_items);
    if (threadIdx.x == 0) first = atomicAdd(&call.counts->tiles, tiles);
    index_t* const counts = &call.plans[s].counts[0][0];
    for (int c = threadIdx.x; c < Passes * scatter_classes; c += list_threads) counts[c] = 0;
    __syncthreads();
    for (std::uint32_t t = threadIdx.x; t < tiles && first + t < call.most_tiles; t += list_threads) {
      index_t const at = index_t{t} * call.tile_items;
      call.table[first + t] = {range.begin + at, static_cast<std::int32_t>(min(range.count - at, index_t{call.tile_items})), s,
                               first};
    }
    __syncthreads();
  }
}

/// A block for each long segment: counts become starts and routes.
template <int Passes>
__global__ void __launch_bounds__(scatter_classes) plan_segments_kernel(__grid_constant__ tiled_call<Passes> const call) {
  __shared__ index_t warp_sums[scatter_classes / 32];
  __shared__ std::uint32_t constant;
  ptx::let_next_kernel_start();
  ptx::wait_for_kernel_before();
  index_t const n = items_in(call.size);
  std::uint32_t const number = call.tiled.size(call.counts->tiled);
  for (std::uint32_t s = blockIdx.x; s < number; s += gridDim.x) {
    auto& plan = call.plans[s];
    index_t const items = range_of(call.segments, call.tiled.ids[s], n).count;
    plan_passes(plan.counts, plan.counts, plan.routes, plan.result, call.passes, items, call.in_place, call.keeps_items, warp_sums,
                constant);
    __syncthreads();
  }
}

/// Tiles of long segments.
template <int Passes>
struct tile_table {
  segment_counts const* counts;
  tile_entry const* table;
  std::uint32_t most_tiles;
  segment_plan<Passes> const* plans;
  int pass;

  struct common {};
  struct known {
    std::uint32_t number, first;
    std::int32_t count;
    pass_route route;
    index_t begin, segment_begin;
    index_t const* starts;
  };
  __device__ __forceinline__ bool is_skipped() const { return counts->tiles == 0; }
  __device__ __forceinline__ void open(common&) const {}
  __device__ __forceinline__ std::uint32_t size() const { return min(counts->tiles, most_tiles); }
  /// Tiles of segments that this pass leaves out have nothing to do.
  __device__ __forceinline__ std::uint32_t claim(std::uint32_t* ticket) const {
    std::uint32_t const tiles = size();
    while (true) {
      std::uint32_t const t = atomicAdd(ticket, 1u);
      if (t >= tiles || !plans[table[t].segment].routes[pass].skipped) return t;
    }
  }
  __device__ __forceinline__ void look_up(std::uint32_t ticket, known& tile) const {
    tile.number = ticket, tile.count = 0;
    if (ticket >= size()) return;
    tile_entry const e = table[ticket];
    auto const& plan = plans[e.segment];
    tile = {ticket, e.first, e.count, plan.routes[pass], e.begin, table[e.first].begin, plan.counts[pass]};
  }
  template <int TileItems>
  __device__ __forceinline__ index_t begin(known const& tile) const {
    return tile.begin;
  }
  template <int TileItems>
  __device__ __forceinline__ int count(common const&, known const& tile) const {
    return tile.count;
  }
  __device__ __forceinline__ pass_route route_of(common const&, known const& tile) const { return tile.route; }
  __device__ __forceinline__ std::uint32_t first(known const& tile) const { return tile.first; }
  __device__ __forceinline__ index_t start(known const& tile, int c) const { return tile.segment_begin + tile.starts[c]; }
};

/// All digits of the tiles of long segments.
template <class T, class Classes, int Passes>
struct count_tiles_call {
  T const* in;
  Classes classes;
  segment_counts const* counts;
  tile_entry const* table;
  std::uint32_t most_tiles;
  segment_plan<Passes>* plans;
};
template <class T, class Classes, int Passes>
__global__ void __launch_bounds__(count_threads)
    count_tiles_kernel(__grid_constant__ count_tiles_call<T, Classes, Passes> const call) {
  constexpr int all = Passes * scatter_classes, copies = all <= 1024 ? 4 : 2;
  __shared__ std::uint32_t counters[all * copies];
  ptx::let_next_kernel_start();
  ptx::wait_for_kernel_before();
  std::uint32_t const tiles = min(call.counts->tiles, call.most_tiles);
  int const copy = threadIdx.x % copies;
  for (std::uint32_t t = blockIdx.x; t < tiles; t += gridDim.x) {
    for (int i = threadIdx.x; i < all * copies; i += count_threads) counters[i] = 0;
    __syncthreads();
    tile_entry const e = call.table[t];
    for (int i = threadIdx.x; i < e.count; i += count_threads)
      call.classes(call.in[e.begin + i],
                   [&](int pass, int c) { atomicAdd(&counters[(pass * scatter_classes + c) * copies + copy], 1u); });
    __syncthreads();
    auto* const counts = reinterpret_cast<unsigned long long*>(&call.plans[e.segment].counts[0][0]);
    for (int i = threadIdx.x; i < all; i += count_threads) {
      std::uint32_t sum = 0;
#pragma unroll
      for (int c = 0; c < copies; ++c) sum += counters[i * copies + c];
      if (sum) atomicAdd(counts + i, static_cast<unsigned long long>(sum));
    }
    __syncthreads();
  }
}

/// Brings tiles whose order did not end in the output there.
template <class V, int Passes>
struct settle_tiles_call {
  V* at[3];
  bool makes_places;
  segment_counts const* counts;
  tile_entry const* table;
  std::uint32_t most_tiles;
  segment_plan<Passes> const* plans;
};
template <class V, int Passes>
__global__ void __launch_bounds__(list_threads) settle_tiles_kernel(__grid_constant__ settle_tiles_call<V, Passes> const call) {
  ptx::let_next_kernel_start();
  ptx::wait_for_kernel_before();
  std::uint32_t const tiles = min(call.counts->tiles, call.most_tiles);
  for (std::uint32_t t = blockIdx.x; t < tiles; t += gridDim.x) {
    tile_entry const e = call.table[t];
    int const from = call.plans[e.segment].result;
    if (from == 1) continue;
    bool const makes = from == 0 && call.makes_places;
    if (!makes && call.at[from] == call.at[1]) continue;
    for (int i = threadIdx.x; i < e.count; i += list_threads) {
      if (makes) {
        if constexpr (std::is_integral_v<V>) call.at[1][e.begin + i] = static_cast<V>(e.begin + i);
      } else {
        call.at[1][e.begin + i] = call.at[from][e.begin + i];
      }
    }
  }
}

}  // namespace lookback::gpu
