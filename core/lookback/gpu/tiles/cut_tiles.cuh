// How the work of a call is cut into tiles, and what a block knows of them.
//
//   tiles of items   equally many items each
//   tiles of a path  equally many steps each along the path that merges items and ends of segments, an end before the item at its
//                    position: ten million empty segments spread over all blocks as items do (Green, McColl, Bader, GPU Merge
//                    Path, ICS 2012)
#pragma once
#include "../../model/tile.hpp"
#include "../../operators.hpp"
#include "../device/tile_slots.cuh"
#include "../host/scan_call.cuh"
#include "boundaries.cuh"
#include "shape.cuh"

namespace lookback::gpu {

template <class Parts, class Tiles, class Form, class State>
struct cut_tiles {
  using Items = typename Parts::items_type;
  using Segments = typename Parts::segments_type;
  using T = typename Parts::value_type;
  using Op = typename Parts::operator_type;
  using Sink = typename Parts::sink_type;
  using Key = typename Parts::key_type;
  using Out = typename Sink::value_type;
  using parts = Parts;
  using tiles_type = Tiles;
  using form = Form;
  using state_type = State;
  using call_type = scan_call<Parts, Tiles, typename Form::layout_type>;
  static constexpr int N = form::items, warps = form::warps, slots = form::slots;
  static constexpr bool along_path = form::along_path;
  static constexpr bool has_segments = !std::is_same_v<Segments, no_segments>;
  static constexpr bool takes_offsets = std::is_same_v<Segments, segments> && form::may_take_offsets;
  static constexpr int array_count = arrays_t<Items>::count;
  static constexpr int left = is_runs<Segments> ? 1 : 0, lead = lead_bytes<Segments, arrays_t<Items>>;

  template <class... Ts>
  static staged_runs<N, Ts...> runs_of(arrays<Ts...>);
  using runs = decltype(runs_of(arrays_t<Items>{}));
  using heads_type = head_bits<has_segments ? N : 1>;

  call_type const& call;
  State& state;

  __device__ __forceinline__ index_t n() const { return state.n; }
  __device__ __forceinline__ std::uint32_t tile_count() const { return state.tile_count; }
  /// One result a segment is the same from either side: those sinks go from left to right, and the compiler knows it.
  __device__ __forceinline__ bool reversed() const { return !is_per_segment<Sink> && call.reversed; }
  __device__ __forceinline__ scan_order order() const { return {reversed()}; }
  __device__ __forceinline__ directed<Op> op() const { return {call.op, reversed()}; }
  __device__ __forceinline__ Tiles tiles() const {
    Tiles d = call.tiles;
    d.epoch = state.epoch;
    return d;
  }
  __device__ __forceinline__ int memory_warp() const { return threadIdx.x / 32; }
  __device__ __forceinline__ int scan_warp() const { return order().reversed ? warps - 1 - memory_warp() : memory_warp(); }
  __device__ __forceinline__ int slot(int s) const { return s * call.layout.slot_bytes; }
  __device__ __forceinline__ bool holds_tile(int s) const { return state.tile[s] < tile_count(); }

  // ---- which tiles there are

  __device__ __forceinline__ static index_t segment_count(segments const& s) { return s.count - 1; }
  /// Steps that the tiles divide: items, or items and ends of segments.
  __device__ __forceinline__ index_t length(index_t n) const {
    if constexpr (along_path) return n + segment_count(call.from.segments);
    else return n;
  }
  __device__ __forceinline__ tile tile_of(index_t id) const { return tile_at(id, n(), form::tile_items, order().reversed); }
  __device__ __forceinline__ tile tile_in(int s) const {
    return {state.tile[s], state.item_begin[s], state.item_begin[s] + state.item_count[s]};
  }
  /// Items that each region of the slot has room for.
  __device__ __forceinline__ int room_of(tile t) const {
    if constexpr (along_path) return static_cast<int>(t.end - t.begin + 31) & ~31;
    else return form::tile_items;
  }
  __device__ __forceinline__ int items_of_thread(tile t) const {
    return min(N, max(0, static_cast<int>(t.end - t.begin) - static_cast<int>(threadIdx.x) * N));
  }
  /// The warps of a tile that hold items, in scan order: [first, end).
  struct warp_range {
    int first, end;
  };
  __device__ __forceinline__ warp_range filled_warps(tile t) const {
    int const filled = (static_cast<int>(t.end - t.begin) + 32 * N - 1) / (32 * N);
    return order().reversed ? warp_range{warps - filled, warps} : warp_range{0, filled};
  }

  // ---- where the whole of which this call is a chunk begins and ends

