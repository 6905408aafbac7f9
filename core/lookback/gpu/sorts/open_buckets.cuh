// Buckets that are about to be split get tiles, and splitters from a sample: a hashed place in each of as many equal parts. To hide
// items from the sample takes the hash.
#pragma once
#include "buckets.cuh"
#include "merge_on_chip.cuh"

namespace lookback::gpu {

/// One block sorts a sample, while the others of the device have nothing to do yet: 18 items a way, of which leaves differ by 23 %.
/// With 64 they differ by 13 %, and everything takes as long at 2^28, longer at 2^24 (docs/lab/gpu.md).
template <class T>
struct sample_shape {
  static constexpr int threads = 512, K = 9, samples = threads * K, blocks = sizeof(T) <= 8 ? 2 : 1;
  static constexpr int bytes = samples * static_cast<int>(sizeof(room<T>)), of_a_way = samples / most_ways;
};

namespace detail {

/// The place in [0, n) of sample number i of so many: a hashed one in the i-th of as many equal parts.
/// Source: Steele, Lea & Flood, Fast splittable pseudorandom number generators, 2014 (the finalizer).
LOOKBACK_FN inline std::uint32_t sampled_place(std::uint32_t i, std::uint32_t samples, std::uint32_t n, std::uint32_t seed) {
  std::uint64_t x = i * 0x100000001b3 + seed + 0x9e3779b97f4a7c15;
  x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9;
  x = (x ^ x >> 27) * 0x94d049bb133111eb;
  auto const within = static_cast<std::uint32_t>((x >> 32 ^ x >> 63) * n >> 32);
  return static_cast<std::uint32_t>((std::uint64_t{i} * n + within) / samples);
}

/// By a block: tiles for a bucket, and where they are put. False if there is no room, which only segments that overlap ask for.
__device__ __forceinline__ bool lay_out_tiles(bucket_tables const& tables, int level, std::uint32_t b, sort_bucket& bucket) {
  __shared__ unsigned long long tile, stored;
  bucket_level const& here = tables.levels[level];
  auto const tile_items = static_cast<std::uint32_t>(tables.tile_items);
  bucket.tiles = (bucket.count + tile_items - 1) / tile_items;
  std::uint32_t const length = (bucket.count + 31) / 32 * 32;  // so that the next bucket begins at a multiple of 16 bytes
  __syncthreads();                                             // the bucket before has been laid out
  if (threadIdx.x == 0) {
    tile = atomicAdd(&tables.totals->tiles[level], static_cast<unsigned long long>(bucket.tiles));
    stored = atomicAdd(&tables.totals->stored[level], static_cast<unsigned long long>(length));
  }
  __syncthreads();
  bool const fits = tile + bucket.tiles <= here.most_tiles && stored + length <= tables.most_stored;
  for (std::uint32_t t = threadIdx.x; t < bucket.tiles && tile + t < here.most_tiles; t += blockDim.x) {
    std::uint32_t const low = t * tile_items;
    here.tiles[tile + t] = {b, low, fits ? min(tile_items, bucket.count - low) : 0, 0, 0};
  }
  bucket.tile = static_cast<std::uint32_t>(tile), bucket.stored = static_cast<std::uint32_t>(stored);
  if (!fits) bucket.count = 0;
  return fits;
}

/// By a block: sorts a sample of a bucket and makes its tree. `fetch(i, x)`: the item at place x, for sample number i; a thread
/// asks for ascending places.
template <class Shape, class T, class Order, class Fetch>
__device__ __forceinline__ void choose_splitters(room<T>* tree, std::uint32_t* repeated, sort_bucket const& bucket,
                                                 Order const& order, room<T>* s, Fetch const& fetch) {
  using unstable = comparison_order<T, decltype(Order::less), false>;
  constexpr int K = Shape::K;
  entries<T, unstable, columns<>> const by{unstable{order.less}};
  std::uint32_t const n = bucket.count, ways = bucket.ways, thread = threadIdx.x;
  std::uint32_t const samples = min(static_cast<std::uint32_t>(Shape::samples), ways * Shape::of_a_way);
  room<T> k[K];
#pragma unroll
  for (int j = 0; j < K; ++j) {
    std::uint32_t const i = thread * K + j;
    if (i >= samples) break;
    k[j].value = fetch(sampled_place(i, samples, n, bucket.begin));
  }
#pragma unroll
  for (int j = 0; j < K; ++j)
    if (thread * K + j < samples) s[thread * K + j] = k[j];
  __syncthreads();
  merge_on_chip<Shape::threads>(s, static_cast<int>(samples), k, by);
#pragma unroll
  for (int j = 0; j < K; ++j)
    if (thread * K + j < samples) s[thread * K + j] = k[j];
  __syncthreads();
  auto const splitter = [&](std::uint32_t i) -> room<T> const& { return s[std::uint64_t{i + 1} * samples / ways - 1]; };
  bool mine_is_repeated = false;
  if (thread < most_ways) {
    std::uint32_t const last = ways - 2;
    if (thread < most_ways - 1) tree[node_of_splitter(thread)] = splitter(min(thread, last));
    // Behind the last one the classes up to the highest are free, unless there are as many as can be.
    if (thread <= last && thread < most_ways - 2)
      mine_is_repeated = !by(splitter(thread), thread < last ? splitter(thread + 1) : s[samples - 1]);
  }
  unsigned const bits = __ballot_sync(all_lanes, mine_is_repeated);
  if (thread < most_ways && thread % 32 == 0) repeated[thread / 32] = bits;
  __syncthreads();
}

}  // namespace detail

/// A block for each bucket of the first level.
template <class T, class Order, class Columns>
__global__ void __launch_bounds__(sample_shape<T>::threads)
    open_first_kernel(__grid_constant__ bucket_call<T, Order, Columns> const call) {
  using shape = sample_shape<T>;
  extern __shared__ __align__(16) unsigned char memory[];
  ptx::let_next_kernel_start();
  ptx::wait_for_kernel_before();
  bucket_level const& here = call.tables.levels[0];
  std::uint32_t const number = min(call.from.number(), here.most_buckets);
  if (blockIdx.x == 0 && threadIdx.x == 0) call.tables.totals->buckets[0] = number;
  for (std::uint32_t b = blockIdx.x; b < number; b += gridDim.x) {
    segment_range const range = call.from.range(b);
    sort_bucket bucket{};
    bucket.count = static_cast<std::uint32_t>(range.count), bucket.begin = static_cast<std::uint32_t>(range.begin);
    bool const fits = detail::lay_out_tiles(call.tables, 0, b, bucket);
    bucket.ways = call.tables.ways_of(bucket.count, true);
    if (threadIdx.x == 0) here.buckets[b] = bucket;
    if (threadIdx.x < most_ways) here.counts[b * most_ways + threadIdx.x] = 0;
    std::uint32_t* const repeated = here.repeated + b * (most_ways / 32);
    if (!fits || bucket.ways == 1) {
      if (threadIdx.x < most_ways / 32) repeated[threadIdx.x] = 0;
      continue;
    }
    T const* const in = call.job.in + range.begin;
    detail::choose_splitters<shape>(call.trees[0] + std::size_t{b} * most_ways, repeated, bucket, call.job.order,
                                    reinterpret_cast<room<T>*>(memory), [=](std::uint32_t x) -> T const& { return in[x]; });
  }
}

namespace detail {

/// By a block: what each tile of its parent has of a bucket. Returns how many pieces there are; -1 if there is no room.
template <int Threads>
__device__ __forceinline__ int list_pieces(bucket_tables const& tables, sort_bucket& bucket, std::uint32_t parent_stored,
                                           std::uint32_t first_tile, std::uint32_t tiles) {
  constexpr std::uint32_t each = 8;
  __shared__ std::uint32_t warp_sums[2][Threads / 32], first, all[2];
  __syncthreads();
  if (threadIdx.x == 0) first = atomicAdd(&tables.totals->pieces, tiles + 1);
  __syncthreads();
  bucket.piece = first;
  if (std::uint64_t{first} + tiles + 1 > tables.most_pieces) return -1;
  std::uint32_t before = 0, pieces = 0;
  for (std::uint32_t t0 = 0; t0 < tiles; t0 += Threads * each) {
    std::uint32_t at[each], count[each], sum = 0, some = 0;
#pragma unroll
    for (std::uint32_t e = 0; e < each; ++e) {
      std::uint32_t const t = t0 + threadIdx.x * each + e;
      at[e] = count[e] = 0;
      if (t >= tiles) continue;
      std::uint16_t const* const row = tables.levels[0].rows + std::size_t{first_tile + t} * row_length + bucket.way;
      at[e] = row[0], count[e] = row[1] - at[e];
      sum += count[e], some += count[e] > 0;
    }
    std::uint32_t mine = before + sum_of_threads_before<Threads>(sum, warp_sums[0]),
                  place = pieces + sum_of_threads_before<Threads>(some, warp_sums[1]);
    if (threadIdx.x == Threads - 1) all[0] = mine + sum, all[1] = place + some;
#pragma unroll
    for (std::uint32_t e = 0; e < each; ++e)
      if (count[e] > 0) {
        std::uint32_t const t = t0 + threadIdx.x * each + e;
        tables.pieces[first + place++] = {mine, parent_stored + t * static_cast<std::uint32_t>(tables.tile_items) + at[e]};
        mine += count[e];
      }
    __syncthreads();
    before = all[0], pieces = all[1];
    __syncthreads();
  }
  if (threadIdx.x == 0) tables.pieces[first + pieces] = {before, 0};
  __syncthreads();
  return static_cast<int>(pieces);
}

}  // namespace detail

/// A block for each bucket of the second level, whose items lie in pieces.
template <class T, class Order, class Columns>
__global__ void __launch_bounds__(sample_shape<T>::threads, sample_shape<T>::blocks)
    open_second_kernel(__grid_constant__ bucket_call<T, Order, Columns> const call) {
  using shape = sample_shape<T>;
  using moved = moved_entry<T, Columns>;
  extern __shared__ __align__(16) unsigned char memory[];
  ptx::let_next_kernel_start();
  ptx::wait_for_kernel_before();
  bucket_level const& here = call.tables.levels[1];
  std::uint32_t const number = call.tables.buckets_of(1);
  for (std::uint32_t b = blockIdx.x; b < number; b += gridDim.x) {
    sort_bucket bucket = here.buckets[b];
    sort_bucket const parent = call.tables.levels[0].buckets[bucket.parent];
    int const pieces = detail::list_pieces<shape::threads>(call.tables, bucket, parent.stored, parent.tile, parent.tiles);
    if (pieces <= 0) bucket.count = 0;
    bool const fits = detail::lay_out_tiles(call.tables, 1, b, bucket) && bucket.count > 0;
    if (!fits) bucket.ways = 1;
    bucket_piece const* const mine = call.tables.pieces + bucket.piece;
    for (std::uint32_t t = threadIdx.x; fits && t < bucket.tiles; t += shape::threads) {
      tile_of_bucket& tile = here.tiles[bucket.tile + t];
      auto const all = static_cast<std::uint32_t>(pieces);
      tile.piece = detail::find_piece(mine, all, tile.low);
      tile.pieces = detail::find_piece(mine, all, tile.low + tile.count - 1) + 1 - tile.piece;
    }
    if (threadIdx.x == 0) here.buckets[b] = bucket;
    if (threadIdx.x < most_ways) here.counts[b * most_ways + threadIdx.x] = 0;
    std::uint32_t* const repeated = here.repeated + b * (most_ways / 32);
    if (!fits || bucket.ways <= 1) {
      if (threadIdx.x < most_ways / 32) repeated[threadIdx.x] = 0;
      continue;
    }
    std::uint32_t p = ~0u;
    detail::choose_splitters<shape>(call.trees[1] + std::size_t{b} * most_ways, repeated, bucket, call.job.order,
                                    reinterpret_cast<room<T>*>(memory), [&](std::uint32_t x) -> T const& {
                                      auto const all = static_cast<std::uint32_t>(pieces);
                                      if (p == ~0u) p = detail::find_piece(mine, all, x);
                                      for (int near = 0; p + 1 < all && mine[p + 1].before <= x; ++near, ++p)
                                        if (near == 4) {
                                          p = detail::find_piece(mine, all, x);
                                          break;
                                        }
                                      return moved::item(call.stored[0][mine[p].at + x - mine[p].before]);
                                    });
  }
}

}  // namespace lookback::gpu
