// A sort by comparisons in which all segments advance together: a sample of each splits it into up to 256 buckets, those are split
// once more, and what fits on chip is sorted there.
//
//   open    each bucket gets splitters: a sample of it is sorted (open_buckets.cuh)
//   split   each tile is put in the order of its classes on chip, and leaves in one piece, with a row that says where each class
//           begins in it (split_buckets.cuh). So no pass counts before it, no tile looks back, and the order of tiles stays
//   plan    classes become buckets of the next level, or leaves
//   leaves  each gathers its piece of every tile, sorts them, and stores them where they belong (bucket_leaves.cuh)
//   longer  what is too long for that is sorted by parts, which are merged, by a block each
//
// Where two splitters are equal, so are all keys between them: a class of their own, which is only moved. Every loop is bounded by
// counts that are made of what has happened, so that a function that contradicts itself loses no item.
// Source: Blelloch, Prefix Sums and Their Applications, 1990 (segments together); Leischner, Osipov & Sanders, GPU sample sort,
// 2010; Sanders & Winkel, Super scalar sample sort, 2004 (the tree without branches).
#pragma once
#include "moved_entries.cuh"
#include "segment_lists.cuh"

namespace lookback::gpu {

inline constexpr int most_ways = 256, row_length = 264;  // places of a row, of which most_ways + 1 are used

struct sort_bucket {
  std::uint32_t count, begin;         // its items, and where they belong in the output
  std::uint32_t ways;                 // into how many classes it is split; 0: it is only moved
  std::uint32_t stored, tile, tiles;  // where its items are stored by tiles, the first of these, and how many they are
  std::uint32_t parent, way, piece;   // of the second level: the class that it was, and the first of its pieces
};
/// Places [low, low + count) of a bucket. Of the second level, they begin in piece number `piece`.
struct tile_of_bucket {
  std::uint32_t bucket, low, count, piece, pieces;
};
/// What one tile of the level above has of a bucket: how many come before, and where it lies.
struct bucket_piece {
  std::uint32_t before, at;
};
/// What is sorted on chip, or only moved: a class of a bucket.
struct bucket_leaf {
  std::uint32_t begin, count, bucket;
  std::uint16_t part, parts;  // of its tiles: a long one that is only moved is divided among blocks
  std::uint8_t way;
  bool is_second, is_moved;
};
/// Leaves by their length.
enum leaf_list { short_leaves, long_leaves, longer_leaves, leaf_lists };

struct bucket_totals {
  unsigned long long tiles[2], stored[2];  // segments that overlap may ask for more than there is
  std::uint32_t buckets[2], leaves[leaf_lists], pieces;
};
struct bucket_level {
  sort_bucket* buckets;
  std::uint32_t* repeated;  // a bit for each splitter of a bucket: the next one is equal
  std::uint32_t* counts;    // most_ways of each bucket
  tile_of_bucket* tiles;
  std::uint16_t* rows;
  std::uint32_t most_buckets, most_tiles;
};
/// All that does not depend on what is sorted.
struct bucket_tables {
  bucket_totals* totals;
  bucket_level levels[2];
  bucket_piece* pieces;
  bucket_leaf* leaves[leaf_lists];
  std::uint32_t most_pieces, most_leaves[leaf_lists], most_stored;
  std::uint32_t leaf_items, most_in[2];  // wanted; of short and long leaves
  int tile_items;
  bool is_deep;  // is there a second level?

  __device__ __forceinline__ std::uint32_t leaves_of(leaf_list which) const {
    return min(totals->leaves[which], most_leaves[which]);
  }
  __device__ __forceinline__ std::uint32_t buckets_of(int level) const {
    return min(totals->buckets[level], levels[level].most_buckets);
  }
  __device__ __forceinline__ std::uint32_t tiles_of(int level) const {
    auto const most = static_cast<unsigned long long>(levels[level].most_tiles);
    return static_cast<std::uint32_t>(min(totals->tiles[level], most));
  }
  /// For so many items. The first level leaves the second as many to do.
  __device__ __forceinline__ std::uint32_t ways_of(std::uint32_t count, bool is_first) const {
    if (count <= most_in[0]) return 1;
    std::uint32_t const leaves = (count + leaf_items - 1) / leaf_items;
    if (!is_first || !is_deep || leaves <= most_ways) return max(2u, min(leaves, static_cast<std::uint32_t>(most_ways)));
    std::uint32_t ways = 16;
    while (ways < most_ways && ways * ways < leaves) ways *= 2;
    return ways;
  }
};

/// The buckets of the first level: one array, or the long ones of many segments.
struct bucket_source {
  lookback::size size;
  segment_bounds segments;
  segment_counts const* counts;  // null: one array
  segment_list list;

