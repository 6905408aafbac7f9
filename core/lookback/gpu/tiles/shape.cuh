// How many items a thread and a tile hold, and where things lie in a slot of shared memory. All of it follows from the sizes of the
// types and the tuning.
#pragma once
#include <algorithm>
#include <numeric>

#include "../../model/lifted.hpp"
#include "../../model/path_tile.hpp"
#include "../../operators.hpp"
#include "../../segments.hpp"
#include "../../sink.hpp"
#include "../../source.hpp"
#include "../device/thread_run.cuh"
#include "../host/policy.cuh"

namespace lookback::gpu {

namespace detail {

using lookback::detail::bytes_of_arrays;
using lookback::detail::last_array_for;
using lookback::detail::widest;

/// Items per thread so that the widest array gives `bytes` a thread: whole 16-byte vectors, an odd number of them where that is
/// possible and `even_too` is false (an even stride would make threads meet in one bank), at least one item.
constexpr int items_per_thread(int width, int bytes, bool even_too) {
  int const unit = std::lcm(16, width) / width;  // items in the fewest whole vectors
  int const vectors = unit * width / 16;
  int count = std::max(1, bytes / (16 * vectors));
  if (!even_too && vectors % 2 == 1 && count % 2 == 0) --count;
  return unit * count;
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
template <class Equal, bool Ends, class T, class... Rest>
inline constexpr int lead_bytes<runs<Equal, Ends>, arrays<T, Rest...>> = 128;

/// Where things lie in the shared memory of a block, in bytes: known when a call is made, because it depends on addresses. Tiles of
/// items.
struct item_layout {
  int slot_bytes = 0, item_bytes = 0, pad = 0;  // of a slot, of the part before the heads, between the arrays
  int prefetch = 0;                             // tiles ahead
  int bitmap_at = 0;                            // one bit an item of one tile, behind the slots: heads that offsets name
  int window_at = 0, window_bytes = 0;          // room for the offsets of one tile
  int aside_at = 0;                             // room for what few heads leave
};
/// Tiles of a path.
struct path_layout {
  int slot_bytes = 0, pad = 0;
  int input_regions_at = 0, input_region_bytes = 0;  // for what values are made of, if they do not lie in the slots
  int cache_at = 0;                                  // what items read elsewhere so often that every block keeps it
};
/// One wave: nothing is staged. Are the arrays aligned for whole runs?
struct wave_layout {
  bool aligned = false;
};

/// The default, for items of up to 16 bytes, is one for memory; wider ones want registers, and many items a thread, since what a
/// warp does together costs a shuffle a word (docs/tuning.md). A tuning that the caller names is kept.
template <class Tuning, int Width>
using tuning_for = std::conditional_t<std::is_same_v<Tuning, tuning<>> && (Width > 16), tuning<192, 192, 3, 1>, Tuning>;

/// Blocks of compaction take half of the shared memory of an sm_90 each. Code that is also for devices that give a block less, or
/// half of them as much, has smaller tiles.
namespace detail {
constexpr bool for_less_memory() {
  bool less = false;
  for (int const architecture : {__CUDA_ARCH_LIST__}) less = less || architecture < 900 || architecture >= 1200;
  return less;
}
template <class Tuning, class ForLess>
using fitting = std::conditional_t<for_less_memory(), ForLess, Tuning>;
}  // namespace detail

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
  using type = std::conditional_t<
      bytes == width, fitting<tuning<320, 112>, tuning<320, 80>>,
      std::conditional_t<bytes <= 2 * width, fitting<tuning<224, 80>, tuning<160, 80>>, fitting<tuning<224, 48>, tuning<160, 48>>>>;
};
}  // namespace detail
template <class Tuning, class Items, class Segments, class Stored>
using compact_tuning_for = typename detail::compact_tuning<Tuning, Items, Segments, Stored>::type;

/// Tiles of equally many items. Stored: the arrays that a tile of output is gathered for, side by side in its slot.
template <class Items, class Stored, class Tuning, int ExtraBytes = 0, bool MayTakeOffsets = true>
struct shape {
  using layout_type = item_layout;
  static constexpr bool along_path = false, may_take_offsets = MayTakeOffsets, has_look_back_warp = false;
  static constexpr int aside_bytes = 0;
  static constexpr int width = detail::widest(arrays_t<Items>{}, detail::widest(Stored{}, 1));
  using tuned = tuning_for<Tuning, width>;
  using network = typename tuned::network;
  using loads = typename tuned::loads;
  static constexpr int threads = tuned::threads, warps = threads / 32, slots = tuned::slots, blocks = tuned::blocks;
  static constexpr int items = detail::items_per_thread(width, tuned::bytes_per_thread, tuned::strides::even_too);
  static constexpr int tile_items = threads * items;

