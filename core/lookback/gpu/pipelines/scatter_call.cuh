// What one pass of scatter.cuh is told: where items and what is beside them lie, which tiles there are, how large they are.
#pragma once
#include "../../model/sort_job.hpp"
#include "../host/scan_call.cuh"
#include "../protocol/look_back_counters.cuh"
#include "../tiles/shape.cuh"

namespace lookback::gpu {

inline constexpr int scatter_classes = 256;

/// Where a pass reads and writes, decided on the device: number 0 is the input, 1 the output, 2 scratch.
struct pass_route {
  std::int8_t from, to;
  bool skipped;      // all items are of one class
  bool keeps_items;  // false: only what is beside the items is stored
};

/// Tiles side by side over all items, which are one segment. A tiling says what a block knows of all tiles, and what of each.
struct whole_array {
  lookback::size size;
  index_t const* starts;    // where each class begins
  pass_route const* route;  // null: from number 0 to number 1

  struct common {
    index_t n;
    pass_route route;
  };
  struct known {
    std::uint32_t number;  // in the order of tickets
  };
  __device__ __forceinline__ bool is_skipped() const { return route && route->skipped; }
  __device__ __forceinline__ void open(common& all) const {
    all.n = items_in(size);
    all.route = {0, 1, false, true};
    if (route) all.route = *route;
  }
  /// The ticket of the next tile that has anything to do, and what is known of it: by one thread.
  __device__ __forceinline__ std::uint32_t claim(std::uint32_t* ticket) const { return atomicAdd(ticket, 1u); }
  __device__ __forceinline__ void look_up(std::uint32_t ticket, known& tile) const { tile.number = ticket; }

  template <int TileItems>
  __device__ __forceinline__ index_t begin(known const& tile) const {
    return index_t{tile.number} * TileItems;
  }
  /// 0: there are no more tiles.
  template <int TileItems>
  __device__ __forceinline__ int count(common const& all, known const& tile) const {
    return static_cast<int>(min(max(all.n - begin<TileItems>(tile), index_t{0}), index_t{TileItems}));
  }
  __device__ __forceinline__ pass_route route_of(common const& all, known const&) const { return all.route; }
  /// The first of the tiles of its segment: nobody looks past it.
  __device__ __forceinline__ std::uint32_t first(known const&) const { return 0; }
  /// Where `own` items of class c go, behind `before` others of their class.
  __device__ __forceinline__ index_t place(known const&, int c, index_t before, index_t) const { return starts[c] + before; }
};

/// What moves beside an item in one pass: nothing, a value, or the place that the item had, made in the pass that reads the input.
struct nothing_beside {
  using value_type = char;
  static constexpr int bytes = 0;
};
template <class V, bool Generated>
struct one_beside {
  using value_type = V;
  static constexpr int bytes = sizeof(V);
  static constexpr bool is_generated = Generated;
  V* at[3];  // of numbers 0, 1 and 2; where it is generated nobody reads number 0
};

/// The items of a pass: an array, or what a source makes of its arrays. begin(number, i)[k] is item i + k of the array of that
/// number.
template <class T>
struct routed_items {
  using value_type = T;
  T* at[3];
  __device__ __forceinline__ T const* begin(int number, index_t i) const { return at[number] + i; }
};
template <class T, class Items>
struct lazy_items {
  using value_type = T;
  Items items;
  struct place {
    Items const& items;
    arrays_t<Items> arrays;
    index_t first;
    __device__ __forceinline__ T operator[](index_t k) const { return static_cast<T>(value_in_memory(items, arrays, first + k)); }
  };
  __device__ __forceinline__ place begin(int, index_t i) const { return {items, items.arrays(), i}; }
};

template <class In, class Class, class Beside, class Tiling = whole_array>
struct scatter_call {
  using T = typename In::value_type;
  In in;
  T* out[3];  // of numbers 1 and 2
  Beside beside;
  Class class_of;
  Tiling tiling;
  counter_descriptors<scatter_classes> tiles;
  scratch memory;
};

/// As many items a thread as two tiles leave room for, 20 at most: more would not fit into registers. `Even`: classes of about as
/// many items, whose runs are short.
template <class T, class Beside, bool Even>
struct scatter_shape {
  static constexpr int blocks = detail::for_less_memory() || Beside::bytes > 0 || Even ? 1 : 2;  // of a multiprocessor
  static constexpr int threads = detail::for_less_memory() ? 512 : 1024 / blocks, warps = threads / 32, classes = scatter_classes;
  static constexpr int item_bytes = static_cast<int>(sizeof(T)) + Beside::bytes;
  static constexpr int counters = classes + 2;  // of a warp: one for what goes nowhere, and whole words
  static constexpr int counter_bytes = warps * counters * 2, address_bytes = classes * (Beside::bytes > 0 ? 16 : 8),
                       class_bytes = address_bytes + classes * (2 * 4 + 2 * 4);
  static constexpr int room = detail::most_shared_bytes / blocks;
  static constexpr int left = room - counter_bytes - class_bytes - 256;
  static constexpr int items = std::clamp(left / (2 * threads * item_bytes), 1, 20), tile_items = threads * items;
  static constexpr int padded(int bytes) { return (bytes + 15) / 16 * 16; }
  static constexpr int beside_at = padded(2 * tile_items * static_cast<int>(sizeof(T)));
  static constexpr int address_at = beside_at + padded(2 * tile_items * Beside::bytes), begin_at = address_at + address_bytes,
                       total_at = begin_at + 2 * classes * 4, counter_at = total_at + 2 * classes * 4;
  static constexpr int bytes = counter_at + counter_bytes;
  static_assert(bytes <= room, "two tiles fit");
};

}  // namespace lookback::gpu