  /// Offsets and rows speak of the whole. From right to left its end is the last offset; rows are whole.
  __device__ __forceinline__ index_t place_in_whole(index_t n, index_t carried_items) const {
    if (!order().reversed) return carried_items;
    if constexpr (std::is_same_v<Segments, segments>)
      if (is_offsets(call.from.segments)) return offset_at(call.from.segments, call.from.segments.count - 1) - carried_items - n;
    return 0;
  }
  __device__ __forceinline__ index_t global_begin() const { return state.global_begin; }
  /// Is the first item of this call, in memory, a head?
  __device__ __forceinline__ bool begins_segment() const {
    if constexpr (std::is_same_v<Segments, segments>) {
      segments const& described = call.from.segments;
      if (!is_offsets(described)) return head_at(described, 0);
      index_t const k = first_offset_at_or_after(described, global_begin(), 0, described.count);
      return k < described.count && offset_at(described, k) == global_begin();
    } else return false;
  }

  // ---- offsets: where those of a tile begin

  __device__ __forceinline__ bool by_offsets() const {
    if constexpr (along_path) return true;
    else if constexpr (takes_offsets) return is_offsets(call.from.segments);
    else return false;
  }
  /// Boundary b, 0 <= b <= tile_count, lies before tile number b in memory order. Calls search(first, last, below) for the number
  /// of the first offset behind it.
  template <class Search>
  __device__ __forceinline__ index_t at_boundary(index_t b, Search search) const {
    if constexpr (along_path) {
      index_t first, last;
      index_t const steps = path_range(b, first, last);
      return search(first, last, [&](index_t k) { return ends_by(k, steps); });
    } else {
      segments const& s = call.from.segments;
      index_t const position = min(b * form::tile_items, n()) + order().reversed + global_begin();
      return search(0, s.count, [&](index_t k) { return offset_at(s, k) < position; });
    }
  }
  /// Along a path: between which ends the first one behind boundary b lies, and which step that is. Behind the last, if b is.
  __device__ __forceinline__ index_t path_range(index_t b, index_t& first, index_t& last) const {
    index_t const steps = min(b * form::tile_items, length(n()));
    first = max(index_t{0}, steps - n() - 1), last = min(steps, segment_count(call.from.segments));
    return steps;
  }
  /// Ends before boundary b, were all segments equally long. A guess: floats do.
  __device__ __forceinline__ index_t expected_ends(index_t b) const {
    return static_cast<index_t>(static_cast<float>(b) * form::tile_items *
                                (static_cast<float>(segment_count(call.from.segments)) / static_cast<float>(length(n()))));
  }
  __device__ __forceinline__ bool ends_by(index_t k, index_t steps) const {
    return min(max(offset_at(call.from.segments, k + 1), index_t{0}), n()) + k + 1 <= steps;
  }
  /// Before the first tile, all threads (along a path but those of the warp that moves tiles): a share of the table.
  __device__ __forceinline__ void tabulate_boundaries() const {
    count_descriptors const table{call.boundaries, state.epoch};
    constexpr int mover = along_path ? 32 : 0, threads = block_threads<form> - mover;
    int const thread = static_cast<int>(threadIdx.x) < form::threads ? threadIdx.x : threadIdx.x - mover;
    if constexpr (along_path) {
      // A short table is made by all blocks evenly, several lanes for an entry: soon, where the whole call is.
      constexpr int lanes = 8;
      index_t const b = blockIdx.x + index_t{thread / lanes} * gridDim.x, number = tile_count();
      if (number < gridDim.x * index_t{threads / lanes}) {
        index_t first[1], last[1];
        index_t const steps = path_range(b, first[0], last[0]);
        partition_points<lanes>(first, last, [&](int, index_t k) { return ends_by(k, steps); });
        if (b <= number && thread % lanes == 0) table.publish(b, status::prefix, first[0]);
        return;
      }
    }
    for (index_t b = blockIdx.x * index_t{threads} + thread; b <= tile_count(); b += gridDim.x * index_t{threads})
      table.publish(b, status::prefix, at_boundary(b, [&](index_t first, index_t last, auto const& below) {
                      if constexpr (along_path) return partition_point_near(expected_ends(b), first, last, below);
                      else return partition_point(first, last, below);
                    }));
  }
  __device__ __forceinline__ bool known_boundary(index_t b, room<index_t>& k) const {
    return count_descriptors{call.boundaries, state.epoch}.peek(b, k) != status::empty;
  }
  /// By one warp.
  __device__ __forceinline__ index_t boundary(index_t b, bool known, room<index_t> const& k) const {
    if (known) return k.value;
    return at_boundary(b, [](index_t first, index_t last, auto const& below) { return warp_partition_point(first, last, below); });
  }
  __device__ __forceinline__ index_t memory_place(index_t id) const { return order().reversed ? tile_count() - 1 - id : id; }
};

}  // namespace lookback::gpu