  /// Bytes of a slot before the heads: the staged arrays, or the tiles of output that are gathered over them. One alone has the pad
  /// that its phase needs; of several each has room for any phase.
  static constexpr int item_bytes(int pad) {
    int const gathered = detail::slot_bytes_of_arrays(Stored{}, tile_items, Stored::count > 1 ? area_pad : pad);
    return std::max(detail::slot_bytes_of_arrays(arrays_t<Items>{}, tile_items, pad), gathered) + ExtraBytes;
  }
  static constexpr int area_pad = 32;
};

/// Tiles of a scan. Keys that are staged beside the items take room that tiles of fewer items give back, so that two blocks share a
/// multiprocessor. So do pairs of 4-byte values and staged head flags, whose block state is wider (lifted).
namespace detail {
template <class Items, class Tuning>
inline constexpr bool just_too_large =
    lookback::detail::stages_heads<Items>&& std::is_same_v<Tuning, tuning<>>&& widest(arrays_t<Items>{}, 1) == 4;
template <class Items, class Segments, class Sink, class Tuning>
using each_tuning = std::conditional_t<is_runs<Segments>, fitting<tuning<224, 80>, tuning<160, 80>>,
                                       std::conditional_t<just_too_large<Items, Tuning>, tuning<352, 80>, Tuning>>;
}  // namespace detail
template <class Items, class Segments, class Sink, class Tuning>
using each_shape = shape<Items, arrays<typename Sink::value_type>, detail::each_tuning<Items, Segments, Sink, Tuning>,
                         lead_bytes<Segments, arrays_t<Items>>, !is_runs<Segments>>;

/// Where a tile keeps what every head ends, one T an item, from when it is reduced until its prefix is known: over a staged array
/// that nobody reads again, behind all of them, or nowhere, because a length is the distance of two heads.
namespace detail {
constexpr bool all_take_only_the_item(columns<>) { return true; }
template <class Column, class... Rest>
constexpr bool all_take_only_the_item(columns<Column, Rest...> const&) {
  return takes_only_the_item<decltype(Column::payload)> && all_take_only_the_item(columns<Rest...>{});
}
template <class... Ts>
constexpr int widest_array(arrays<Ts...>) {
  return std::max({0, static_cast<int>(sizeof(Ts))...});
}
}  // namespace detail
template <class Parts>
struct saved_at_heads {
  using Items = typename Parts::items_type;
  using T = typename Parts::value_type;
  using Firsts = decltype(Parts::sink_type::firsts);
  static constexpr bool sums_units = are_unit_items<Items> && std::is_same_v<typename Parts::operator_type, plus<T>>;
  static constexpr int nowhere = -2, behind = -1;
  static constexpr bool first_is_read = is_runs<typename Parts::segments_type> || Firsts::count > 0;
  static constexpr int over = sums_units ? nowhere : detail::all_take_only_the_item(Firsts{}) ? detail::last_array_for < T,
                       first_is_read ? 1 : 0 > (arrays_t<Items>{}) : behind;
  static constexpr int bytes_behind = over == behind ? static_cast<int>(sizeof(T)) : 0;
};

/// Tiles of which a value leaves for every head, and columns beside it, and how they lie in the shared memory of a block. Where
/// more than 17 of 32 items are heads, outputs may have to be gathered one after the other.
template <class Parts, class Tuned>
struct head_tile {
  using Items = typename Parts::items_type;
  using Segments = typename Parts::segments_type;
  using Stored = typename Parts::sink_type::stored;
  using saved = saved_at_heads<Parts>;
  static constexpr int widest_stored = detail::widest_array(Stored{}), stored = detail::bytes_of_arrays(Stored{});
  static constexpr int width = std::max(detail::widest(arrays_t<Items>{}, widest_stored), saved::bytes_behind);
  using network = typename Tuned::network;
  using loads = typename Tuned::loads;
  static constexpr int threads = Tuned::threads, warps = threads / 32, slots = Tuned::slots, blocks = Tuned::blocks;
  static constexpr int items = detail::items_per_thread(width, Tuned::bytes_per_thread, Tuned::strides::even_too);
  static constexpr int tile_items = threads * items;

