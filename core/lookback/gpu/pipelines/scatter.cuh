// One pass that splits items into up to 256 classes, in order: a tile is sorted on chip before its prefix is known.
//
//   all            load tile i+1 to registers, rank every item among those of its class in its warp
//   first warps    count the classes of tile i+1 and publish them        last warps   look back for tile i, a thread for a class
//   all            put tile i+1 in order of classes in shared memory, store tile i, whose classes are runs, where they go
//
// A block keeps two tiles: the one that is being sorted and the one that waits for its prefix. What a block asks for has been told
// one tile earlier, as in staged.cuh. Stores are runs of neighbours, a class each; the larger a tile, the longer they are, and a
// run that begins or ends within a sector of 32 bytes costs the memory as much as several whole ones: so one block has all the
// shared memory of a multiprocessor.
//
// Ranks come from votes: the lanes that have the same class are found bit by bit, and the lowest of them moves the counter of the
// warp. The order of equal classes is that of memory, whatever the timing.
// Source: Adinets & Merrill, Onesweep, 2022.
#pragma once
#include "../../model/sort_job.hpp"
#include "../device/ranks.cuh"
#include "../device/store_by_sectors.cuh"
#include "../device/warp.cuh"
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

/// As many items a thread as two tiles leave room for, 20 at most: more would not fit into registers.
template <class T, class Beside>
struct scatter_shape {
  static constexpr int threads = detail::for_less_memory() ? 512 : 1024, warps = threads / 32, classes = scatter_classes;
  static constexpr int item_bytes = static_cast<int>(sizeof(T)) + Beside::bytes;
  static constexpr int counter_bytes = warps * classes * 2, address_bytes = classes * (Beside::bytes > 0 ? 16 : 8),
                       class_bytes = address_bytes + classes * (2 * 4 + 2 * 4);
  static constexpr int left = detail::most_shared_bytes - counter_bytes - class_bytes - 256;
  static constexpr int items = std::clamp(left / (2 * threads * item_bytes), 1, 20), tile_items = threads * items;
  static constexpr int padded(int bytes) { return (bytes + 15) / 16 * 16; }
  static constexpr int beside_at = padded(2 * tile_items * static_cast<int>(sizeof(T)));
  static constexpr int address_at = beside_at + padded(2 * tile_items * Beside::bytes), begin_at = address_at + address_bytes,
                       total_at = begin_at + 2 * classes * 4, counter_at = total_at + 2 * classes * 4;
  static constexpr int bytes = counter_at + counter_bytes;
  static_assert(bytes <= detail::most_shared_bytes, "two tiles fit");
};

namespace detail {

/// The block that leaves a pass as the last one prepares the next.
__device__ __forceinline__ void leave_pass(scratch const& memory, std::uint32_t epoch) {
  __syncthreads();
  if (threadIdx.x >= 32) return;
  std::uint32_t left = 0;
  if (threadIdx.x == 0) left = ptx::add_acquire_release(&memory.state->left, 1);
  if (__shfl_sync(all_lanes, left, 0) != gridDim.x - 1) return;
  __syncwarp();
  end_call(memory, epoch);
}

}  // namespace detail

