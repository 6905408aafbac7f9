// Splits by the highest bits where equal keys have equal bytes: nobody looks back, a block asks an atomic cursor for room.
//
// What decides is the stores: a run that covers a part of a 32-byte sector costs the memory about as much as several whole ones
// (0.93 of a copy where runs are whole sectors, 0.60 where they begin anywhere; docs/lab/gpu.md). So the first split stores whole
// sectors alone. What does not fill one stays in the block, class by class, and goes first in the next tile; a block has
// neighbouring tiles, and what is left at its end goes item by item to the end of each bucket.
#pragma once
#include "top_bits.cuh"

namespace lookback::gpu {

template <class Number>
struct first_split_shape {
  static constexpr bool wide = sizeof(Number) == 8, small = detail::for_less_memory();
  static constexpr int threads = wide ? 384 : 512, K = small ? (wide ? 16 : 24) : (wide ? 24 : 32), blocks = small ? 1 : 2;
  static constexpr int tile_items = threads * K, sector = sector_bytes / static_cast<int>(sizeof(Number)),
                       vector = 16 / static_cast<int>(sizeof(Number));
  static constexpr int left_at = tile_items + buckets * (sector - 1),
                       bytes = (left_at + buckets * sector) * static_cast<int>(sizeof(Number));
  static_assert(bytes <= detail::most_shared_bytes);
};

namespace detail {
/// The places of a thread's items among those of their classes, 16 bits each: the counts of the classes move. A warp whose items
/// are all of one class counts once. class_of(j) is the class of item j; where the tile is not full, has(j) says whether there is
/// one.
template <int K, class ClassOf, class Has>
__device__ __forceinline__ void rank_in_any_order(std::uint32_t* counters, bool full, std::uint32_t (&rank)[(K + 1) / 2],
                                                  ClassOf const& class_of, Has const& has) {
  auto const keep = [&](int j, std::uint32_t r) {
    if (j % 2) rank[j / 2] |= r << 16;
    else rank[j / 2] = r;
  };
  if (full) {
#pragma unroll
    for (int j = 0; j < K; ++j) {
      std::uint32_t const c = class_of(j);
      std::uint32_t r = 0;
      if (__all_sync(all_lanes, c == __shfl_sync(all_lanes, c, 0))) {
        if (threadIdx.x % 32 == 0) r = atomicAdd(&counters[c], 32u);
        r = __shfl_sync(all_lanes, r, 0) + threadIdx.x % 32;
      } else {
        r = atomicAdd(&counters[c], 1u);
      }
      keep(j, r);
    }
  } else {
#pragma unroll
    for (int j = 0; j < K; ++j) keep(j, has(j) ? atomicAdd(&counters[class_of(j)], 1u) : 0);
  }
}
}  // namespace detail

template <class T, class Order>
struct first_split_call {
  T const* in;
  typename Order::value* out;
  Order order;
  lookback::size size;
  top_tables* tables;
};

/// By the top 8 bits, to buckets of numbers.
template <class T, class Order>
__global__ void __launch_bounds__(first_split_shape<typename Order::value>::threads,
                                  first_split_shape<typename Order::value>::blocks)
    first_split_kernel(__grid_constant__ first_split_call<T, Order> const call) {
  using number = typename Order::value;
  using shape = first_split_shape<number>;
  constexpr int K = shape::K, threads = shape::threads, tile_items = shape::tile_items, vector = shape::vector;
  constexpr int shift = 8 * static_cast<int>(sizeof(number)) - first_top_bits;
  constexpr std::uint32_t sector = shape::sector;
  static_assert(K % vector == 0 && sizeof(T) == sizeof(number));
  extern __shared__ __align__(16) unsigned char memory[];
  number* const sorted = reinterpret_cast<number*>(memory);
  __shared__ std::uint32_t counters[buckets], where[buckets], shift_of[buckets], warp_sums[buckets / 32], total;
  ptx::let_next_kernel_start();
  ptx::wait_for_kernel_before();
  top_tables& tables = *call.tables;
  if (!tables.from_the_top) return;
  auto const n = static_cast<std::uint32_t>(items_in(call.size));
  std::uint32_t const tiles = (n + tile_items - 1) / tile_items, share = tiles / gridDim.x, more = tiles % gridDim.x;
  std::uint32_t const first = blockIdx.x * share + min(blockIdx.x, more), last = first + share + (blockIdx.x < more ? 1 : 0);
  if (first == last) return;
  int const thread = threadIdx.x;
  auto const bucket_of = [&](number k) { return static_cast<std::uint32_t>(k >> shift); };
  struct alignas(16) pack {
    number k[vector];
  };
  struct alignas(16) items_pack {
    T item[vector];
  };
  number key[K];
  bool const aligned = reinterpret_cast<std::uintptr_t>(call.in) % 16 == 0;
  std::uint32_t count = 0;
  auto const load = [&](std::uint32_t t) {
    count = min(static_cast<std::uint32_t>(tile_items), n - t * tile_items);
    T const* const from = call.in + std::size_t{t} * tile_items;
    if (count == tile_items && aligned) {
#pragma unroll
      for (int j = 0; j < K / vector; ++j) {
        items_pack const read = reinterpret_cast<items_pack const*>(from)[thread + j * threads];
#pragma unroll
        for (int v = 0; v < vector; ++v) key[j * vector + v] = call.order(read.item[v]);
      }
    } else {
#pragma unroll
      for (int j = 0; j < K; ++j)
        if (thread + j * threads < count) key[j] = call.order(from[thread + j * threads]);
    }
  };
  if (thread < buckets) counters[thread] = 0;
  load(first);
  __syncthreads();
  for (std::uint32_t t = first; t < last; ++t) {
    bool const full = count == tile_items;
    std::uint32_t rank[(K + 1) / 2] = {};
    detail::rank_in_any_order<K>(
        counters, full, rank, [&](int j) { return bucket_of(key[j]); },
        [&](int j) { return thread + j * threads < static_cast<int>(count); });
    __syncthreads();  // counted, with what stayed
    std::uint32_t const counted = thread < buckets ? counters[thread] : 0, whole = counted / sector * sector;
    std::uint32_t place = 0;
    if (whole) place = tables.bucket_begin[thread] + atomicAdd(&tables.whole[thread], whole);
    std::uint32_t const from = detail::sum_of_threads_before<buckets>(whole, warp_sums);
    if (thread < buckets) {
      where[thread] = from / sector << 16 | whole / sector;
      if (thread == buckets - 1) total = from + whole;
      if (whole) {
#pragma unroll
        for (std::uint32_t k = 0; k < sector - 1; ++k)
          sorted[from + k] = sorted[shape::left_at + thread * sector + k];  // what stayed; the rest is overwritten
      }
      counters[thread] = counted - whole;
    }
    __syncthreads();
#pragma unroll
    for (int j = 0; j < K; ++j)
      if (full || thread + j * threads < static_cast<int>(count)) {
        std::uint32_t const b = bucket_of(key[j]), r = j % 2 ? rank[j / 2] >> 16 : rank[j / 2] & 65535;
        std::uint32_t const w = where[b], in_whole = (w & 65535) * sector;
        sorted[r < in_whole ? (w >> 16) * sector + r : shape::left_at + b * sector + r - in_whole] = key[j];
      }
    if (thread < buckets) shift_of[thread] = place - from;
    if (t + 1 < last) load(t + 1);
    __syncthreads();
    std::uint32_t const stored = total;
    for (std::uint32_t i = thread * vector; i < stored; i += threads * vector) {
      pack const q = *reinterpret_cast<pack const*>(sorted + i);
      *reinterpret_cast<pack*>(call.out + static_cast<std::uint32_t>(shift_of[bucket_of(q.k[0])] + i)) = q;
    }
  }
  __syncthreads();
  if (thread < buckets) {
    std::uint32_t const stays = counters[thread];
    if (stays) {
      std::uint32_t const end = tables.bucket_end[thread] - atomicAdd(&tables.tail[thread], stays);
      for (std::uint32_t k = 0; k < stays; ++k) call.out[end - 1 - k] = sorted[shape::left_at + thread * sector + k];
    }
  }
}

template <class Number>
struct second_split_shape {
  static constexpr bool wide = sizeof(Number) == 8, small = detail::for_less_memory();
  static constexpr int threads = wide ? 512 : 384, K = small ? (wide ? 16 : 32) : (wide ? 20 : 40), blocks = small ? 1 : 2;
  static constexpr int tile_items = threads * K, bytes = tile_items * static_cast<int>(sizeof(Number));
};
template <class Number>
struct second_split_call {
  Number const* in;
  Number* out;
  int bits, shift;
  bucket_tile const* table;
  top_tables* tables;
};
/// Every bucket by the next bits, to leaves. A block has one tile: one that took several was 3 % slower.
template <class Number>
__global__ void __launch_bounds__(second_split_shape<Number>::threads, second_split_shape<Number>::blocks)
    second_split_kernel(__grid_constant__ second_split_call<Number> const call) {
  using shape = second_split_shape<Number>;
  constexpr int K = shape::K, threads = shape::threads;
  constexpr bool by_sectors = sizeof(Number) == 8;
  extern __shared__ __align__(16) unsigned char memory[];
  Number* const sorted = reinterpret_cast<Number*>(memory);
  __shared__ std::uint32_t counters[buckets], begin[buckets], shift_of[buckets], warp_sums[buckets / 32];
  ptx::let_next_kernel_start();
  ptx::wait_for_kernel_before();
  top_tables& tables = *call.tables;
  if (!tables.from_the_top || blockIdx.x >= tables.tiles) return;
  int const thread = threadIdx.x;
  std::uint32_t const classes = 1u << call.bits;
  auto const class_of = [&](Number k) { return static_cast<std::uint32_t>(k >> call.shift) & (classes - 1); };
  bucket_tile const tile = call.table[blockIdx.x];
  int const count = static_cast<int>(tile.count);
  bool const full = count == shape::tile_items;
  Number const* const from = call.in + tile.begin + thread;
  Number key[K];
#pragma unroll
  for (int j = 0; j < K; ++j)
    if (full || thread + j * threads < count) key[j] = from[j * threads];
  if (thread < buckets) counters[thread] = 0;
  __syncthreads();
  std::uint32_t rank[(K + 1) / 2] = {};
  detail::rank_in_any_order<K>(
      counters, full, rank, [&](int j) { return class_of(key[j]); }, [&](int j) { return thread + j * threads < count; });
  __syncthreads();
  std::uint32_t const counted = thread < buckets ? counters[thread] : 0;
  std::uint32_t const place = counted ? atomicAdd(&tables.cursors[tile.bucket * classes + thread], counted) : 0;
  std::uint32_t const before = detail::sum_of_threads_before<buckets>(counted, warp_sums);
  if (thread < buckets) begin[thread] = before, shift_of[thread] = place - before;
  __syncthreads();
#pragma unroll
  for (int j = 0; j < K; ++j)
    if (full || thread + j * threads < count)
      sorted[begin[class_of(key[j])] + (j % 2 ? rank[j / 2] >> 16 : rank[j / 2] & 65535)] = key[j];
  __syncthreads();
  if constexpr (by_sectors) {
    constexpr int warps = threads / 32;
    int const each = (count + warps - 1) / warps, first = min(thread / 32 * each, count);
    room<Number> k;
    Number* to = nullptr;
    store_by_sectors(
        first, min(first + each, count),
        [&](int i) {
          k.value = sorted[i];
          to = call.out + static_cast<std::uint32_t>(shift_of[class_of(k.value)] + i);
          return begun_of_sector<sizeof(Number)>(reinterpret_cast<std::uintptr_t>(to));
        },
        [&](int) { *to = k.value; });
  } else {
#pragma unroll
    for (int j = 0; j < K; ++j) {
      int const i = thread + j * threads;
      if (full || i < count) {
        Number const k = sorted[i];
        call.out[static_cast<std::uint32_t>(shift_of[class_of(k)] + i)] = k;
      }
    }
  }
}

}  // namespace lookback::gpu
