// The part of a block's work that is the same for every sink: which tiles there are, how one is claimed, how its arrays come into a
// slot, where its segments begin.
//
//   tiles of items   equally many items each; the window of offsets is staged when a tile is about to be reduced
//   tiles of a path  equally many steps each along the path that merges items and ends of segments, an end before the item at its
//                    position: ten million empty segments spread over all blocks as items do (Green, McColl, Bader, GPU Merge
//                    Path, ICS 2012). The ends of the tile are staged in its slot, behind its items.
#pragma once
#include "../operators.hpp"
#include "../tile.hpp"
#include "boundaries.cuh"
#include "scan_call.cuh"
#include "shape.cuh"
#include "tile_slots.cuh"

namespace lookback::gpu {

/// Warps with a task of their own between barriers A and B.
inline constexpr int publishing_warp = 0, looking_warp = 1, moving_warp = 2, prefetching_warp = 3;

template <class Parts, class Tiles, class Form, class State>
struct staged_tiles {
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
  using call_type = scan_call<Parts, Tiles>;
  static constexpr int N = form::items, warps = form::warps, slots = form::slots;
  static constexpr bool along_path = form::along_path;
  static constexpr bool has_segments = !std::is_same_v<Segments, no_segments>;
  static constexpr bool takes_offsets = std::is_same_v<Segments, segments>;
  static constexpr int array_count = arrays_t<Items>::count;

  template <class... Ts>
  static staged_runs<N, Ts...> runs_of(arrays<Ts...>);
  using runs = decltype(runs_of(arrays_t<Items>{}));
  using heads_type = head_bits<has_segments ? N : 1>;

  call_type const& call;
  State& state;