  __device__ __forceinline__ std::uint32_t number() const { return counts ? list.size(counts->segments[by_tiles]) : 1; }
  __device__ __forceinline__ segment_range range(std::uint32_t b) const {
    index_t const n = items_in(size);
    return counts ? range_of(segments, list.ids[b], n) : segment_range{0, n};
  }
};

template <class T, class Order, class Columns>
struct bucket_call {
  using entry = detail::entry_of<T, Columns>;
  chip_job<T, Order, Columns> job;
  bucket_source from;
  bucket_tables tables;
  room<T>* trees[2];  // most_ways of each bucket; from 1 on, the children of node i are 2 i and 2 i + 1
  entry* stored[2];
};

namespace detail {

/// Where splitter i lies in the tree.
__device__ __forceinline__ std::uint32_t node_of_splitter(std::uint32_t i) {
  int const zeros = __ffs(static_cast<int>(i + 1)) - 1;
  return (1u << (7 - zeros)) + (i + 1) / (2u << zeros);
}
__device__ __forceinline__ bool is_repeated(std::uint32_t const* bits, std::uint32_t splitter) {
  return bits[splitter / 32] >> splitter % 32 & 1;
}

/// The last of `number` pieces that begins at place x or before.
__device__ __forceinline__ std::uint32_t find_piece(bucket_piece const* pieces, std::uint32_t number, std::uint32_t x) {
  std::uint32_t low = 0, high = number;
  while (high - low > 1) {
    std::uint32_t const middle = (low + high) / 2;
    if (pieces[middle].before <= x) low = middle;
    else high = middle;
  }
  return low;
}

/// Where 32 neighbouring places come from that are gathered: in which piece the first lies, and at which of them a piece begins.
struct alignas(8) gathered_places {
  std::uint32_t piece, begins;
  __device__ __forceinline__ std::uint32_t piece_of(std::uint32_t place) const {
    return piece + __popc(begins & ((2u << place % 32) - 1));
  }
};
/// begin[0, pieces) ascends from 0, and no piece is empty.
template <int Threads>
__device__ __forceinline__ void locate_pieces(std::uint32_t const* begin, std::uint32_t pieces, std::uint32_t count,
                                              gathered_places* places) {
  for (std::uint32_t g = threadIdx.x; g * 32 < count; g += Threads) {
    std::uint32_t low = 0, high = pieces, begins = 0;
    while (high - low > 1) {
      std::uint32_t const middle = (low + high) / 2;
      if (begin[middle] <= g * 32) low = middle;
      else high = middle;
    }
    for (std::uint32_t p = low + 1; p < pieces && begin[p] - g * 32 < 32; ++p) begins |= 1u << (begin[p] - g * 32);
    places[g] = {low, begins};
  }
}

}  // namespace detail

/// A block for each bucket of a level: its classes become buckets of the next one, or leaves.
template <int Threads = most_ways>
__global__ void __launch_bounds__(Threads) plan_buckets_kernel(__grid_constant__ bucket_tables const tables, int level) {
  static_assert(Threads == most_ways);
  __shared__ std::uint32_t warp_sums[Threads / 32], added[leaf_lists], first[leaf_lists];
  ptx::let_next_kernel_start();
  ptx::wait_for_kernel_before();
  bucket_level const& here = tables.levels[level];
  std::uint32_t const way = threadIdx.x, number = tables.buckets_of(level);
  for (std::uint32_t b = blockIdx.x; b < number; b += gridDim.x) {
    sort_bucket const bucket = here.buckets[b];
    if (bucket.ways == 0 || bucket.count == 0) continue;  // for all threads
    if (way < leaf_lists) added[way] = 0;
    std::uint32_t const count = here.counts[b * most_ways + way];
    std::uint32_t const begin = bucket.begin + detail::sum_of_threads_before<Threads>(count, warp_sums);
    bool const is_moved = way > 0 && detail::is_repeated(here.repeated + b * (most_ways / 32), way - 1);
    bool const is_deeper = level == 0 && tables.is_deep && count > tables.most_in[1];
    leaf_list const which = count <= tables.most_in[0] ? short_leaves : count <= tables.most_in[1] ? long_leaves : longer_leaves;
    std::uint32_t const parts =
        which == longer_leaves && is_moved ? min(min(bucket.tiles, 0xffffu), count / tables.most_in[1] + 1) : 1;
    std::uint32_t at = 0;
    if (is_deeper) {
      at = atomicAdd(&tables.totals->buckets[1], 1u);
      if (at < tables.levels[1].most_buckets) {
        sort_bucket& child = tables.levels[1].buckets[at];
        child.count = count, child.begin = begin, child.parent = b, child.way = way;
        child.ways = is_moved ? 0 : tables.ways_of(count, false);
      }
    } else if (count > 0) {
      at = atomicAdd(&added[which], parts);
    }
    __syncthreads();
    if (way < leaf_lists && added[way] > 0) first[way] = atomicAdd(&tables.totals->leaves[way], added[way]);
    __syncthreads();
    if (is_deeper || count == 0) continue;
    for (std::uint32_t p = 0; p < parts; ++p)
      if (first[which] + at + p < tables.most_leaves[which])
        tables.leaves[which][first[which] + at + p] = {begin,
                                                       count,
                                                       b,
                                                       static_cast<std::uint16_t>(p),
                                                       static_cast<std::uint16_t>(parts),
                                                       static_cast<std::uint8_t>(way),
                                                       level == 1,
                                                       is_moved};
  }
}

}  // namespace lookback::gpu
