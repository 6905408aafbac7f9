// Segments by their length, found on the device: who sorts each of them.
//
//   up to 32 items        a lane, right when a warp meets it (short_segments.cuh)
//   up to 136             a quarter of a warp
//   up to a thousand      a warp
//   up to some thousand   a block of 256 threads
//   up to 17 thousand     a block of 1024 threads
//   more                  tiles, which look back inside of their segment, one pass a digit
//
// Limits are lower where items are large. Offsets that a caller got wrong may name more items than there are: lists have room for
// what right ones can name, and what does not fit is left out.
#pragma once
#include "count_classes.cuh"
#include "short_segments.cuh"

namespace lookback::gpu {

/// Lists of segments, by who sorts them.
enum listed { by_quarters, by_warps, by_blocks, by_large_blocks, by_tiles, segment_lists };

struct segment_counts {
  unsigned long long tiles;
  std::uint32_t segments[segment_lists];
  /// Those that the table has room for.
  __device__ __forceinline__ std::uint32_t tiles_of(std::uint32_t room) const {
    return static_cast<std::uint32_t>(min(tiles, static_cast<unsigned long long>(room)));
  }
};

/// A list of segments, and how many it has room for.
struct segment_list {
  std::uint32_t* ids;
  std::uint32_t capacity;
  /// Every lane comes; those that have one say so.
  __device__ __forceinline__ void add(std::uint32_t* count, index_t id, bool has) const {
    unsigned const who = __ballot_sync(all_lanes, has);
    if (who == 0) return;
    int const lane = threadIdx.x % 32;
    std::uint32_t at = 0;
    if (lane == 0) at = atomicAdd(count, static_cast<std::uint32_t>(__popc(who)));
    at = __shfl_sync(all_lanes, at, 0) + __popc(who & ((1u << lane) - 1));
    if (has && at < capacity) ids[at] = static_cast<std::uint32_t>(id);
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

inline constexpr int list_threads = 256;

template <class T, class Order, class Beside>
struct segments_call {
  chip_job<T, Order, Beside> job;
  segment_bounds segments;
  lookback::size size;
  segment_counts* counts;
  segment_list lists[segment_lists];
  int most[by_tiles];  // items of a segment of a list

  __device__ __forceinline__ std::uint32_t number_listed(listed who) const { return lists[who].size(counts->segments[who]); }
  __device__ __forceinline__ segment_range segment(listed who, std::uint32_t i, index_t n) const {
    return range_of(segments, lists[who].ids[i], n);
  }
};

/// A warp looks at 32 neighbouring segments: lists the longer ones, and sorts the others.
template <class T, class Order, class Beside>
__global__ void __launch_bounds__(lane_shape<T, Order, Beside>::threads)
    short_segments_kernel(__grid_constant__ segments_call<T, Order, Beside> const call) {
  using shape = lane_shape<T, Order, Beside>;
  extern __shared__ __align__(16) unsigned char memory[];
  ptx::let_next_kernel_start();
  ptx::wait_for_kernel_before();
  index_t const n = items_in(call.size), warps = index_t{gridDim.x} * shape::warps;
  int const lane = threadIdx.x % 32, in_block = threadIdx.x / 32;
  for (index_t group = (index_t{blockIdx.x} * shape::warps + in_block) * 32; group < call.segments.count; group += warps * 32) {
    index_t const id = group + lane;
    segment_range mine{0, 0};
    if (id < call.segments.count) mine = range_of(call.segments, id, n);
    bool const is_long = mine.count > most_in_lane;
    if (__any_sync(all_lanes, is_long)) {
      int who = by_tiles;
      for (int l = by_tiles - 1; l >= 0; --l)
        if (mine.count <= call.most[l]) who = l;
      for (int l = 0; l < segment_lists; ++l) call.lists[l].add(&call.counts->segments[l], id, is_long && who == l);
    }
    sort_in_lanes(call.job, mine.begin, is_long ? 0 : static_cast<int>(mine.count), memory + in_block * shape::warp_bytes);
  }
}

namespace detail {
/// By as few items a thread as suffice for the longest segment of the groups of a warp: K, or 4, or as many as K more, ...
template <class Shape, int K, class T, class Order, class Beside>
__device__ __forceinline__ void sort_with_fewest(chip_job<T, Order, Beside> const& job, index_t begin, int count, int most,
                                                 unsigned char* memory) {
  constexpr int step = Shape::threads == 32 && K > 1 ? K - 1 : 4;
  static_assert(step > 0);
  if constexpr (K < Shape::K) {
    if (most > Shape::threads * K) return sort_with_fewest<Shape, K + step>(job, begin, count, most, memory);
    sort_on_chip<Shape, K>(job, begin, count, memory);
  } else {
    sort_on_chip<Shape, Shape::K>(job, begin, count, memory);
  }
}
}  // namespace detail

namespace detail {
/// Blocks of a multiprocessor where a function compares: left alone, the compiler takes so many registers for the many entries of a
/// thread that there is one (0: no bound).
template <class Shape, class Order>
inline constexpr int blocks_for_lanes = comparison<Order>&& Shape::threads == 32 && Shape::K > 17
                                            ? 65536 / list_threads / (48 + Shape::K * ((Shape::entry_bytes + 3) / 4))
                                            : 0;
}  // namespace detail

/// Warps, or quarters of warps, sort the segments of a list, one after another.
template <class Shape, class T, class Order, class Beside>
__global__ void __launch_bounds__(list_threads, (detail::blocks_for_lanes<Shape, Order>))
    listed_for_lanes_kernel(__grid_constant__ segments_call<T, Order, Beside> const call, listed which) {
  constexpr int of_warp = 32 / Shape::threads, groups = list_threads / Shape::threads;
  extern __shared__ __align__(16) unsigned char memory[];
  ptx::let_next_kernel_start();
  ptx::wait_for_kernel_before();
  index_t const n = items_in(call.size);
  std::uint32_t const number = call.number_listed(which);
  std::uint32_t const warp = threadIdx.x / 32, in_warp = threadIdx.x % 32 / Shape::threads;
  unsigned char* const mine = memory + (warp * of_warp + in_warp) * Shape::bytes;
  for (std::uint32_t i = blockIdx.x * groups + warp * of_warp; i < number; i += gridDim.x * groups) {
    segment_range s{0, 0};
    if (i + in_warp < number) s = call.segment(which, i + in_warp, n);
    int const count = static_cast<int>(s.count),
              most = static_cast<int>(__reduce_max_sync(all_lanes, static_cast<unsigned>(count)));
    detail::sort_with_fewest<Shape, of_warp == 1 ? detail::odd<(Shape::K + 1) / 2> : 5>(call.job, s.begin, count, most, mine);
  }
}

/// The same by blocks.
template <class Shape, class T, class Order, class Beside>
__global__ void __launch_bounds__(Shape::threads)
    listed_for_blocks_kernel(__grid_constant__ segments_call<T, Order, Beside> const call, listed which) {
  extern __shared__ __align__(16) unsigned char memory[];
  ptx::let_next_kernel_start();
  ptx::wait_for_kernel_before();
  index_t const n = items_in(call.size);
  std::uint32_t const number = call.number_listed(which);
  for (std::uint32_t i = blockIdx.x; i < number; i += gridDim.x) {
    segment_range const s = call.segment(which, i, n);
    sort_on_chip<Shape, Shape::K>(call.job, s.begin, static_cast<int>(s.count), memory);
  }
}

/// Few items: one block, no list.
template <class Shape, class T, class Order, class Beside>
__global__ void __launch_bounds__(Shape::threads)
    few_items_kernel(__grid_constant__ chip_job<T, Order, Beside> const job, lookback::size n) {
  extern __shared__ __align__(16) unsigned char memory[];
  ptx::let_next_kernel_start();
  ptx::wait_for_kernel_before();
  sort_on_chip<Shape, Shape::K>(job, 0, static_cast<int>(items_in(n)), memory);
}

// ---- long segments: tiles in a table

/// What the passes over one long segment are told: where digits begin, counted from the begin of the segment, and where passes read
/// and write.
template <int Passes>
struct segment_plan {
  index_t counts[Passes][scatter_classes];  // then starts
  pass_route routes[Passes];
  index_t items;
  std::int32_t result;
};
struct tile_entry {
  index_t begin;
  std::int32_t count;
  std::uint32_t segment, first;  // number in the list; of its tiles
};

/// By a block: the tiles of a segment, number s in the list, get their entries. `first` is shared memory.
__device__ __forceinline__ void tabulate_segment(tile_entry* table, std::uint32_t most_tiles, segment_range const& range,
                                                 std::uint32_t s, int tile_items, unsigned long long* all_tiles,
                                                 unsigned long long& first) {
  auto const tiles = static_cast<unsigned long long>((range.count + tile_items - 1) / tile_items);
  if (threadIdx.x == 0) first = atomicAdd(all_tiles, tiles);
  __syncthreads();
  for (unsigned long long t = threadIdx.x; t < tiles && first + t < most_tiles; t += blockDim.x) {
    index_t const at = static_cast<index_t>(t) * tile_items;
    table[first + t] = {range.begin + at, static_cast<std::int32_t>(min(range.count - at, index_t{tile_items})), s,
                        static_cast<std::uint32_t>(first)};
  }
  __syncthreads();
}

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
  __shared__ unsigned long long first;
  ptx::let_next_kernel_start();
  ptx::wait_for_kernel_before();
  index_t const n = items_in(call.size);
  std::uint32_t const number = call.tiled.size(call.counts->segments[by_tiles]);
  for (std::uint32_t s = blockIdx.x; s < number; s += gridDim.x) {
    segment_range const range = range_of(call.segments, call.tiled.ids[s], n);
    index_t* const counts = &call.plans[s].counts[0][0];
    for (int c = threadIdx.x; c < Passes * scatter_classes; c += list_threads) counts[c] = 0;
    tabulate_segment(call.table, call.most_tiles, range, s, call.tile_items, &call.counts->tiles, first);
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
  std::uint32_t const number = call.tiled.size(call.counts->segments[by_tiles]);
  for (std::uint32_t s = blockIdx.x; s < number; s += gridDim.x) {
    auto& plan = call.plans[s];
    index_t const items = range_of(call.segments, call.tiled.ids[s], n).count;
    if (threadIdx.x == 0) plan.items = items;
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
    index_t begin, segment_begin, segment_items;
    index_t const* starts;
  };
  __device__ __forceinline__ bool is_skipped() const { return counts->tiles == 0; }
  __device__ __forceinline__ void open(common&) const {}
  __device__ __forceinline__ std::uint32_t size() const { return counts->tiles_of(most_tiles); }
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
    tile = {ticket, e.first, e.count, plan.routes[pass], e.begin, table[e.first].begin, plan.items, plan.counts[pass]};
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
  /// Of segments that overlap, counts may be others' by now: items stay in theirs.
  __device__ __forceinline__ index_t place(known const& tile, int c, index_t before, index_t own) const {
    return tile.segment_begin + min(tile.starts[c] + before, tile.segment_items - own);
  }
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
  std::uint32_t const tiles = call.counts->tiles_of(call.most_tiles);
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
  std::uint32_t const tiles = call.counts->tiles_of(call.most_tiles);
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