  static constexpr int item_bytes(int pad) {
    int const before = lead_bytes<Segments, arrays_t<Items>>;
    int const arrays = before + (detail::slot_bytes_of_arrays(arrays_t<Items>{}, tile_items, pad) + 15) / 16 * 16;
    int const gathered = std::max(tile_items * widest_stored, tile_items / 32 * 17 * stored) + 32 * Stored::count;
    return std::max(arrays + tile_items * saved::bytes_behind, (gathered + 15) / 16 * 16) + 32;
  }
  /// Whatever is head, there is room for all areas side by side.
  static constexpr bool all_fit() { return tile_items * stored + 32 * Stored::count <= item_bytes(0); }
  /// Room aside of the slots, for what heads of one item in eight leave; wide items leave none.
  static constexpr int aside_bytes = width > 16 ? 0 : tile_items / 8 * stored + 32 * Stored::count;
  /// All of it, wherever the arrays begin and whatever describes the segments.
  static constexpr int shared_bytes() {
    int const head_bits = is_runs<Segments> ? 0 : std::is_same_v<Segments, segments> ? 8 : 1;
    int const slot = item_bytes(128) + (head_bits == 0 ? 0 : tile_items * head_bits / 8 + 32);
    return slots * ((slot + 127) / 128 * 128) + 48 + aside_bytes;
  }
};

/// The first tuning with which a tile of heads has no more than so many bytes; else the last.
namespace detail {
template <class Parts, int Bytes, class Tuned, class... Rest>
struct first_that_fits {
  using type = typename std::conditional_t<head_tile<Parts, Tuned>::shared_bytes() <= Bytes, first_that_fits<Parts, Bytes, Tuned>,
                                           first_that_fits<Parts, Bytes, Rest...>>::type;
};
template <class Parts, int Bytes, class Tuned>
struct first_that_fits<Parts, Bytes, Tuned> {
  using type = Tuned;
};
/// What the smallest of the devices lets a block have beside its own 4 KB.
inline constexpr int most_shared_bytes = (for_less_memory() ? 99 : 227) * 1024 - 4096;
}  // namespace detail

/// A tile of heads fills a multiprocessor, where one block may have all its memory: with as many threads as leave each the
/// registers that it needs. A warp apart looks back: little is written, so that a tile has little time.
namespace detail {
template <class Parts, bool Narrow = (sizeof(typename Parts::value_type) <= 8 && !is_runs<typename Parts::segments_type>)>
using largest_tile_of_heads = std::conditional_t<saved_at_heads<Parts>::sums_units, tuning<448, 144, 3, 1>,
                                                 std::conditional_t<Narrow, tuning<448, 112, 3, 1>, tuning<320, 112, 3, 1>>>;
}  // namespace detail
template <class Parts>
using tuning_of_heads =
    typename detail::fitting<detail::first_that_fits<Parts, detail::most_shared_bytes, detail::largest_tile_of_heads<Parts>,
                                                     tuning<320, 112, 3, 1>, tuning<224, 48>, tuning<128, 32>, tuning<128, 16>>,
                             detail::first_that_fits<Parts, detail::most_shared_bytes, tuning<224, 112>, tuning<256, 80>,
                                                     tuning<160, 80>, tuning<160, 48>, tuning<128, 32>, tuning<128, 16>>>::type;
namespace detail {
template <class Parts, class Tuning>
using head_tuning = std::conditional_t<std::is_same_v<Tuning, tuning<>> && head_tile<Parts, tuning<>>::width <= 16,
                                       tuning_of_heads<Parts>, tuning_for<Tuning, head_tile<Parts, tuning<>>::width>>;
}  // namespace detail
template <class Parts, class Tuning>
struct head_shape : head_tile<Parts, detail::head_tuning<Parts, Tuning>> {
  using layout_type = item_layout;
  static constexpr bool along_path = false, may_take_offsets = false, has_look_back_warp = true;
};

/// Tiles along the path that merges items and ends of segments: a tile has `tile_items` steps, any part of which are items. Items
/// are scanned in their slot, as values of T: over a staged array of that width, or behind them all.
namespace detail {
template <class Items, class T>
inline constexpr bool are_values = false;
template <class T>
inline constexpr bool are_values<elements<T>, T> = true;
}  // namespace detail
template <class Items, class T, class Tuning>
struct path_shape {
  using layout_type = path_layout;
  static constexpr bool along_path = true, may_take_offsets = true, has_look_back_warp = false;
  static constexpr bool evaluates = !detail::are_values<Items, T>;
  static constexpr int aside_bytes = 0;
  static constexpr int arrays = arrays_t<Items>::count;
  using step = path_step<arrays_t<Items>, T>;
  using tree = path_tile<arrays_t<Items>, T>;
  static constexpr int evaluated_over = step::evaluated_over, bytes_behind = step::bytes_behind, width = step::width;
  static constexpr int step_bytes = step::bytes;
  /// Is array K nothing but what values are made of? Nobody reads it once they are there.
  template <int K>
  static constexpr bool only_made_of = evaluates&& K != evaluated_over;
  // What a block keeps it keeps for its multiprocessor, alone on it, and its tiles leave 92 KB to the first-level cache, one of
  // the sizes that there are of it (docs/lab/gpu.md, One block a multiprocessor). Offsets of 8 bytes leave 60 KB where values have
  // at most 4.
  using alone = std::conditional_t<(step_bytes > 8), tuning<448, 72, 3, 1>, tuning<480, 56, 3, 1>>;
  using best = std::conditional_t<caches_values<Items>, alone, tuning<tree::threads, tree::bytes_per_thread>>;
  // Devices that give a block less memory have smaller tiles of wide items: results of `reproducible` are refused there.
  using best_wide = detail::fitting<tuning<tree::threads, tree::bytes_per_thread, 3, 1>, tuning<128, 112, 3, 1>>;
  using tuned = std::conditional_t<std::is_same_v<Tuning, tuning<>>, std::conditional_t<tree::wide, best_wide, best>, Tuning>;
  // A block has 1024 threads, 96 of them without items.
  static constexpr int threads = std::min(tuned::threads, 928), warps = threads / 32, slots = tuned::slots, blocks = tuned::blocks;
  static constexpr int items = step::items_in(tuned::bytes_per_thread);
  static constexpr int tile_items = threads * items;

