// What a block knows of its call, whatever its tiles are cut from: equally many items each (item_tiles.cuh), or equally many steps
// of the merge path (path_tiles.cuh).
#pragma once
#include "../../model/tile.hpp"
#include "../../operators.hpp"
#include "../device/tile_slots.cuh"
#include "../host/scan_call.cuh"
#include "boundaries.cuh"
#include "shape.cuh"

namespace lookback::gpu {

template <class Parts, class Tiles, class Form, class State>
struct call_view {
  using Items = typename Parts::items_type;
  using Segments = typename Parts::segments_type;
  using T = typename Parts::value_type;
  using Op = typename Parts::operator_type;
  using Sink = typename Parts::sink_type;
  using Key = decltype(Parts::carried_type::last_key);
  using Out = typename Sink::value_type;
  using parts = Parts;
  using tiles_type = Tiles;
  using form = Form;
  using state_type = State;
  using call_type = scan_call<Parts, Tiles, typename Form::layout_type>;
  static constexpr int N = form::items, warps = form::warps, slots = form::slots;
  static constexpr bool is_chunk = Parts::is_chunk;
  static constexpr bool has_segments = !std::is_same_v<Segments, no_segments>;
  static constexpr int array_count = arrays_t<Items>::count;
  static constexpr int left = is_runs<Segments> ? 1 : 0, lead = lead_bytes<Segments, arrays_t<Items>>;

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
  __device__ __forceinline__ int slot(int s) const { return s * call.layout.slot_bytes; }
  __device__ __forceinline__ bool holds_tile(int s) const { return state.tile[s] < tile_count(); }
  __device__ __forceinline__ tile tile_in(int s) const {
    return {state.tile[s], state.item_begin[s], state.item_begin[s] + state.item_count[s]};
  }
  __device__ __forceinline__ std::uint32_t next_ticket(bool none) const {
    return none ? tile_count() : atomicAdd(&call.memory.state->ticket, 1u);
  }
  /// Nothing was scanned: what came in goes out.
  __device__ __forceinline__ void pass_on() const {
    if (!call.carry_out) return;
    if (call.carry_in) *call.carry_out = *call.carry_in;
    else call.carry_out->any = false, call.carry_out->count = 0;
  }
  __device__ __forceinline__ count_descriptors boundary_table() const { return {call.boundaries, state.epoch}; }
  __device__ __forceinline__ bool known_boundary(index_t b, room<index_t>& k) const {
    return boundary_table().peek(b, k) != status::empty;
  }
};

}  // namespace lookback::gpu
