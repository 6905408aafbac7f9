// Leaves, the classes of buckets that are not split again: a leaf gathers its piece of every tile, is sorted on chip, and goes
// where it belongs. Longer ones are sorted by parts, and merged, by a block each: they are rare where a sample was good.
#pragma once
#include "buckets.cuh"
#include "merge_on_chip.cuh"
#include "merge_runs.cuh"

namespace lookback::gpu {

template <class T, class Order, class Columns, int Threads, int KeysOfThread>
struct leaf_threads {
  using entry = detail::entry_of<T, Columns>;
  static constexpr int threads = Threads, K = KeysOfThread, items = Threads * K, bytes = items * static_cast<int>(sizeof(entry));
  // As many as the shared memory of an sm_90 holds of them, and as registers do: some, and those of a thread's items.
  static constexpr int registers = std::min(40 + K * ((static_cast<int>(sizeof(entry)) + 3) / 4), 160);
  static constexpr int blocks = std::clamp(std::min((224 << 10) / (bytes + 6144), 65536 / Threads / registers), 1, 16);
};

/// Leaves, short and long, by the size of an entry; more items a thread where equal ones may change places, so that a network sorts
/// them.
template <class T, class Order, class Columns>
struct leaf_shapes {
  static constexpr int size = static_cast<int>(sizeof(detail::entry_of<T, Columns>));
  static constexpr bool is_stable = Order::is_stable;
  template <int Threads, int K>
  using shape = leaf_threads<T, Order, Columns, Threads, K>;
  template <bool Narrow, class A, class B>
  using either = std::conditional_t<Narrow, A, B>;
  using narrow_short = shape<160, 31>;
  using narrow_long = shape<288, 31>;
  using middle_short = either<is_stable, shape<160, 15>, shape<96, 27>>;
  using wide_short = either<is_stable, shape<192, 7>, shape<96, 15>>;
  using wide_long = either<is_stable, shape<384, 7>, shape<288, 9>>;
  using short_leaf = either<size <= 4, narrow_short, either<size <= 8, middle_short, wide_short>>;
  using long_leaf = either<size <= 4, narrow_long, either<size <= 8, shape<288, 15>, wide_long>>;
  static constexpr int wanted = size <= 4 ? 4096 : size <= 8 ? 2048 : 1024;
};

namespace detail {

/// By a block: put(place, entry) for all items of a leaf, whose pieces lie in the tiles of its bucket.
template <class Shape>
struct leaf_gatherer {
  std::uint32_t warp_sums[Shape::threads / 32], begin[Shape::threads + 1], from[Shape::threads], pieces;
  gathered_places places[Shape::items / 32 + 1];

