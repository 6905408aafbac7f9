// What the warps of a block share while tiles of a path go through its slots, and the barriers by which they hand it on.
//
//   barrier     who arrives has                                              who waits
//   loaded[s]   mover: said where the tile lies, or that there is none,      workers, teller: read the tile
//               stored what lies at edges; its copies are complete
//   made        workers: put values in place of the next tile's items, and   workers: scan what others made
//               marked its ends
//   first_made  workers: read what the first tile's values are made of       mover: overwrites it, if it lies apart
//   scanned[s]  workers: put sums in the places of segments' last items,     teller: joins them
//               and said what each warp has behind its last end
//   joined[s]   teller: completed sums that begin in another warp            workers: store them
//   told[k]     teller: published the tile, and said what it knows of its    looker: looks back for the tile told before
//               first segment, or that there is no further tile
//   looked[k]   looker: looked back for the tile, published its prefix and   teller: tells of another tile in its place
//               stored its first segment
//   freed[s]    workers, teller: read and written the slot for the last      mover: the next tile comes into it, and into
//               time; workers: made the values of the tile after it          the region apart that this one's successor had
//
// Where no tile is stored (the first kernel of reduce_then_scan) told and looked are not used. Before sm_90 copies are the mover's
// own, and one arrival more is theirs.
//
// Who arrives releases what its thread has written, and who waits acquires it, for the block (barrier_arrive, barrier_wait): all of
// the right column sees all of the left one. The copy engine is no thread: before an arrival upon which the mover starts a copy
// over what others have written, each of them has a fence for it.
#pragma once
#include "../host/scan_call.cuh"

namespace lookback::gpu {

/// What the looker needs to know is remembered of so many tiles of a block: the teller may be that far ahead of it.
inline constexpr int published_tiles = 4;

/// Where what a tile is made of, its values and its ends lie: found once, by whoever moves it.
template <int Arrays>
struct alignas(16) path_slot {
  int items, ends, values_at, ends_at;
  std::uint32_t origin;  // low word of the position of its first item
  int arrays_at[Arrays > 0 ? Arrays : 1];
};

/// Of a chunk: which of the whole's segments end in it, and whether one is open behind it.
template <bool IsChunk>
struct path_chunk {};
template <>
struct path_chunk<true> {
  index_t first_of_chunk, ends_in_chunk;
  bool leaves_open;
};

template <class T, class Form, bool IsChunk>
struct path_state : block_state<T, Form::slots, Form::slots>, path_chunk<IsChunk> {
  path_slot<Form::arrays> placed[Form::slots];
  std::uint64_t freed[Form::slots], scanned[Form::slots], joined[Form::slots];  // barriers, as `loaded` is
  std::uint64_t published[published_tiles], looked_back[published_tiles], made, first_made;
  std::uint32_t ends[2][Form::threads];  // bit j: a segment ends with item j of the thread
  struct {
    room<T> sum;
    int first_end;  // the item, -1 for none
    bool has;
  } open[Form::slots][Form::warps];  // what a warp has behind its last end, or of all its items
  struct {
    index_t segment;  // or none_ends, no_tile
    std::uint32_t tile;
    bool has, is_empty, begins_here, publishes_prefix;
    room<T> sum, published;
  } first[published_tiles];  // the segment that the prefix belongs to, and what the tile told
};

/// The values and ends of a tile in its slot.
template <class T>
struct staged_path {
  int items, ends, width;
  std::uint32_t origin;
  T* values;
  char const* first_end;

  /// Low words are enough: the difference of two positions in one tile is small.
  __device__ __forceinline__ std::uint32_t low_end(int k) const {
    return *reinterpret_cast<std::uint32_t const*>(first_end + k * width);
  }
  /// Of its items, never more than it has.
  __device__ __forceinline__ int in_tile(std::uint32_t low) const {
    return static_cast<int>(min(low - origin, static_cast<std::uint32_t>(items)));
  }
  /// Offset k of the tile, -1 for the one before its first.
  __device__ __forceinline__ index_t offset(int k) const {
    char const* const at = first_end + k * width;
    return width == 4 ? *reinterpret_cast<std::int32_t const*>(at) : *reinterpret_cast<index_t const*>(at);
  }
};

}  // namespace lookback::gpu
