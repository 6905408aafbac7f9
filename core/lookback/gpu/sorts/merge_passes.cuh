// Passes that merge sorted runs of items two by two, of one array or of many segments: what a block does not sort by itself.
//
//   sort    each tile by a block (sort_on_chip.cuh): runs of one tile
//   splits  of every tile of the result: how many items of the first run come before it (merge path)
//   check   do the splits of neighbouring tiles fit? With a function that contradicts itself they may not: then the two runs stay
//           one behind the other, so that no item is lost. In the same kernel, where that has one block
//   merge   each tile by a block
//
// A segment takes as many passes as its length asks for; it begins in the output or in scratch so that the last one ends in the
// output. Passes that a segment does not need leave it alone.
// Source: Green, McColl & Bader, GPU merge path, 2012.
#pragma once
#include "merge_runs.cuh"
#include "segment_lists.cuh"

namespace lookback::gpu {

/// A tile of `count` items from `begin` on, the number-th of its segment.
struct merge_tile {
  index_t begin, segment_begin, segment_items;
  int count;
  std::uint32_t number;

  /// How often runs are merged until the segment is one.
  __device__ __forceinline__ int passes(int tile_items) const {
    auto const tiles = static_cast<std::uint32_t>((segment_items + tile_items - 1) / tile_items);
    return tiles <= 1 ? 0 : 32 - __clz(static_cast<int>(tiles - 1));
  }
};

/// The tiles of one array, or those of long segments, in a table.
struct merge_tiles {
  lookback::size size;
  int tile_items;
  segment_bounds segments;
  segment_counts const* counts;  // null: one array
  segment_list list;
  tile_entry* table;
  std::uint32_t most_tiles;

  __device__ __forceinline__ bool look_up(std::uint32_t t, merge_tile& tile) const {
    index_t const n = items_in(size);
    if (counts == nullptr) {
      index_t const begin = index_t{t} * tile_items;
      if (begin >= n) return false;
      tile = {begin, 0, n, static_cast<int>(min(index_t{tile_items}, n - begin)), t};
      return true;
    }
    if (t >= counts->tiles_of(most_tiles)) return false;
    tile_entry const e = table[t];
    segment_range const r = range_of(segments, list.ids[e.segment], n);
    tile = {e.begin, r.begin, r.count, e.count, t - e.first};
    return true;
  }
};

/// A block for each long segment: its tiles get their entries.
template <int Threads>
__global__ void __launch_bounds__(Threads) tabulate_merges_kernel(merge_tiles const of, segment_counts* counts) {
  __shared__ unsigned long long first;
  ptx::let_next_kernel_start();
  ptx::wait_for_kernel_before();
  index_t const n = items_in(of.size);
  std::uint32_t const number = of.list.size(counts->segments[by_tiles]);
  for (std::uint32_t s = blockIdx.x; s < number; s += gridDim.x)
    tabulate_segment(of.table, of.most_tiles, range_of(of.segments, of.list.ids[s], n), s, of.tile_items, &counts->tiles, first);
}

/// What is merged, of numbers 0 (input), 1 (output) and 2 (scratch).
template <class T, comparison Order, class Beside>
struct merge_call {
  T const* in;
  T* at[3];
  Beside beside;
  Order order;
  merge_tiles tiles;
  index_t* split;          // of each tile
  std::uint8_t* disagree;  // of the first tile of two runs: splits do not fit
};

/// The two runs that a tile is merged of, in one pass.
struct merged_runs {
  index_t a, b;        // where they begin
  index_t in_a, in_b;  // items of them
  index_t before;      // items of both that come before the tile
  std::uint32_t tiles_before;
  int from, to;