/// `Drops`: class_of may say a class outside [0, 256), whose items go nowhere.
template <class In, class Class, class Beside, bool Drops, class Tiling>
__global__ void __launch_bounds__(scatter_shape<typename In::value_type, Beside>::threads, 1)
    scatter_kernel(__grid_constant__ scatter_call<In, Class, Beside, Tiling> const call) {
  using T = typename In::value_type;
  using shape = scatter_shape<T, Beside>;
  using V = typename Beside::value_type;
  constexpr int classes = shape::classes, K = shape::items, tile_items = shape::tile_items, threads = shape::threads;
  constexpr bool has_beside = Beside::bytes > 0;
  constexpr int claimer =
      threads >= 3 * classes ? classes : threads - 1;  // neither counts nor looks back, where somebody does neither
  extern __shared__ __align__(16) unsigned char memory[];
  T* const sorted = reinterpret_cast<T*>(memory);
  V* const sorted_beside = reinterpret_cast<V*>(memory + shape::beside_at);
  // Of a class: where place 0 of the tile would lie in memory, if it were of this class. Of items, and of what is beside them.
  auto* const address = reinterpret_cast<std::uintptr_t*>(memory + shape::address_at);
  [[maybe_unused]] auto* const address_beside = address + classes;
  auto* const begin = reinterpret_cast<std::uint32_t*>(memory + shape::begin_at);
  auto* const total = reinterpret_cast<std::uint32_t*>(memory + shape::total_at);
  auto* const counter = reinterpret_cast<std::uint16_t*>(memory + shape::counter_at);  // [warp][class]
  __shared__ std::uint32_t warp_sums[classes / 32], item_count[2];
  __shared__ typename Tiling::common all_tiles;
  __shared__ typename Tiling::known known[3];  // the tile that waits, the one at hand, the next one
  int const thread = threadIdx.x, lane = thread % 32, warp = thread / 32;
  std::uint16_t* const mine = counter + warp * classes;

  ptx::let_next_kernel_start();
  for (int c = lane; c < classes / 2; c += 32) reinterpret_cast<std::uint32_t*>(mine)[c] = 0;
  ptx::wait_for_kernel_before();
  if (call.tiling.is_skipped()) return;
  std::uint32_t const epoch = call.memory.state->epoch_minus_one + 1;
  auto tiles = call.tiles;
  tiles.all.epoch = epoch;
  auto const& tiling = call.tiling;
  if (thread == 0) {
    tiling.open(all_tiles);
    tiling.look_up(tiling.claim(&call.memory.state->ticket), known[0]);
  }
  __syncthreads();

  int const place = warp * 32 * K + lane;
  room<T> item[K];
  int i = 0;  // the tile at hand is the i-th of this block; the one before it waits for its prefix
  int count = tiling.template count<tile_items>(all_tiles, known[0]);  // of the tile at hand
  auto const load = [&](int which) {
    if (count == 0) return;
    auto const from =
        call.in.begin(tiling.route_of(all_tiles, known[which]).from, tiling.template begin<tile_items>(known[which]) + place);
    if (count == tile_items) {
#pragma unroll
      for (int j = 0; j < K; ++j) item[j].value = from[j * 32];
    } else {
#pragma unroll
      for (int j = 0; j < K; ++j)
        if (place + j * 32 < count) item[j].value = from[j * 32];
    }
  };
  load(0);
  auto const resolve = [&](typename Tiling::known const& t, int of, int c) {
    index_t const own = total[of * classes + c];
    index_t before = 0;
    std::uint32_t const first = tiling.first(t);
    if (t.number != first) {
      before = look_back_counter(tiles, index_t{t.number}, index_t{first}, c);
      tiles.publish(t.number, c, status::prefix, before + own);
    }
    index_t const place_0 = tiling.place(t, c, before, own) - begin[of * classes + c];
    int const to = tiling.route_of(all_tiles, t).to;
    address[c] = reinterpret_cast<std::uintptr_t>(call.out[to]) + place_0 * static_cast<index_t>(sizeof(T));
    if constexpr (has_beside)
      address_beside[c] = reinterpret_cast<std::uintptr_t>(call.beside.at[to]) + place_0 * static_cast<index_t>(sizeof(V));
  };
  auto const store = [&](pass_route route, int of) {
    T const* const from = sorted + of * tile_items;
    [[maybe_unused]] V const* const from_beside = sorted_beside + of * tile_items;
    int const items = static_cast<int>(item_count[of]);
    room<T> x;
    std::uintptr_t to, to_beside;
    auto const look = [&](int i) {
      x.value = from[i];
      int const c = call.class_of(x.value);
      to = address[c] + static_cast<unsigned>(i) * sizeof(T);
      if constexpr (has_beside) to_beside = address_beside[c] + static_cast<unsigned>(i) * sizeof(V);
    };
    auto const put = [&](int i) {
      if (!has_beside || route.keeps_items) *reinterpret_cast<T*>(to) = x.value;
      if constexpr (has_beside) *reinterpret_cast<V*>(to_beside) = from_beside[i];
    };
    // Two arrays, of which each has sectors of its own: rows end where those of the narrower one do.
    constexpr int narrower = static_cast<int>(has_beside && sizeof(V) < sizeof(T) ? sizeof(V) : sizeof(T));
    if constexpr (has_beside) {
      int const each = (items + shape::warps - 1) / shape::warps, first = min(warp * each, items);
      store_by_sectors(
          first, min(first + each, items),
          [&](int i) {
            look(i);
            return begun_of_sector<narrower>(sizeof(V) < sizeof(T) ? to_beside : to);
          },
          put);
    } else if (items == tile_items) {
#pragma unroll
      for (int j = 0; j < K; ++j) look(thread + j * threads), put(thread + j * threads);
    } else {
      for (int i = thread; i < items; i += threads) look(i), put(i);
    }
  };

  for (;; ++i) {
    bool const has = count > 0, waits = i > 0;
    if (!has && !waits) break;
    int const parity = i & 1;
    std::uint32_t rank[(K + 1) / 2] = {};  // 16 bits each
    [[maybe_unused]] room<V> value[has_beside ? K : 1];
    [[maybe_unused]] unsigned kept = 0;  // bit j: item j is of a class
    if (has) {
      if constexpr (has_beside) {
        index_t const first = tiling.template begin<tile_items>(known[i % 3]);
        pass_route const route = tiling.route_of(all_tiles, known[i % 3]);
        bool made = false;
        if constexpr (Beside::is_generated) {
          made = route.from == 0;
          if (made) {
#pragma unroll
            for (int j = 0; j < K; ++j) value[j].value = static_cast<V>(first + place + j * 32);
          }
        }
        V const* const from = call.beside.at[route.from] + first + place;
        if (!made) {
#pragma unroll
          for (int j = 0; j < K; ++j)
            if (count == tile_items || place + j * 32 < count) value[j].value = from[j * 32];
        }
      }
      auto const rank_item = [&](int j, int c, unsigned among, bool valid) {
        unsigned const same = detail::match_any(among, c), below = same & ((1u << lane) - 1);
        std::uint32_t const counted = valid ? mine[c] : 0;
        __syncwarp();
        if (valid && below == 0) mine[c] = static_cast<std::uint16_t>(counted + __popc(same));
        __syncwarp();
        std::uint32_t const r = counted + __popc(below);
        if (j % 2) rank[j / 2] |= r << 16;
        else rank[j / 2] = r;
      };
      if (!Drops && count == tile_items) {
#pragma unroll
        for (int j = 0; j < K; ++j) rank_item(j, call.class_of(item[j].value), all_lanes, true);
      } else {
#pragma unroll
        for (int j = 0; j < K; ++j) {
          int c = -1;
          if (place + j * 32 < count) c = call.class_of(item[j].value);
          bool const valid = c >= 0 && c < classes;
          kept |= valid ? 1u << j : 0u;
          rank_item(j, valid ? c : 0, __ballot_sync(all_lanes, valid), valid);
        }
      }
    }
    __syncthreads();  // 1: what all warps have counted is there; the tile before last has been stored
    std::uint32_t of_class = 0;
    if (thread < classes) {
      if (has) {
#pragma unroll 8
        for (int w = 0; w < shape::warps; ++w) {
          std::uint32_t const c = counter[w * classes + thread];
          counter[w * classes + thread] = static_cast<std::uint16_t>(of_class);
          of_class += c;
        }
        std::uint32_t const number = known[i % 3].number;
        tiles.publish(number, thread, number == tiling.first(known[i % 3]) ? status::prefix : status::aggregate, of_class);
        total[parity * classes + thread] = of_class;
        // These meet alone: the others look back meanwhile. racecheck knows no barrier of some warps, and takes what is written
        // behind it for a race with what is read behind the next barrier of all.
        std::uint32_t const before =
            detail::sum_of_threads_before<classes>(of_class, warp_sums, [] { ptx::barrier_of(1, classes); });
        begin[parity * classes + thread] = before;
        if (thread == classes - 1) item_count[parity] = before + of_class;
      }
    } else if (thread >= threads - classes) {
      if (waits) resolve(known[(i + 2) % 3], parity ^ 1, thread - (threads - classes));
    }
    // Asked for before, it would be in the way of ranks: there are no registers for it to wait in.
    if (has && thread == claimer) tiling.look_up(tiling.claim(&call.memory.state->ticket), known[(i + 1) % 3]);
    __syncthreads();  // 2: where the items of this tile go here, and those of the waiting one in memory
    if (has) {
      T* const to = sorted + parity * tile_items;
      V* const to_beside = sorted_beside + parity * tile_items;
      auto const put = [&](int j) {
        int const c = call.class_of(item[j].value);
        std::uint32_t const at = begin[parity * classes + c] + mine[c] + (j % 2 ? rank[j / 2] >> 16 : rank[j / 2] & 65535);
        to[at] = item[j].value;
        if constexpr (has_beside) to_beside[at] = value[j].value;
      };
      if (!Drops && count == tile_items) {
#pragma unroll
        for (int j = 0; j < K; ++j) put(j);
      } else {
#pragma unroll
        for (int j = 0; j < K; ++j)
          if (kept >> j & 1) put(j);
      }
      __syncwarp();
      for (int c = lane; c < classes / 2; c += 32) reinterpret_cast<std::uint32_t*>(mine)[c] = 0;
      __syncwarp();
      count = tiling.template count<tile_items>(all_tiles, known[(i + 1) % 3]);
      load((i + 1) % 3);
    }
    if (waits) store(tiling.route_of(all_tiles, known[(i + 2) % 3]), parity ^ 1);
    if (!has) break;
  }
  detail::leave_pass(call.memory, epoch);
}

}  // namespace lookback::gpu
