// How many items a thread and a tile hold, and where things lie in a slot of shared memory. All of it follows from the sizes of the
// types and the tuning.
#pragma once
#include <algorithm>
#include <numeric>

#include "../segments.hpp"
#include "../source.hpp"
#include "policy.cuh"
#include "thread_run.cuh"

namespace lookback::gpu {

namespace detail {

template <class... Ts>
constexpr int widest(arrays<Ts...>, int out) {
  return std::max({out, 1, static_cast<int>(sizeof(Ts))...});
}

/// Items per thread so that the widest array gives `bytes` a thread: whole 16-byte vectors, an odd number of them where that is
/// possible (an even stride would make threads meet in one bank), at least one item.
constexpr int items_per_thread(int width, int bytes) {
  int const unit = std::lcm(16, width) / width;  // items in the fewest whole vectors
  int const vectors = unit * width / 16;
  int count = std::max(1, bytes / (16 * vectors));
  if (vectors % 2 == 1 && count % 2 == 0) --count;
  return unit * count;
}

template <class... Ts>
constexpr int bytes_of_arrays(arrays<Ts...>) {
  return (0 + ... + static_cast<int>(sizeof(Ts)));
}

template <class... Ts>
__host__ __device__ constexpr int slot_bytes_of_arrays(arrays<Ts...>, [[maybe_unused]] int room, [[maybe_unused]] int pad) {
  return (0 + ... + region_bytes<Ts>(room, pad));
}

}  // namespace detail

/// Room before the first array of a slot for the item that lies left of it, at any 16-byte phase; none where nobody compares them.
/// The array itself still begins at a multiple of 128 bytes, which the copy engine prefers.
template <class Segments, class Arrays>
inline constexpr int lead_bytes = 0;
template <class Equal, class T, class... Rest>
inline constexpr int lead_bytes<runs<Equal>, arrays<T, Rest...>> = 128;

/// The default, for items of up to 16 bytes, is one for memory; wider ones want registers, and many items a thread, since what a
/// warp does together costs a shuffle a word (docs/tuning.md). A tuning that the caller names is kept.
template <class Tuning, int Width>
using tuning_for = std::conditional_t<std::is_same_v<Tuning, tuning<>> && (Width > 16), tuning<192, 192, 3, 1>, Tuning>;

/// A compaction reads more than it writes, so that what a thread does once a tile weighs more: fewer threads, more items each, and
/// more registers to hold them. What a tile stages or gathers of all arrays together must leave room for two blocks.
namespace detail {
template <class Items, class Stored>
inline constexpr int widest_of = std::max(widest(arrays_t<Items>{}, 1), widest(Stored{}, 1));
template <class Items, class Stored>
inline constexpr int bytes_of = std::max(bytes_of_arrays(arrays_t<Items>{}), bytes_of_arrays(Stored{}));

template <class Tuning, class Items, class Segments, class Stored>
struct compact_tuning {
  using type = Tuning;
};
template <class Items, class Segments, class Stored>
requires(!std::is_same_v<Segments, segments> &&
         widest_of<Items, Stored> <= 16) struct compact_tuning<tuning<>, Items, Segments, Stored> {
  static constexpr int width = widest_of<Items, Stored>, bytes = bytes_of<Items, Stored>;
  using type = std::conditional_t<bytes == width, tuning<320, 112, 3, 2>,
                                  std::conditional_t<bytes <= 2 * width, tuning<224, 80, 3, 2>, tuning<224, 48, 3, 2>>>;
};
}  // namespace detail
template <class Tuning, class Items, class Segments, class Stored>
using compact_tuning_for = typename detail::compact_tuning<Tuning, Items, Segments, Stored>::type;

/// Tiles of equally many items. Stored: the arrays that a tile of output is gathered for, side by side in its slot.
template <class Items, class Stored, class Tuning, int ExtraBytes = 0, bool MayTakeOffsets = true>
struct shape {
  static constexpr bool along_path = false, may_take_offsets = MayTakeOffsets;
  static constexpr int width = detail::widest(arrays_t<Items>{}, detail::widest(Stored{}, 1));
  using tuned = tuning_for<Tuning, width>;
  static constexpr int threads = tuned::threads, warps = threads / 32, slots = tuned::slots, blocks = tuned::blocks;
  static constexpr int items = detail::items_per_thread(width, tuned::bytes_per_thread);
  static constexpr int tile_items = threads * items;

  /// Bytes of a slot before the heads: the staged arrays, or the tiles of output that are gathered over them. One alone has the pad
  /// that its phase needs; of several each has room for any phase.
  static constexpr int item_bytes(int pad) {
    int const gathered = detail::slot_bytes_of_arrays(Stored{}, tile_items, Stored::count > 1 ? area_pad : pad);
    return std::max(detail::slot_bytes_of_arrays(arrays_t<Items>{}, tile_items, pad), gathered) + ExtraBytes;
  }
  static constexpr int area_pad = 32;
};

/// Tiles along the path that merges items and ends of segments: a tile has `tile_items` steps, any part of which are items.
template <class Items, class T, class Tuning>
struct path_shape {
  static constexpr bool along_path = true, may_take_offsets = true;
  static constexpr int width = detail::widest(arrays_t<Items>{}, sizeof(T));
  using tuned = tuning_for<Tuning, width>;
  static constexpr int threads = tuned::threads, warps = threads / 32, slots = tuned::slots, blocks = tuned::blocks;
  // A step takes room for the arrays of an item, for what is scanned of it, or for an offset of 8 bytes, whichever is most.
  static constexpr int step_bytes = std::max({detail::bytes_of_arrays(arrays_t<Items>{}), static_cast<int>(sizeof(T)), 8});
  static constexpr int items = detail::items_per_thread(width, std::max(16, (tuned::bytes_per_thread + 16) * width / step_bytes));
  static constexpr int tile_items = threads * items;

  /// Bytes of a slot: regions begin at multiples of 32 items and hold any phase.
  static constexpr int item_bytes(int) { return (tile_items + 64) * step_bytes + (arrays_t<Items>::count + 2) * 160; }
};

/// Items of a tile when input and output elements have `item_bytes` bytes: a multiple of it is where a carry may cut.
template <class Strategy, class Carry, class Tuning>
constexpr index_t tile_items(policy<Strategy, Carry, Tuning> const&, index_t item_bytes) {
  auto const items = [&]<class Tuned>(Tuned) {
    return index_t{Tuned::threads} * detail::items_per_thread(static_cast<int>(item_bytes), Tuned::bytes_per_thread);
  };
  return item_bytes > 16 ? items(tuning_for<Tuning, 64>{}) : items(tuning_for<Tuning, 1>{});
}

}  // namespace lookback::gpu