  /// Bytes of a slot, and of each of `apart` regions for what values are made of, or 0 where that lies in the slots. Fewer tiles at
  /// once need it than there are slots; what it leaves is first-level cache, where all that is read elsewhere must find a line.
  /// Where offsets are so wide that their ends need the room anyway, nothing lies apart. Regions begin at multiples of 32 items and
  /// hold any phase.
  struct layout {
    int slot_bytes, input_region_bytes;
  };
  static constexpr int input_regions = slots - 1;
  static constexpr layout layout_for(int offset_bytes) {
    int const all = detail::bytes_of_arrays(arrays_t<Items>{}) + bytes_behind, value = sizeof(T);
    int const made_of = evaluates ? all - value : 0, in_slot = std::max(all - made_of, offset_bytes);
    if (slots * in_slot + input_regions * made_of >= slots * step_bytes) return {region(step_bytes), 0};
    return {region(in_slot), made_of > 0 ? region(made_of) : 0};
  }
  static constexpr int region(int step) { return ((tile_items + 32) * step + (arrays + 2) * 160 + 127) / 128 * 128; }
};

/// Threads of a block: those that have items, and a warp apart that looks back, or, along a path, three: one moves tiles, one
/// tells.
template <class Form>
inline constexpr int block_threads = Form::threads + (Form::along_path           ? 96
                                                      : Form::has_look_back_warp ? 32
                                                                                 : 0);

/// Items of a tile when input and output elements have `item_bytes` bytes: a multiple of it is where a carry may cut.
template <class Strategy, class Carry, class Tuning>
constexpr index_t tile_items(policy<Strategy, Carry, Tuning> const&, index_t item_bytes) {
  auto const items = [&]<class Tuned>(Tuned) {
    return index_t{Tuned::threads} *
           detail::items_per_thread(static_cast<int>(item_bytes), Tuned::bytes_per_thread, Tuned::strides::even_too);
  };
  return item_bytes > 16 ? items(tuning_for<Tuning, 64>{}) : items(tuning_for<Tuning, 1>{});
}

}  // namespace lookback::gpu
