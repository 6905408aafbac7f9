// The highest bits of keys that stand alone: counted in one read, they say where buckets and leaves begin, and whether to split
// from the top at all.
//
//   sample   16384 keys from all over: does one value of the top byte hold far more than its share? Then the lowest digits go first
//   count    up to 15 bits, 32768 counters in the shared memory of one block a multiprocessor
//   plan     leaves begin where sums of the counts say; buckets begin at sectors, and have tiles
#pragma once
#include "count_classes.cuh"
#include "sort_on_chip.cuh"

namespace lookback::gpu {

inline constexpr int top_threads = 1024, most_top_bits = detail::for_less_memory() ? 14 : 15, first_top_bits = 8,
                     buckets = 1 << first_top_bits;
inline constexpr int sector_bytes = 32;

/// Tables of a split from the top, in device memory.
struct top_tables {
  std::uint32_t counts[1 << most_top_bits];  // zero before the call, as the next two
  std::uint32_t whole[buckets];              // of a bucket: items that left in whole sectors, from its begin on
  std::uint32_t tail[buckets];               // items that left one by one, from its end back
  index_t begins[(1 << most_top_bits) + 1];  // of leaves, dense
  std::uint32_t cursors[1 << most_top_bits];
  std::uint32_t bucket_begin[buckets], bucket_end[buckets];  // with room between them, so that they begin at sectors
  std::uint32_t tiles, long_items;
  std::int32_t skewed, from_the_top;  // from_the_top: this way was chosen
};
inline constexpr std::size_t zeroed_top_bytes = sizeof(top_tables::counts) + sizeof(top_tables::whole) + sizeof(top_tables::tail);

struct bucket_tile {
  std::uint32_t begin, count, bucket, first;  // first: of the tiles of its bucket
};

template <class T, class Order>
struct top_call {
  T const* in;
  compared_bits<Order> number_of;
  int width;  // of numbers
  lookback::size size;
  int bits;  // of them, from the top
  bool samples;
  top_tables* tables;
};

/// One block.
template <class T, class Order>
__global__ void __launch_bounds__(top_threads) sample_top_kernel(__grid_constant__ top_call<T, Order> const call) {
  constexpr int each = 16, much = 160;  // of 16384 keys, where 64 would be its share
  __shared__ std::uint32_t counters[256];
  ptx::let_next_kernel_start();
  ptx::wait_for_kernel_before();
  auto const n = static_cast<std::uint64_t>(items_in(call.size));
  if (threadIdx.x < 256) counters[threadIdx.x] = 0;
  __syncthreads();
  if (n > 0) {
    room<T> item[each];
#pragma unroll
    for (int j = 0; j < each; ++j) {
      std::uint64_t x = (static_cast<std::uint64_t>(j) * top_threads + threadIdx.x) * 0x9e3779b97f4a7c15ull;
      x ^= x >> 29;
      x *= 0xbf58476d1ce4e5b9ull;
      item[j].value = call.in[(x >> 32) * n >> 32];
    }
#pragma unroll
    for (int j = 0; j < each; ++j)
      atomicAdd(&counters[static_cast<std::uint32_t>(call.number_of(item[j].value) >> (call.width - 8))], 1u);
  }
  __syncthreads();
  bool const hot = threadIdx.x < 256 && counters[threadIdx.x % 256] > much;
  bool const any = __syncthreads_or(hot);
  if (threadIdx.x == 0) call.tables->skewed = any;
}

template <class T, class Order>
__global__ void __launch_bounds__(top_threads, 1) count_top_kernel(__grid_constant__ top_call<T, Order> const call) {
  extern __shared__ __align__(16) unsigned char memory[];
  auto* const counters = reinterpret_cast<std::uint32_t*>(memory);
  ptx::let_next_kernel_start();
  int const all = 1 << call.bits, shift = call.width - call.bits;
  for (int i = threadIdx.x; i < all; i += top_threads) counters[i] = 0;
  ptx::wait_for_kernel_before();
  if (call.samples && call.tables->skewed) return;
  __syncthreads();
  auto const count = [&](T const& item) { atomicAdd(&counters[static_cast<std::uint32_t>(call.number_of(item) >> shift)], 1u); };
  for_each_item(call.in, items_in(call.size), index_t{blockIdx.x} * top_threads + threadIdx.x, index_t{gridDim.x} * top_threads,
                count);
  __syncthreads();
  for (int i = threadIdx.x; i < all; i += top_threads) {
    int const j = (i + static_cast<int>(blockIdx.x) * top_threads) & (all - 1);  // blocks begin at different places
    if (counters[j]) atomicAdd(&call.tables->counts[j], counters[j]);
  }
}

struct top_plan_call {
  lookback::size size;
  int bits, second_bits;       // of all, of the second split
  std::uint32_t leaf_room;     // longer leaves are not sorted on chip
  std::uint32_t sector_items;  // buckets begin at multiples of it
  int tile_items;
  std::uint32_t most_tiles;
  bool samples;
  bool sorts_long_leaves;
  bucket_tile* table;
  top_tables* tables;
};
inline constexpr int top_plan_bytes = ((1 << most_top_bits) + (1 << most_top_bits) / 32) * 4;
static_assert(4 << most_top_bits <= detail::most_shared_bytes && top_plan_bytes <= detail::most_shared_bytes);

/// One block.
template <int Threads>
__global__ void __launch_bounds__(Threads) plan_top_kernel(__grid_constant__ top_plan_call const call) {
  extern __shared__ __align__(16) unsigned char memory[];
  auto* const begin = reinterpret_cast<std::uint32_t*>(memory);
  __shared__ std::uint32_t warp_sums[Threads / 32], tiles_before[buckets + 1], first_item[buckets], last_item[buckets], long_items;
  ptx::let_next_kernel_start();
  ptx::wait_for_kernel_before();
  top_tables& tables = *call.tables;
  int const thread = threadIdx.x;
  if (call.samples && tables.skewed) {
    if (thread == 0) tables.from_the_top = 0, tables.tiles = 0;
    return;
  }
  auto const n = static_cast<std::uint32_t>(items_in(call.size));
  int const leaves = 1 << call.bits, each = (leaves + Threads - 1) / Threads;
  auto const at = [](int i) { return i + i / 32; };  // neighbours of a thread lie in different banks from those of the next
  if (thread == 0) long_items = 0;
  for (int i = thread; i < leaves; i += Threads) begin[at(i)] = tables.counts[i];
  __syncthreads();
  std::uint32_t sum = 0, in_long = 0;
  for (int e = 0; e < each; ++e)
    if (thread * each + e < leaves) {
      std::uint32_t const count = begin[at(thread * each + e)];
      sum += count;
      if (count > call.leaf_room) in_long += count;
    }
  if (in_long) atomicAdd(&long_items, in_long);
  std::uint32_t before = detail::sum_of_threads_before<Threads>(sum, warp_sums);
  for (int e = 0; e < each; ++e)
    if (thread * each + e < leaves) {
      std::uint32_t& here = begin[at(thread * each + e)];
      std::uint32_t const next = before + here;
      here = before, before = next;
    }
  __syncthreads();
  for (int i = thread; i < leaves; i += Threads) {
    std::uint32_t const b = begin[at(i)];
    tables.begins[i] = b, tables.cursors[i] = b;
  }
  if (thread == 0) {
    tables.begins[leaves] = n;
    tables.long_items = long_items;
    // Leaves that are too long go by their lowest digits, each by itself; should many items be in such, everything does.
    tables.from_the_top = call.sorts_long_leaves ? long_items <= n / 4 : long_items == 0;
  }
  bool const has = thread < buckets;
  int const per_bucket = 1 << call.second_bits;
  std::uint32_t const first = has ? begin[at(thread * per_bucket)] : n;
  std::uint32_t const end = has && thread + 1 < buckets ? begin[at((thread + 1) * per_bucket)] : n, count = end - first;
  __syncthreads();
  std::uint32_t const padded = (count + call.sector_items - 1) / call.sector_items * call.sector_items;
  std::uint32_t const place = detail::sum_of_threads_before<Threads>(padded, warp_sums);
  if (has) tables.bucket_begin[thread] = first_item[thread] = place, tables.bucket_end[thread] = last_item[thread] = place + count;
  __syncthreads();
  std::uint32_t const mine = (count + call.tile_items - 1) / call.tile_items;
  std::uint32_t const earlier = detail::sum_of_threads_before<Threads>(mine, warp_sums);
  if (has) tiles_before[thread] = earlier;
  if (thread == buckets - 1) tiles_before[buckets] = earlier + mine, tables.tiles = min(earlier + mine, call.most_tiles);
  if (call.second_bits == 0) return;
  __syncthreads();
  for (int b = thread / 32; b < buckets; b += Threads / 32)
    for (std::uint32_t t = tiles_before[b] + thread % 32; t < min(tiles_before[b + 1], call.most_tiles); t += 32) {
      std::uint32_t const from = first_item[b] + (t - tiles_before[b]) * call.tile_items;
      call.table[t] = {from, min(static_cast<std::uint32_t>(call.tile_items), last_item[b] - from), static_cast<std::uint32_t>(b),
                       tiles_before[b]};
    }
}

/// f(leaf, where it begins, how many items) of the leaf of a block. A block that took several would need more registers.
template <class F>
__device__ __forceinline__ void with_leaf_of_block(top_tables const& tables, F const& f) {
  if (!tables.from_the_top) return;
  int const leaf = static_cast<int>(blockIdx.x);
  index_t const begin = tables.begins[leaf], items = tables.begins[leaf + 1] - begin;
  if (items > 0) f(leaf, begin, items);
}

}  // namespace lookback::gpu