  __device__ __forceinline__ merged_runs(merge_tile const& tile, int tile_items, int pass, int passes) {
    std::uint32_t const first = tile.number >> (pass + 1) << (pass + 1);
    index_t const length = index_t{tile_items} << pass, begin = index_t{first} * tile_items;
    in_a = min(length, tile.segment_items - begin);
    in_b = min(length, tile.segment_items - begin - in_a);
    a = tile.segment_begin + begin, b = a + in_a;
    tiles_before = tile.number - first;
    before = index_t{tiles_before} * tile_items;
    from = (passes - pass) % 2 == 0 ? 1 : 2, to = 3 - from;
  }
};

namespace detail {

__device__ __forceinline__ columns<> beside_to(nothing_beside const&, int) { return {}; }
template <class V>
__device__ __forceinline__ columns<values_beside<V>> beside_to(one_beside<V, false> const& all, int to) {
  return {{all.at[0], all.at[to]}, {}};
}
template <class I>
__device__ __forceinline__ columns<places_beside<I>> beside_to(one_beside<I, true> const& all, int to) {
  return {{all.at[to]}, {}};
}

/// Blocks of a multiprocessor where values move along: left alone, the compiler takes so many registers that there is one (33 ms
/// instead of 21 for 2^27 pairs). Where nothing does, or items are wide, a bound makes the code slower (0: none).
template <class T, class Beside>
inline constexpr int merging_blocks = Beside::bytes > 0 && sizeof(T) <= 8 ? 2 : 0;

}  // namespace detail

template <class Shape, class T, class Order, class Beside>
__global__ void __launch_bounds__(Shape::threads) sort_tiles_kernel(__grid_constant__ merge_call<T, Order, Beside> const call) {
  extern __shared__ __align__(16) unsigned char memory[];
  ptx::let_next_kernel_start();
  ptx::wait_for_kernel_before();
  merge_tile tile;
  for (std::uint32_t t = blockIdx.x; call.tiles.look_up(t, tile); t += gridDim.x) {
    int const to = tile.passes(Shape::items) % 2 == 0 ? 1 : 2;
    auto const beside = detail::beside_to(call.beside, to);
    chip_job<T, Order, std::remove_const_t<decltype(beside)>> const job{call.in, call.at[to], call.order, beside};
    sort_on_chip<Shape, Shape::K>(job, tile.begin, tile.count, memory);
  }
}

inline constexpr int split_threads = 256;

/// Tells of the splits of neighbouring tiles whether they fit.
__device__ __forceinline__ void check_splits(merge_tiles const& tiles, index_t const* split, std::uint8_t* disagree, int pass) {
  merge_tile tile;
  for (std::uint32_t t = blockIdx.x * split_threads + threadIdx.x; tiles.look_up(t, tile); t += gridDim.x * split_threads) {
    int const passes = tile.passes(tiles.tile_items);
    if (pass >= passes) continue;
    merged_runs const runs(tile, tiles.tile_items, pass, passes);
    index_t const upto = runs.before + tile.count, a = split[t], a_end = upto == runs.in_a + runs.in_b ? runs.in_a : split[t + 1];
    if (a_end < a || a_end - a > tile.count || a_end > runs.in_a || upto - a_end > runs.in_b) disagree[t - runs.tiles_before] = 1;
  }
}
template <int Threads = split_threads>
__global__ void __launch_bounds__(Threads)
    check_splits_kernel(__grid_constant__ merge_tiles const tiles, index_t const* split, std::uint8_t* disagree, int pass) {
  ptx::let_next_kernel_start();
  ptx::wait_for_kernel_before();
  check_splits(tiles, split, disagree, pass);
}

/// Where there is one block of it, it checks the splits, too.
template <class T, class Order, class Beside>
__global__ void __launch_bounds__(split_threads)
    find_splits_kernel(__grid_constant__ merge_call<T, Order, Beside> const call, int pass) {
  ptx::let_next_kernel_start();
  ptx::wait_for_kernel_before();
  merge_tile tile;
  for (std::uint32_t t = blockIdx.x * split_threads + threadIdx.x; call.tiles.look_up(t, tile); t += gridDim.x * split_threads) {
    int const passes = tile.passes(call.tiles.tile_items);
    if (pass >= passes) continue;
    merged_runs const runs(tile, call.tiles.tile_items, pass, passes);
    T const *const a = call.at[runs.from] + runs.a, *const b = call.at[runs.from] + runs.b;
    call.split[t] = detail::taken_of_a(
        runs.in_a, runs.in_b, runs.before, [=](index_t i) -> T const& { return a[i]; }, [=](index_t i) -> T const& { return b[i]; },
        call.order);
    if (runs.tiles_before == 0) call.disagree[t] = 0;
  }
  if (gridDim.x > 1) return;
  __syncthreads();
  check_splits(call.tiles, call.split, call.disagree, pass);
}

template <class Shape, class T, class Order, class Beside>
__global__ void __launch_bounds__(Shape::threads, detail::merging_blocks<T, Beside>)
    merge_kernel(__grid_constant__ merge_call<T, Order, Beside> const call, int pass) {
  constexpr int K = Shape::K, threads = Shape::threads;
  constexpr bool has_beside = Beside::bytes > 0;
  extern __shared__ __align__(16) unsigned char memory[];
  auto* const s = reinterpret_cast<room<T>*>(memory);
  [[maybe_unused]] auto* const sources = reinterpret_cast<std::uint16_t*>(memory + sizeof(T) * Shape::items);
  ptx::let_next_kernel_start();
  ptx::wait_for_kernel_before();
  int const thread = threadIdx.x, base = thread * K;
  detail::entries<T, Order, columns<>> const order(call.order);
  merge_tile tile;
  for (std::uint32_t t = blockIdx.x; call.tiles.look_up(t, tile); t += gridDim.x) {
    int const passes = tile.passes(Shape::items);
    if (pass >= passes) continue;
    merged_runs const runs(tile, Shape::items, pass, passes);
    index_t const upto = runs.before + tile.count;
    index_t a_begin, a_end;
    if (call.disagree[t - runs.tiles_before]) a_begin = min(runs.before, runs.in_a), a_end = min(upto, runs.in_a);
    else a_begin = call.split[t], a_end = upto == runs.in_a + runs.in_b ? runs.in_a : call.split[t + 1];
    int const count = tile.count, in_a = static_cast<int>(a_end - a_begin);
    // Item i of the tile, as long as it is not merged.
    index_t const from_a = runs.a + a_begin, from_b = runs.b + runs.before - a_begin - in_a;
    T const* const from = call.at[runs.from];
    __syncthreads();  // the tile before has left
#pragma unroll 4
    for (int i = thread; i < count; i += threads) s[i].value = from[i + (i < in_a ? from_a : from_b)];
    __syncthreads();
    room<T> k[K];
    [[maybe_unused]] std::uint32_t of_b = 0;  // bit j: item j of this thread is of the second run
    static_assert(K <= 32);
    [[maybe_unused]] int begin_in_a = 0;
    bool const is_merged = detail::merge_two_runs<threads>(  // else the items lie here as they did, one run behind the other
        s, in_a, count, k, order,
        [&](int j, bool takes_b) {
          if constexpr (has_beside) of_b |= takes_b ? 1u << j : 0u;
        },
        begin_in_a);
    if (base < count) {
      [[maybe_unused]] int a = begin_in_a, b = in_a + base - a;
#pragma unroll
      for (int j = 0; j < K; ++j)
        if (base + j < count) {
          if (is_merged) s[base + j] = k[j];
          if constexpr (has_beside) {
            bool const from_b = of_b >> j & 1;
            sources[base + j] = static_cast<std::uint16_t>(is_merged ? from_b ? b : a : base + j);
            if (from_b) ++b;
            else ++a;
          }
        }
    }
    __syncthreads();
    T* const to = call.at[runs.to] + tile.begin;
#pragma unroll 4
    for (int p = thread; p < count; p += threads) to[p] = s[p].value;
    if constexpr (has_beside) {
      using V = typename Beside::value_type;
      V const* const values = call.beside.at[runs.from];
      V* const values_to = call.beside.at[runs.to] + tile.begin;
#pragma unroll 4
      for (int p = thread; p < count; p += threads) {
        int const i = sources[p];
        values_to[p] = values[i + (i < in_a ? from_a : from_b)];
      }
    }
  }
}

}  // namespace lookback::gpu