  __device__ __forceinline__ index_t n() const { return state.n; }
  __device__ __forceinline__ std::uint32_t tile_count() const { return state.tile_count; }
  __device__ __forceinline__ scan_order order() const { return {call.reversed}; }
  __device__ __forceinline__ directed<Op> op() const { return {call.op, call.reversed}; }
  __device__ __forceinline__ Tiles tiles() const {
    Tiles d = call.tiles;
    d.epoch = state.epoch;
    return d;
  }
  __device__ __forceinline__ int memory_warp() const { return threadIdx.x / 32; }
  __device__ __forceinline__ int scan_warp() const { return order().reversed ? warps - 1 - memory_warp() : memory_warp(); }
  __device__ __forceinline__ int slot(int s) const { return s * call.slot_bytes; }
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
    if constexpr (along_path) return {state.tile[s], state.item_begin[s], state.item_end[s]};
    else return tile_of(state.tile[s]);
  }
  /// Items that each region of the slot has room for.
  __device__ __forceinline__ int room_of(tile t) const {
    if constexpr (along_path) return static_cast<int>(t.end - t.begin + 31) & ~31;
    else return form::tile_items;
  }
  __device__ __forceinline__ int items_of_thread(tile t) const {
    return static_cast<int>(min(index_t{N}, max(index_t{0}, t.end - t.begin - static_cast<int>(threadIdx.x) * N)));
  }
  /// The warps of a tile that hold items, in scan order: [first, end).
  struct warp_range {
    int first, end;
  };
  __device__ __forceinline__ warp_range filled_warps(tile t) const {
    int const filled = static_cast<int>((t.end - t.begin + 32 * N - 1) / (32 * N));
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
    segments const& s = call.from.segments;
    if constexpr (along_path) {
      index_t const steps = min(b * form::tile_items, length(n())), items = n();
      index_t const first = max(index_t{0}, steps - items - 1), last = min(steps, segment_count(s));
      return search(first, last, [&](index_t k) { return min(max(offset_at(s, k + 1), index_t{0}), items) + k + 1 <= steps; });
    } else {
      index_t const position = min(b * form::tile_items, n()) + order().reversed + global_begin();
      return search(0, s.count, [&](index_t k) { return offset_at(s, k) < position; });
    }
  }
  /// Before the first tile, all threads: a share of the table.
  __device__ __forceinline__ void tabulate_boundaries() const {
    count_descriptors const table{call.boundaries, state.epoch};
    for (index_t b = blockIdx.x * index_t{form::threads} + threadIdx.x; b <= tile_count(); b += gridDim.x * index_t{form::threads})
      table.publish(b, status::prefix, at_boundary(b, [](index_t first, index_t last, auto const& below) {
                      return partition_point(first, last, below);
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

  __device__ __forceinline__ static int offset_bytes(segments const& s) { return s.kind == segment_kind::offsets32 ? 4 : 8; }
  /// Bytes of `count` offsets from number `first` on.
  __device__ __forceinline__ static span_of_bytes offset_span(segments const& s, index_t first, index_t count) {
    char const* const data = static_cast<char const*>(s.data);
    int const bytes = offset_bytes(s);
    return {data + first * bytes, data + (first + count) * bytes, data, data + s.count * bytes};
  }

  /// The moving warp: the window of the tile in slot s, which is reduced next. Its offsets come by the copy engine, if they fit.
  __device__ __forceinline__ void stage_offsets(int s) const {
    if (!holds_tile(s)) return;
    segments const& described = call.from.segments;
    tile const t = tile_in(s);
    index_t const b = memory_place(t.id);
    room<index_t> from, to;
    bool const knows_from = known_boundary(b, from), knows_to = known_boundary(b + 1, to);
    index_t const first = boundary(b, knows_from, from), count = max(index_t{0}, boundary(b + 1, knows_to, to) - first);
    if (threadIdx.x % 32 != 0) return;
    offset_window w{first, count, t.begin + order().reversed + global_begin(), not_staged};
    std::uint64_t* const barrier = &state.offsets_loaded;
    span_of_bytes const span = offset_span(described, first, count);
    bool const fits = ptx::has_copy_engine() && span.end - span.begin + 32 <= call.window_bytes;
    if (fits) w.at = call.window_at + static_cast<int>(detail::phase_of(span.begin));
    state.window[0] = w;
    if (fits && count > 0) {
      char* const region = slot_memory() + call.window_at;
      auto const body = detail::copied_part(span);
      detail::load_edges(region, span, body);
      ptx::barrier_arrive_expecting(barrier, body.bytes);
      if (body.bytes) ptx::bulk_load(region + body.to, body.from, body.bytes, barrier);
    } else {
      ptx::barrier_arrive(barrier);
    }
  }
  /// One thread: asks for the offsets of the tile that is `prefetch` tiles behind the one in slot s.
  __device__ __forceinline__ void prefetch_offsets(int s) const {
    index_t const id = index_t{state.tile[s]} + call.prefetch;
    if (id >= tile_count()) return;
    room<index_t> from, to;
    index_t const b = memory_place(id);
    bool const knows_from = known_boundary(b, from), knows_to = known_boundary(b + 1, to);
    if (knows_from && knows_to && from.value < to.value)
      prefetch(offset_span(call.from.segments, from.value, to.value - from.value));
  }
  /// The moving warp: which items and ends belong to the tile in slot s.
  __device__ __forceinline__ void find_path(int s) const {
    if (!holds_tile(s)) return;
    index_t const id = state.tile[s];
    room<index_t> from, to;
    bool const knows_from = known_boundary(id, from), knows_to = known_boundary(id + 1, to);
    index_t const first = boundary(id, knows_from, from), last = max(first, boundary(id + 1, knows_to, to));
    if (threadIdx.x % 32 != 0) return;
    index_t const items = n(), begin = id * form::tile_items, end = min(begin + form::tile_items, length(items));
    state.item_begin[s] = min(max(begin - first, index_t{0}), items);
    state.item_end[s] = min(max(end - last, state.item_begin[s]), items);
    tile const t = tile_in(s);
    // The offset before the first end is staged too: where the first segment begins.
    span_of_bytes const span = offset_span(call.from.segments, first, last - first + 1);
    state.window[s] = {first + 1, last - first, t.begin,
                       ends_at(s, t) + static_cast<int>(detail::phase_of(span.begin)) + offset_bytes(call.from.segments)};
  }
  /// Behind the items of a tile that is cut along the path, and behind what is scanned of them.
  __device__ __forceinline__ int ends_at(int s, tile t) const {
    int const room = room_of(t);
    int const arrays = detail::slot_bytes_of_arrays(arrays_t<Items>{}, room, call.pad);
    return slot(s) + max(arrays, region_bytes<T>(room, 0));
  }
  __device__ __forceinline__ offset_window const& window_of(int s) const { return state.window[along_path ? s : 0]; }

  // ---- claim and load

  __device__ __forceinline__ void claim(int s, bool none) const {
    state.tile[s] = none ? tile_count() : atomicAdd(&call.memory.state->ticket, 1u);
  }
  /// The moving warp: the next tile into slot s, whose last output has left it.
  __device__ __forceinline__ void bring(int s, bool none) const {
    if (threadIdx.x % 32 == 0) {
      claim(s, none);
      if (!along_path && ptx::has_copy_engine()) load(s);
    }
    __syncwarp();
    if constexpr (along_path) {
      find_path(s);
      __syncwarp();
      if (ptx::has_copy_engine() && threadIdx.x % 32 == 0) load(s);
    }
  }

  /// Starts the copies into slot s. sm_90: one thread; older: all threads.
  __device__ __forceinline__ void load(int s) const {
    std::uint64_t* const barrier = &state.loaded[s];
    bool const any = holds_tile(s);
    tile const t = any ? tile_in(s) : tile{0, 0, 0};
    if (ptx::has_copy_engine()) load_by_engine(s, any, t, barrier);
    else load_by_threads(s, any, t, barrier);
  }
  __device__ __forceinline__ void load_by_engine(int s, bool any, tile t, std::uint64_t* barrier) const {
    if (!any) return ptx::barrier_arrive(barrier);
    // Whoever claims the tile that is `prefetch` tiles on finds it in L2: the latency of the memory is hidden without a ticket held
    // or shared memory taken.
    prefetch_tile(t.id + call.prefetch);
    std::uint32_t expected = 0;
    for_each_copy(s, t, [&](char*, span_of_bytes const& span) { expected += detail::copied_part(span).bytes; });
    for_each_copy(s, t,
                  [&](char* region, span_of_bytes const& span) { detail::load_edges(region, span, detail::copied_part(span)); });
    ptx::barrier_arrive_expecting(barrier, expected);
    for_each_copy(s, t, [&](char* region, span_of_bytes const& span) {
      auto const body = detail::copied_part(span);
      if (body.bytes) ptx::bulk_load(region + body.to, body.from, body.bytes, barrier);
    });
  }
  __device__ __forceinline__ static void prefetch(span_of_bytes const& span) {
    auto const body = detail::copied_part(span);
    if (body.bytes) ptx::bulk_prefetch(body.from, body.bytes);
  }
  __device__ __forceinline__ void prefetch_tile(index_t id) const {
    if (id >= tile_count()) return;
    auto const ask = [](char*, span_of_bytes const& span) { prefetch(span); };
    if constexpr (along_path) {
      room<index_t> from, to;
      if (!known_boundary(id, from) || !known_boundary(id + 1, to) || to.value < from.value) return;
      index_t const items = n(), begin = min(max(id * form::tile_items - from.value, index_t{0}), items);
      index_t const end = min(max((id + 1) * form::tile_items - to.value, begin), items);
      for_each_item_copy(0, {id, begin, end}, ask);
      prefetch(offset_span(call.from.segments, from.value, to.value - from.value + 1));
    } else {
      for_each_copy(0, tile_of(id), ask);
    }
  }
  __device__ __forceinline__ void load_by_threads(int s, bool any, tile t, std::uint64_t* barrier) const {
    if (any) for_each_copy(s, t, [&](char* region, span_of_bytes const& span) { start_copies(region, span); });
    ptx::barrier_arrive_after_copies(barrier);
  }
  template <class F>
  __device__ __forceinline__ void for_each_item_copy(int s, tile t, F&& f) const {
    for_each_span(call.from.items.arrays(), room_of(t), call.pad, t.begin, t.end, n(),
                  [&](int at, span_of_bytes const& span) { f(slot_memory() + slot(s) + at, span); });
  }
  template <class F>
  __device__ __forceinline__ void for_each_copy(int s, tile t, F&& f) const {
    for_each_item_copy(s, t, f);
    if constexpr (along_path) {
      offset_window const& w = state.window[s];
      f(slot_memory() + ends_at(s, t), offset_span(call.from.segments, w.first - 1, w.count + 1));
    } else if constexpr (std::is_same_v<Segments, segments>) {
      if (staged_head_bits(call.from.segments.kind))
        f(slot_memory() + slot(s) + call.item_bytes, head_span(call.from.segments, t.begin, t.end, n()));
    }
  }

  // ---- heads

  __device__ __forceinline__ heads_type read_heads(int s, tile t, int place, int items) const {
    Segments const& described = call.from.segments;
    int const region = slot(s) + call.item_bytes;
    index_t const first = t.begin + order().reversed;
    heads_type heads;
    if constexpr (along_path) return among_offsets(s, t, place, items);
    else if constexpr (std::is_same_v<Segments, segments>) {
      switch (described.kind) {
        case segment_kind::flags8:
          heads =
              detail::read_flags<N>(region + static_cast<int>(detail::phase_of(static_cast<char const*>(described.data) + t.begin)),
                                    place + order().reversed);
          break;
        case segment_kind::bits:
          heads = detail::read_bits<N>(
              region + static_cast<int>(detail::phase_of(static_cast<char const*>(described.data) + t.begin / 8)),
              place + order().reversed);
          break;
        case segment_kind::rows:
          heads = detail::row_heads<N>(described.count, first + place + global_begin());
          break;
        case segment_kind::offsets32:
        case segment_kind::offsets64:
          heads = among_offsets(s, t, place, items);
          break;
        default:
          heads = by_ballot(described, region, first, place);
      }
    } else {
      heads = by_ballot(described, region, first, place);
    }
    heads.keep(items);
    if (order().reversed) {
      if (t.end == n() && place < n() - t.begin && n() - t.begin <= place + N)
        heads.put(static_cast<int>(n() - t.begin) - 1 - place, !state.continues || edge_key_differs());
    } else if (t.begin == 0 && place == 0) {
      if (!state.continues) heads.put(0, true);
      else if (edge_key_differs()) heads.put(0, true);
    }
    return heads;
  }
  /// All threads; the bitmap is zero, before and after.
  __device__ __forceinline__ heads_type among_offsets(int s, tile t, int place, int items) const {
    heads_type heads{};
    if constexpr (takes_offsets) {
      segments const& described = call.from.segments;
      offset_window const& w = window_of(s);
      if (w.at != not_staged) {
        if (w.count == 0) return heads;
        detail::set_staged_heads(described, w, static_cast<int>(t.end - t.begin), call.bitmap_at, threadIdx.x, form::threads);
        __syncthreads();
        heads = detail::read_bits<N>(call.bitmap_at, place);
        __syncwarp();
        auto* const mine = slot_memory_at<std::uint32_t>(call.bitmap_at) + memory_warp() * N;
        for (int v = threadIdx.x % 32; v < N; v += 32) mine[v] = 0;
      } else if (items > 0) {
        detail::each_head(described, w, place, place + items, [&](int at) { heads.put(at - place, true); });
      }
    }
    return heads;
  }
  __device__ __forceinline__ heads_type by_ballot(Segments const& described, int region, index_t first, int place) const {
    auto* const bitmap = slot_memory_at<std::uint32_t>(region) + memory_warp() * N;
    detail::ballot<N>(described, bitmap, first + memory_warp() * 32 * N, n());
    __syncwarp();
    auto const heads = detail::read_bits<N>(region, place);
    __syncwarp();
    return heads;
  }
  /// With keys and a carry: is the item next to the chunk of another key?
  __device__ __forceinline__ bool edge_key_differs() const {
    index_t const edge = order().reversed ? n() - 1 : 0;
    if constexpr (is_key_segments<Segments>) {
      auto const& s = call.from.segments;
      if constexpr (std::is_same_v<Key, std::remove_cvref_t<decltype(*s.data)>>)
        return order().reversed ? !s.equal(s.data[edge], call.carry_in->last_key) : !s.equal(call.carry_in->last_key, s.data[edge]);
    } else if constexpr (has_segments && std::is_arithmetic_v<Key> && !std::is_same_v<Key, char>) {
      if (is_keys(call.from.segments)) return !(static_cast<Key const*>(call.from.segments.data)[edge] == call.carry_in->last_key);
    }
    return false;
  }

  // ---- items

  __device__ __forceinline__ void load_items(runs& items, int s, tile t, int place) const {
    items.load(call.from.items.arrays(), slot(s), room_of(t), call.pad, t.begin, place);
  }
  /// Calls step(j, first) for the items of a full thread in scan order, unrolled: j is a constant.
  template <class Step>
  __device__ __forceinline__ void each_item(Step&& step) const {
    if (order().reversed) {
#pragma unroll
      for (int j = N - 1; j >= 0; --j) step(j, j == N - 1);
    } else {
#pragma unroll
      for (int j = 0; j < N; ++j) step(j, j == 0);
    }
  }
  /// The same for a thread of `items` items.
  template <class Step>
  __device__ __forceinline__ void each_item_of(int items, Step&& step) const {
    if (items == N) return each_item(step);
    int const last = items - 1;
    bool const reversed = order().reversed;
    each_item([&](int j, bool) {
      if (j <= last) step(j, j == (reversed ? last : 0));
    });
  }
  /// The same for the one thread of a call whose run is short, straight from the slot: step(j, first, x).
  template <class Step>
  __device__ __forceinline__ void each_item_of_short_run(int s, tile t, int place, int items, Step&& step) const {
#pragma unroll 1
    for (int k = 0; k < items; ++k) {
      int const j = order().reversed ? items - 1 - k : k;
      step(j, k == 0,
           static_cast<T>(value_at(call.from.items, call.from.items.arrays(), slot(s), room_of(t), call.pad, t.begin, place + j)));
    }
  }
  __device__ __forceinline__ T value(runs const& items, index_t begin, int j) const {
    return static_cast<T>(items.value(call.from.items, begin + j, j));
  }
};

}  // namespace lookback::gpu
