// One pass that splits items into up to 256 classes, in order: a tile is sorted on chip before its prefix is known.
//
//   all            load tile i+1 to registers, rank every item among those of its class in its warp
//   first warps    count the classes of tile i+1 and publish them        last warps   look back for tile i, a thread for a class
//   all            put tile i+1 in order of classes in shared memory, store tile i, whose classes are runs, where they go
//
// A block keeps two tiles: the one that is being sorted and the one that waits for its prefix. What a block asks for has been told
// one tile earlier, as in staged.cuh. Stores are runs of neighbours, a class each; the larger a tile, the longer they are, and a
// run that begins or ends within a sector of 32 bytes costs the memory as much as several whole ones: so one block has all the
// shared memory of a multiprocessor where something moves beside the items, or classes are even. Where they are not, items alone
// have long runs anyway: two blocks share a multiprocessor, and one computes while the other stands at a barrier.
//
// Ranks come from votes: the lanes that have the same class are found bit by bit, and the lowest of them moves the counter of the
// warp. A warp whose keys, integers, all have one digit asks once, and votes no more. The order of equal classes is that of memory,
// whatever the timing. Source: Adinets & Merrill, Onesweep, 2022.
#pragma once
#include "../device/ranks.cuh"
#include "../device/store_by_sectors.cuh"
#include "../device/warp.cuh"
#include "scatter_call.cuh"

namespace lookback::gpu {

namespace detail {

/// Does Class say what two items differ in, and whether it sees that?
template <class Class, class T>
concept tells_differences = requires(Class const& c, T const& x) {
  c.sees(c.difference(x, x));
};

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

/// `Drops`: class_of may say -1, and that item goes nowhere. Then class_of.said(item) is what was said, unchecked; allows(x) tells
/// whether all is well if x is the largest that was said; and kept(item) is the class of an item that goes somewhere.
template <class In, class Class, class Beside, bool Drops, class Tiling>
__global__ void __launch_bounds__(scatter_shape<typename In::value_type, Beside, Class::are_even>::threads,
                                  scatter_shape<typename In::value_type, Beside, Class::are_even>::blocks)
    scatter_kernel(__grid_constant__ scatter_call<In, Class, Beside, Tiling> const call) {
  using T = typename In::value_type;
  using shape = scatter_shape<T, Beside, Class::are_even>;
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
  auto* const counter = reinterpret_cast<std::uint16_t*>(memory + shape::counter_at);  // [warp][class, or none]
  __shared__ std::uint32_t warp_sums[classes / 32], item_count[2];
  __shared__ typename Tiling::common all_tiles;
  __shared__ typename Tiling::known known[3];  // the tile that waits, the one at hand, the next one
  int const thread = threadIdx.x, lane = thread % 32, warp = thread / 32;
  std::uint16_t* const mine = counter + warp * shape::counters;

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
  auto const class_of_kept = [&](T const& x) {
    if constexpr (Drops) return call.class_of.kept(x);
    else return call.class_of(x);
  };
  /// Is item j of the tile at hand there, and of a class?
  auto const goes = [&](int j) {
    if (place + j * 32 >= count) return false;
    return !Drops || call.class_of(item[j].value) >= 0;
  };
  auto const store = [&](pass_route route, int of) {
    T const* const from = sorted + of * tile_items;
    [[maybe_unused]] V const* const from_beside = sorted_beside + of * tile_items;
    int const items = static_cast<int>(item_count[of]);
    room<T> x;
    std::uintptr_t to, to_beside;
    auto const look = [&](int i) {
      x.value = from[i];
      int const c = class_of_kept(x.value);
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
    bool is_whole = has && count == tile_items;  // the items of this warp: each is there, and of a class
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
      auto const rank_item = [&](int j, int c, auto bits) {
        unsigned const same = detail::match_any<decltype(bits)::value>(c), below = same & ((1u << lane) - 1);
        std::uint32_t const counted = mine[c];
        __syncwarp();
        if (below == 0) mine[c] = static_cast<std::uint16_t>(counted + __popc(same));
        __syncwarp();
        std::uint32_t const r = counted + __popc(below);
        if (j % 2) rank[j / 2] |= r << 16;
        else rank[j / 2] = r;
      };
      if constexpr (Drops) {
        if (is_whole) {
          unsigned largest = 0;
#pragma unroll
          for (int j = 0; j < K; ++j) largest = max(largest, call.class_of.said(item[j].value));
          is_whole = __all_sync(all_lanes, call.class_of.allows(largest));
        }
      }
      bool is_one_class = false;
      if constexpr (detail::tells_differences<Class, T>) {
        if (is_whole) {
          auto different = call.class_of.difference(item[0].value, item[0].value);
#pragma unroll
          for (int j = 1; j < K; ++j) different |= call.class_of.difference(item[0].value, item[j].value);
          int const c = call.class_of(item[0].value), of_lane_0 = __shfl_sync(all_lanes, c, 0);
          is_one_class = __all_sync(all_lanes, c == of_lane_0 && !call.class_of.sees(different));
          if (is_one_class) {
#pragma unroll
            for (int j = 0; j < K; ++j) rank[j / 2] |= static_cast<std::uint32_t>(lane + j * 32) << j % 2 * 16;
            if (lane == 0) mine[c] = K * 32;
          }
        }
      }
      if (is_whole && !is_one_class) {
#pragma unroll
        for (int j = 0; j < K; ++j) rank_item(j, class_of_kept(item[j].value), std::integral_constant<int, 8>{});
      } else if (!is_whole) {  // what goes nowhere is of one class more
        if (lane == 0) mine[classes] = 0;
        __syncwarp();
#pragma unroll
        for (int j = 0; j < K; ++j)
          rank_item(j, goes(j) ? class_of_kept(item[j].value) : classes, std::integral_constant<int, 9>{});
      }
    }
    __syncthreads();  // 1: what all warps have counted is there; the tile before last has been stored
    std::uint32_t of_class = 0;
    if (thread < classes) {
      if (has) {
#pragma unroll 8
        for (int w = 0; w < shape::warps; ++w) {
          std::uint32_t const c = counter[w * shape::counters + thread];
          counter[w * shape::counters + thread] = static_cast<std::uint16_t>(of_class);
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
      // A counter says where the first of its warp and class lies: two of them fit into a word, and none overflows.
      for (int c = lane; c < classes / 2; c += 32) {
        uint2 const of_tile = reinterpret_cast<uint2 const*>(begin + parity * classes)[c];
        reinterpret_cast<std::uint32_t*>(mine)[c] += of_tile.x + (of_tile.y << 16);
      }
      __syncwarp();
      auto const put = [&](int j) {
        int const c = class_of_kept(item[j].value);
        std::uint32_t const at = mine[c] + (j % 2 ? rank[j / 2] >> 16 : rank[j / 2] & 65535);
        to[at] = item[j].value;
        if constexpr (has_beside) to_beside[at] = value[j].value;
      };
      if (is_whole) {
#pragma unroll
        for (int j = 0; j < K; ++j) put(j);
      } else {
#pragma unroll
        for (int j = 0; j < K; ++j)
          if (goes(j)) put(j);
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
