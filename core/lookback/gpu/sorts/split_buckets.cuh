// Tiles are put in the order of their classes on chip, and leave in one piece. A class of an item is found in a tree of splitters,
// without a branch. While one tile is put in order, the next one comes.
//
// On the first level a tile lies side by side; on the second it is gathered, its piece of every tile of the first.
#pragma once
#include "../device/ranks.cuh"
#include "../tiles/shape.cuh"
#include "buckets.cuh"

namespace lookback::gpu {

template <class T, class Order, class Columns>
struct split_shape {
  using entry = detail::entry_of<T, Columns>;
  static constexpr int threads = 512, warps = threads / 32, tile_bytes = detail::for_less_memory() ? 20 << 10 : 64 << 10;
  static constexpr int K = std::clamp(tile_bytes / threads / static_cast<int>(sizeof(entry)), 1, 32), items = threads * K;
  static constexpr int tree_at = 3 * items * static_cast<int>(sizeof(entry));
  static constexpr int tree_bytes = most_ways * static_cast<int>(sizeof(room<T>));
  static constexpr int counts_at = (tree_at + 2 * tree_bytes + 15) / 16 * 16;
  static constexpr int bytes = counts_at + (Order::is_stable ? warps * most_ways * 2 : 0);
  static_assert(items < 1 << 16);
};

namespace detail {

/// Where the parts of a gathered tile come from.
template <int Threads, int Items>
struct gathered_tile {
  std::uint32_t begin[Threads], from[Threads];  // of a piece: in the tile; what to add to a place
  gathered_places places[Items / 32];
};

}  // namespace detail

template <bool First, class T, class Order, class Columns>
__global__ void __launch_bounds__(split_shape<T, Order, Columns>::threads, 1)
    split_buckets_kernel(__grid_constant__ bucket_call<T, Order, Columns> const call) {
  using shape = split_shape<T, Order, Columns>;
  using moved = moved_entry<T, Columns>;
  using entry = typename shape::entry;
  constexpr int threads = shape::threads, K = shape::K, warps = shape::warps, level = First ? 0 : 1;
  constexpr bool is_stable = Order::is_stable;
  constexpr std::uint32_t items = shape::items;
  extern __shared__ __align__(16) unsigned char memory[];
  auto* const input = reinterpret_cast<entry*>(memory);  // two tiles
  entry* const sorted = input + 2 * items;
  auto* const trees = reinterpret_cast<room<T>*>(memory + shape::tree_at);                              // of these
  [[maybe_unused]] auto* const of_warps = reinterpret_cast<std::uint16_t*>(memory + shape::counts_at);  // counters of classes
  __shared__ std::uint32_t counts[most_ways], begins[most_ways], warp_sums[most_ways / 32], repeated_of[2][most_ways / 32];
  __shared__ std::conditional_t<First, char, detail::gathered_tile<threads, shape::items>> gathered;
  ptx::let_next_kernel_start();
  ptx::wait_for_kernel_before();
  int const thread = threadIdx.x, lane = thread % 32, warp = thread / 32;
  bucket_tables const& tables = call.tables;
  bucket_level const& here = tables.levels[level];
  std::uint32_t const tiles = tables.tiles_of(level), step = gridDim.x;

  auto const fetch = [&](tile_of_bucket const& e, int buffer) {  // starts copies of a tile
    entry* const to = input + buffer * items;
    sort_bucket const& bucket = here.buckets[e.bucket];
    if (bucket.ways > 1) {
      room<T> const* const tree = call.trees[level] + std::size_t{e.bucket} * most_ways;
      for (int i = thread + 1; i < most_ways; i += threads)
        detail::start_copy<detail::entry_alignment<room<T>>>(trees + buffer * most_ways + i, tree + i);
      if (thread < most_ways / 32)
        detail::start_copy<4>(&repeated_of[buffer][thread], here.repeated + e.bucket * (most_ways / 32) + thread);
    }
    if constexpr (First) {
      index_t const from = index_t{bucket.begin} + e.low;
      if constexpr (std::is_same_v<Columns, columns<>>) {
        if (e.count == items && reinterpret_cast<std::uintptr_t>(call.job.in + from) % 16 == 0) {
          constexpr int chunks = shape::items * static_cast<int>(sizeof(entry)) / 16;
#pragma unroll 8
          for (int i = thread; i < chunks; i += threads)
            ptx::copy_16(reinterpret_cast<char*>(to) + 16 * i, reinterpret_cast<char const*>(call.job.in + from) + 16 * i);
          ptx::copies_commit();
          return;
        }
      }
#pragma unroll 8
      for (std::uint32_t i = thread; i < e.count; i += threads) moved::start_fetch(call.job, from + i, to + i);
    } else if (e.pieces <= threads) {
#pragma unroll 8
      for (std::uint32_t i = thread; i < e.count; i += threads)
        detail::start_copy<detail::entry_alignment<entry>>(
            to + i, call.stored[0] + (gathered.from[gathered.places[i / 32].piece_of(i)] + i));
    } else {  // each entry searches for its own
      bucket_piece const* const pieces = tables.pieces + bucket.piece + e.piece;
      for (std::uint32_t i = thread; i < e.count; i += threads) {
        bucket_piece const p = pieces[detail::find_piece(pieces, e.pieces, e.low + i)];
        detail::start_copy<detail::entry_alignment<entry>>(to + i, call.stored[0] + (p.at + e.low + i - p.before));
      }
    }
    ptx::copies_commit();
  };
  // The pieces of a tile: each thread asks for one, and tells the others; then these find their places.
  auto const piece_of_thread = [&](tile_of_bucket const& e) {
    if (static_cast<std::uint32_t>(thread) < min(e.pieces, static_cast<std::uint32_t>(threads)))
      return tables.pieces[here.buckets[e.bucket].piece + e.piece + thread];
    return bucket_piece{};
  };
  auto const store_piece = [&](tile_of_bucket const& e, bucket_piece const& p) {
    if constexpr (!First) gathered.begin[thread] = max(p.before, e.low) - e.low, gathered.from[thread] = p.at - p.before + e.low;
  };
  auto const find_places = [&](tile_of_bucket const& e) {
    if constexpr (!First)
      if (e.pieces <= threads) detail::locate_pieces<threads>(gathered.begin, e.pieces, e.count, gathered.places);
  };

  std::uint32_t tile = blockIdx.x;
  if (tile >= tiles) return;
  tile_of_bucket e = here.tiles[tile], next{}, after{};
  if (tile + step < tiles) next = here.tiles[tile + step];
  if (tile + 2 * step < tiles) after = here.tiles[tile + 2 * step];
  if constexpr (First) {
    fetch(e, 0);
  } else {
    store_piece(e, piece_of_thread(e));
    __syncthreads();
    find_places(e);
    __syncthreads();
    fetch(e, 0);
    __syncthreads();
    store_piece(next, piece_of_thread(next));
    __syncthreads();
    find_places(next);
    __syncthreads();
  }
  std::uint32_t total = 0;  // of class `thread` of the bucket
  for (int buffer = 0; tile < tiles; tile += step, buffer ^= 1) {
    bool const has_next = tile + step < tiles;
    if (has_next) fetch(next, buffer ^ 1);
    else ptx::copies_commit();
    [[maybe_unused]] bucket_piece piece{};
    if constexpr (!First) piece = piece_of_thread(after);
    sort_bucket const& bucket = here.buckets[e.bucket];
    std::uint32_t const ways = bucket.ways;
    if (thread < most_ways) counts[thread] = 0;
    if constexpr (is_stable)
      for (int i = lane; i < most_ways / 2; i += 32) reinterpret_cast<std::uint32_t*>(of_warps + warp * most_ways)[i] = 0;
    ptx::copies_wait<1>();
    __syncthreads();  // the tile is here
    entry* const keys = input + buffer * items;
    if (e.count < items) {  // the function is asked about items alone
      for (std::uint32_t i = e.count + thread; e.count > 0 && i < items; i += threads) keys[i] = keys[0];
      __syncthreads();
    }
    std::uint32_t const mine = warp * 32 * K + lane;
    std::uint32_t node[K];  // then the class, and the place in it
    if (ways > 1) {
      room<T> const* const tree = trees + buffer * most_ways;
      T const* key[K];
#pragma unroll
      for (int j = 0; j < K; ++j) key[j] = &moved::item(keys[mine + j * 32]), node[j] = 1;
      room<T> item[K];
#pragma unroll
      for (int j = 0; j < K; ++j) item[j].value = *key[j];
#pragma unroll
      for (int l = 1; l < most_ways; l *= 2)
#pragma unroll
        for (int j = 0; j < K; ++j) node[j] = 2 * node[j] + (call.job.order(tree[node[j]].value, item[j].value) ? 1 : 0);
      std::uint32_t const* const repeated = repeated_of[buffer];
      std::uint32_t any = 0;
#pragma unroll
      for (int w = 0; w < most_ways / 32; ++w) any |= repeated[w];
#pragma unroll
      for (int j = 0; j < K; ++j) node[j] -= most_ways;
      if (ways < most_ways) {  // behind the last splitter there is one class, even if the function never says the same twice
#pragma unroll
        for (int j = 0; j < K; ++j)
          if (node[j] >= ways - 1) node[j] = most_ways - 1;
      }
      if (any) {
#pragma unroll
        for (int j = 0; j < K; ++j)
          if (node[j] < most_ways - 1 && detail::is_repeated(repeated, node[j]) &&
              !call.job.order(item[j].value, tree[detail::node_of_splitter(node[j])].value))
            ++node[j];
      }
    } else {
#pragma unroll
      for (int j = 0; j < K; ++j) node[j] = 0;
    }
#pragma unroll
    for (int j = 0; j < K; ++j) {
      std::uint32_t const c = node[j];
      bool const valid = mine + j * 32 < e.count;
      std::uint32_t rank = 0;
      if constexpr (is_stable) {
        std::uint16_t* const own = of_warps + warp * most_ways + c;
        unsigned const same = detail::match_any<8>(static_cast<int>(c)) & __ballot_sync(all_lanes, valid);
        unsigned const before = same & ((1u << lane) - 1);
        std::uint32_t const so_far = *own;
        rank = so_far + __popc(before);
        __syncwarp();
        if (valid && before == 0) *own = static_cast<std::uint16_t>(so_far + __popc(same));
        __syncwarp();
      } else {
        std::uint32_t const c0 = __shfl_sync(all_lanes, c, 0);
        if (__all_sync(all_lanes, valid && c == c0)) {  // else all lanes would wait for one counter
          if (lane == 0) rank = atomicAdd(&counts[c], 32u);
          rank = __shfl_sync(all_lanes, rank, 0) + lane;
        } else if (valid) {
          rank = atomicAdd(&counts[c], 1u);
        }
      }
      node[j] = c << 16 | rank;
    }
    __syncthreads();  // counted
    std::uint32_t count = 0;
    if (thread < most_ways) {
      if constexpr (is_stable) {
#pragma unroll 8
        for (int w = 0; w < warps; ++w) {
          std::uint32_t const of_warp = of_warps[w * most_ways + thread];
          of_warps[w * most_ways + thread] = static_cast<std::uint16_t>(count);
          count += of_warp;
        }
      } else {
        count = counts[thread];
      }
      total += count;
    }
    if constexpr (!First) store_piece(after, piece);
    std::uint32_t const begin = detail::sum_of_threads_before<most_ways>(count, warp_sums);
    std::uint16_t* const row = here.rows + std::size_t{tile} * row_length;
    if (thread < most_ways) begins[thread] = begin, row[thread] = static_cast<std::uint16_t>(begin);
    if (thread == 0) row[most_ways] = static_cast<std::uint16_t>(e.count), ptx::bulk_wait_read<0>();
    if constexpr (!First) find_places(after);
    __syncthreads();  // places are known, and the tile before has left
#pragma unroll
    for (int j = 0; j < K; ++j)
      if (mine + j * 32 < e.count) {
        std::uint32_t const c = node[j] >> 16;
        std::uint32_t to = begins[c] + (node[j] & 0xffff);
        if constexpr (is_stable) to += of_warps[warp * most_ways + c];
        sorted[to] = keys[mine + j * 32];
      }
    ptx::fence_for_copy_engine();
    __syncthreads();  // in order
    if (!First && ways == 0) {
      for (std::uint32_t i = thread; i < e.count; i += threads)
        moved::store(call.job, index_t{bucket.begin} + e.low + i, sorted[i]);
    } else {
      auto* const to = reinterpret_cast<unsigned char*>(call.stored[level] + bucket.stored + e.low);
      auto const* const from = reinterpret_cast<unsigned char const*>(sorted);
      std::uint32_t const bytes = e.count * static_cast<std::uint32_t>(sizeof(entry)), whole = bytes / 16 * 16;
      if (ptx::has_copy_engine()) {
        if (thread == 0 && whole > 0) ptx::bulk_store(to, from, whole), ptx::bulk_commit();
      } else {
        for (std::uint32_t i = 16 * thread; i < whole; i += 16 * threads)
          *reinterpret_cast<uint4*>(to + i) = *reinterpret_cast<uint4 const*>(from + i);
      }
      if (whole + thread < bytes) to[whole + thread] = from[whole + thread];
    }
    if (thread < most_ways && (!has_next || next.bucket != e.bucket)) {
      if (total > 0) atomicAdd(&here.counts[e.bucket * most_ways + thread], total);
      total = 0;
    }
    e = next, next = after;
    if (tile + 3 * step < tiles) after = here.tiles[tile + 3 * step];
  }
  if (thread == 0) ptx::bulk_wait<0>();
}

}  // namespace lookback::gpu