  /// At most as many tiles as threads, and items as the shape has: copies to shared memory are started.
  __device__ __forceinline__ void start_copies(bucket_tables const& tables, sort_bucket const& bucket, bucket_leaf const& leaf,
                                               typename Shape::entry const* stored, typename Shape::entry* s) {
    constexpr int threads = Shape::threads;
    bucket_level const& level = tables.levels[leaf.is_second];
    std::uint32_t const thread = threadIdx.x;
    std::uint32_t at = 0, count = 0;
    if (thread < bucket.tiles) {
      std::uint16_t const* const row = level.rows + std::size_t{bucket.tile + thread} * row_length + leaf.way;
      at = row[0], count = row[1] - at, at += bucket.stored + thread * static_cast<std::uint32_t>(tables.tile_items);
    }
    std::uint32_t const sum = sum_of_threads_before<threads>(count | (count > 0 ? 1u << 20 : 0), warp_sums);
    std::uint32_t const place = sum & 0xfffff, piece = sum >> 20;
    if (count > 0) begin[piece] = place, from[piece] = at - place;
    if (thread == threads - 1) pieces = piece + (count > 0);
    __syncthreads();
    locate_pieces<threads>(begin, pieces, leaf.count, places);
    __syncthreads();
#pragma unroll 8
    for (std::uint32_t p = thread; p < leaf.count; p += threads)
      start_copy<entry_alignment<typename Shape::entry>>(s + p, stored + (from[places[p / 32].piece_of(p)] + p));
  }
  /// Any number of both; those of its part of the tiles.
  template <class Put>
  __device__ __forceinline__ void each(bucket_tables const& tables, sort_bucket const& bucket, bucket_leaf const& leaf,
                                       typename Shape::entry const* stored, Put const& put) {
    constexpr int threads = Shape::threads;
    bucket_level const& level = tables.levels[leaf.is_second];
    std::uint32_t const thread = threadIdx.x, lane = thread % 32, warp = thread / 32;
    auto const tile_of_part = [&](std::uint64_t part) { return static_cast<std::uint32_t>(part * bucket.tiles / leaf.parts); };
    std::uint32_t const first_tile = tile_of_part(leaf.part), end_tile = tile_of_part(leaf.part + 1u);
    std::uint32_t done = 0;
    for (std::uint32_t t0 = 0; t0 < end_tile; t0 += threads) {
      std::uint32_t const t = t0 + thread;
      std::uint32_t at = 0, count = 0;
      if (t < bucket.tiles) {
        std::uint16_t const* const row = level.rows + std::size_t{bucket.tile + t} * row_length + leaf.way;
        at = row[0], count = row[1] - at, at += bucket.stored + t * static_cast<std::uint32_t>(tables.tile_items);
      }
      std::uint32_t const place = done + sum_of_threads_before<threads>(count, warp_sums);
      from[thread] = at, begin[thread] = place;
      if (thread == threads - 1) begin[threads] = place + count;
      __syncthreads();
      // A warp moves a short piece, the whole block a long one.
      std::uint32_t const last = min(static_cast<std::uint32_t>(threads), bucket.tiles - t0);
      bool const are_long = leaf.count / bucket.tiles >= threads / 2;
      std::uint32_t const movers = are_long ? threads : 32, mover = are_long ? thread : lane;
      for (std::uint32_t r = are_long ? 0 : warp; r < last; r += are_long ? 1 : threads / 32) {
        if (t0 + r < first_tile || t0 + r >= end_tile) continue;
        std::uint32_t const first = from[r], to = begin[r], number = begin[r + 1] - to;
        constexpr std::uint32_t batch = 4;
        for (std::uint32_t i = mover; i < number; i += batch * movers) {
          typename Shape::entry e[batch];
#pragma unroll
          for (std::uint32_t k = 0; k < batch; ++k)
            if (i + k * movers < number) e[k] = stored[first + i + k * movers];
#pragma unroll
          for (std::uint32_t k = 0; k < batch; ++k)
            if (i + k * movers < number) put(to + i + k * movers, e[k]);
        }
      }
      done = begin[threads];
      __syncthreads();
    }
  }
};

}  // namespace detail

/// A block for each leaf of a list. Those of the list of the longer ones are only put side by side, where the tiles of the other
/// level were; or where they belong, if they are only moved. By then nobody reads those tiles: leaves of the first level are in
/// this list only where there is no second one.
template <class Shape, class T, class Order, class Columns>
__global__ void __launch_bounds__(Shape::threads, Shape::blocks)
    sort_leaves_kernel(__grid_constant__ bucket_call<T, Order, Columns> const call, leaf_list which) {
  using moved = moved_entry<T, Columns>;
  using entry = typename Shape::entry;
  constexpr int threads = Shape::threads, K = Shape::K;
  extern __shared__ __align__(16) unsigned char memory[];
  __shared__ detail::leaf_gatherer<Shape> gather;
  auto* const s = reinterpret_cast<entry*>(memory);
  ptx::let_next_kernel_start();
  ptx::wait_for_kernel_before();
  bucket_tables const& tables = call.tables;
  detail::order_of_entries<T, Order, Columns> const order{call.job.order};
  std::uint32_t const number = tables.leaves_of(which), thread = threadIdx.x;
  for (std::uint32_t i = blockIdx.x; i < number; i += gridDim.x) {
    bucket_leaf const leaf = tables.leaves[which][i];
    sort_bucket const& bucket = tables.levels[leaf.is_second].buckets[leaf.bucket];
    entry const* const stored = call.stored[leaf.is_second];
    if (which == longer_leaves) {
      entry* const aside = call.stored[!leaf.is_second] + leaf.begin;
      gather.each(tables, bucket, leaf, stored, [&](std::uint32_t p, entry const& e) {
        if (leaf.is_moved) moved::store(call.job, index_t{leaf.begin} + p, e);
        else aside[p] = e;
      });
      continue;
    }
    for (bool is_asked = !leaf.is_moved;; is_asked = false) {
      if (bucket.tiles <= threads) gather.start_copies(tables, bucket, leaf, stored, s);
      else gather.each(tables, bucket, leaf, stored, [=](std::uint32_t p, entry const& e) { s[p] = e; });
      ptx::copies_commit();
      ptx::copies_wait<0>();
      __syncthreads();
      if (!is_asked) break;
      entry k[K];
      bool const is_merged = detail::merge_on_chip<threads>(s, static_cast<int>(leaf.count), k, order);
      if (!is_merged) continue;  // the function contradicts itself: the leaf stays as it was
#pragma unroll
      for (int j = 0; j < K; ++j)
        if (thread * K + j < leaf.count) s[thread * K + j] = k[j];
      __syncthreads();
      break;
    }
#pragma unroll 4
    for (std::uint32_t p = thread; p < leaf.count; p += threads) moved::store(call.job, index_t{leaf.begin} + p, s[p]);
    __syncthreads();
  }
}

/// A block for each leaf that is too long for one: it lies side by side, and is sorted by parts, which are merged two by two.
template <class Shape, class T, class Order, class Columns>
__global__ void __launch_bounds__(Shape::threads)
    sort_longer_leaves_kernel(__grid_constant__ bucket_call<T, Order, Columns> const call) {
  using moved = moved_entry<T, Columns>;
  using entry = typename Shape::entry;
  constexpr int threads = Shape::threads, K = Shape::K;
  constexpr index_t items = Shape::items;
  extern __shared__ __align__(16) unsigned char memory[];
  auto* const s = reinterpret_cast<entry*>(memory);
  ptx::let_next_kernel_start();
  ptx::wait_for_kernel_before();
  detail::order_of_entries<T, Order, Columns> const order{call.job.order};
  std::uint32_t const number = call.tables.leaves_of(longer_leaves), thread = threadIdx.x;
  for (std::uint32_t i = blockIdx.x; i < number; i += gridDim.x) {
    bucket_leaf const leaf = call.tables.leaves[longer_leaves][i];
    if (leaf.is_moved) continue;
    index_t const n = leaf.count;
    entry *from = call.stored[!leaf.is_second] + leaf.begin, *to = call.stored[leaf.is_second] + leaf.begin;
    entry k[K];
    auto const load = [&](int count, auto const& at) {
      __syncthreads();
      for (int p = thread; p < count; p += threads) s[p] = from[at(p)];
      __syncthreads();
    };
    auto const store = [&](entry* out, int count) {
#pragma unroll
      for (int j = 0; j < K; ++j)
        if (static_cast<int>(thread) * K + j < count) s[thread * K + j] = k[j];
      __syncthreads();
      for (int p = thread; p < count; p += threads) out[p] = s[p];
    };
    for (index_t begin = 0; begin < n; begin += items) {
      int const count = static_cast<int>(min(items, n - begin));
      load(count, [=](int p) { return begin + p; });
      if (detail::merge_on_chip<threads>(s, count, k, order)) store(from + begin, count);
    }
    for (index_t length = items; length < n; length *= 2) {
      for (index_t first = 0; first < n; first += 2 * length) {
        index_t const in_a = min(length, n - first), in_b = min(length, n - first - in_a);
        entry const *const a = from + first, *const b = a + in_a;
        index_t taken = 0;  // of a
        for (index_t before = 0; before < in_a + in_b; before += items) {
          int const count = static_cast<int>(min(items, in_a + in_b - before));
          __syncthreads();
          index_t const found = detail::taken_of_a_by_block<threads>(
              in_a, in_b, before + count, [=](index_t p) -> entry const& { return a[p]; },
              [=](index_t p) -> entry const& { return b[p]; }, order);
          // Whatever the function said: between what was taken and what there is.
          index_t const upto = min(max(found, max(taken, before + count - in_b)), min(in_a, taken + count));
          int const of_a = static_cast<int>(upto - taken);
          index_t const from_a = first + taken, from_b = first + in_a + before - taken - of_a;
          load(count, [=](int p) { return p + (p < of_a ? from_a : from_b); });
          int ignored;
          if (detail::merge_two_runs<threads>(
                  s, of_a, count, k, order, [](int, bool) {}, ignored)) {
            store(to + first + before, count);
          } else {
            for (int p = thread; p < count; p += threads) to[first + before + p] = s[p];
          }
          taken = upto;
        }
      }
      __syncthreads();
      entry* const other = from;
      from = to, to = other;
    }
    __syncthreads();
    for (index_t p = thread; p < n; p += threads) moved::store(call.job, leaf.begin + p, from[p]);
    __syncthreads();
  }
}

}  // namespace lookback::gpu
