// How a tile comes into a slot of shared memory, and how a thread reads its items and heads there.
//
//   tiles of items   the offsets of the tile that is reduced next have a window of their own behind the slots
//   tiles of a path  the ends of the tile lie in its slot, behind its items
#pragma once
#include "cut_tiles.cuh"

namespace lookback::gpu {

/// Warps with a task of their own between barriers A and B. The looking warp may be one more, without items.
inline constexpr int publishing_warp = 0, looking_warp = 1, moving_warp = 2, staging_warp = 3;

template <class Parts, class Tiles, class Form, class State>
struct staged_tiles : cut_tiles<Parts, Tiles, Form, State> {
  using base = cut_tiles<Parts, Tiles, Form, State>;
  using base::along_path;
  using base::boundary;
  using base::call;
  using base::global_begin;
  using base::has_segments;
  using base::holds_tile;
  using base::known_boundary;
  using base::lead;
  using base::left;
  using base::length;
  using base::memory_place;
  using base::memory_warp;
  using base::N;
  using base::n;
  using base::order;
  using base::room_of;
  using base::slot;
  using base::state;
  using base::takes_offsets;
  using base::tile_count;
  using base::tile_in;
  using base::tile_of;
  using typename base::form;
  using typename base::heads_type;
  using typename base::Items;
  using typename base::Key;
  using typename base::runs;
  using typename base::Segments;
  using typename base::T;

  /// Who stores what is gathered in a slot: with a copy engine one warp, else all threads that have items.
  struct storing {
    bool any;
    int thread, threads;
  };
  __device__ __forceinline__ static storing stores() {
    int const thread = threadIdx.x;
    if (ptx::has_copy_engine()) return {thread / 32 == moving_warp, thread % 32, 32};
    return {thread < form::threads, thread, form::threads};
  }
  __device__ __forceinline__ static bool has_items() { return !form::looks_apart || threadIdx.x < form::threads; }
  /// Barriers for which only the threads that have items wait: a warp apart passes them. Everyone has a part in every barrier:
  /// racecheck counts them, and where somebody has met fewer it sees hazards that are none.
  __device__ __forceinline__ static void sync_totals() {  // A
    if constexpr (Form::looks_apart) ptx::barrier_of<1>(block_threads<Form>);
    else __syncthreads();
  }
  __device__ __forceinline__ static void pass_totals() { ptx::barrier_pass<1>(block_threads<Form>); }
  __device__ __forceinline__ static void sync_items() {
    if constexpr (Form::looks_apart) ptx::barrier_of<2>(block_threads<Form>);
    else __syncthreads();
  }
  __device__ __forceinline__ static void pass_items() { ptx::barrier_pass<2>(block_threads<Form>); }

  // ---- offsets

  __device__ __forceinline__ static int offset_bytes(segments const& s) { return s.kind == segment_kind::offsets32 ? 4 : 8; }
  /// Bytes of `count` offsets from number `first` on.
  __device__ __forceinline__ static span_of_bytes offset_span(segments const& s, index_t first, index_t count) {
    char const* const data = static_cast<char const*>(s.data);
    int const bytes = offset_bytes(s);
    return {data + first * bytes, data + (first + count) * bytes, data, data + s.count * bytes};
  }

  /// The staging warp: the window of the tile in slot s, which is reduced next. Its offsets come by the copy engine, if they fit.
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
  /// One thread: asks for the offsets of the tile that is `prefetch` tiles behind the one in slot s, if they will be staged.
  __device__ __forceinline__ void prefetch_offsets(int s) const {
    index_t const id = index_t{state.tile[s]} + call.prefetch;
    if (id >= tile_count()) return;
    room<index_t> from, to;
    index_t const b = memory_place(id);
    bool const knows_from = known_boundary(b, from), knows_to = known_boundary(b + 1, to);
    if (!knows_from || !knows_to || from.value >= to.value) return;
    span_of_bytes const span = offset_span(call.from.segments, from.value, to.value - from.value);
    if (span.end - span.begin <= call.window_bytes) prefetch(span);
  }
  /// The moving warp: which items and ends belong to the tile in slot s.
  __device__ __forceinline__ void find_path(int s) const {
    if (!holds_tile(s)) return;
    index_t const id = state.tile[s];
    room<index_t> from, to;
    bool const knows_from = known_boundary(id, from), knows_to = known_boundary(id + 1, to);
    // Offsets that decrease could name more ends than a tile has steps: never more than its slot has room for.
    index_t const steps = min(index_t{form::tile_items}, length(n()) - id * form::tile_items);
    index_t const first = boundary(id, knows_from, from);
    index_t const last = min(max(first, boundary(id + 1, knows_to, to)), first + steps);
    if (threadIdx.x % 32 != 0) return;
    index_t const items = n(), begin = id * form::tile_items, end = min(begin + form::tile_items, length(items));
    index_t const item_begin = min(max(begin - first, index_t{0}), items);
    state.item_begin[s] = item_begin;
    state.item_count[s] = static_cast<std::int32_t>(min(max(end - last, item_begin), items) - item_begin);
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

  __device__ __forceinline__ std::uint32_t next_ticket(bool none) const {
    return none ? tile_count() : atomicAdd(&call.memory.state->ticket, 1u);
  }
  /// One thread: slot s is for the tile of this ticket, if there is one.
  __device__ __forceinline__ void take(int s, std::uint32_t ticket) const {
    state.tile[s] = ticket;
    if (along_path || ticket >= tile_count()) return;
    tile const t = tile_of(ticket);
    state.item_begin[s] = t.begin;
    state.item_count[s] = static_cast<std::int32_t>(t.end - t.begin);
  }
  /// The moving warp: the copies of the tile that has been claimed for slot s, whose last output has left it.
  __device__ __forceinline__ void bring(int s) const {
    __syncwarp();
    if constexpr (along_path) {
      find_path(s);
      __syncwarp();
    }
    if (ptx::has_copy_engine()) load(s);
    __syncwarp();
  }

  /// Starts the copies into slot s. sm_90: the moving warp; older: all threads.
  __device__ __forceinline__ void load(int s) const {
    std::uint64_t* const barrier = &state.loaded[s];
    bool const any = holds_tile(s);
    tile const t = any ? tile_in(s) : tile{0, 0, 0};
    if (ptx::has_copy_engine()) load_by_engine(s, any, t, barrier);
    else load_by_threads(s, any, t, barrier);
  }
  /// Each copy by a lane of its own, because others wait for what this warp takes for all of them. The upper half of the lanes asks
  /// for the tile that is `prefetch` tiles on: whoever claims it finds it in L2. So the latency of the memory is hidden without a
  /// ticket held or shared memory taken.
  __device__ __forceinline__ void load_by_engine(int s, bool any, tile t, std::uint64_t* barrier) const {
    static_assert(base::array_count + left + 1 <= 16, "a lane for each copy");
    int const lane = threadIdx.x % 32;
    if (!any) {
      if (lane == 0) ptx::barrier_arrive(barrier);
      return;
    }
    bool const ahead = lane >= 16;
    index_t const id = t.id + (ahead ? call.prefetch : 0);
    if (!along_path && ahead) t = tile_of(id);
    int copies = 0;
    span_of_bytes mine{};
    char* region = nullptr;
    for_each_copy(s, t, [&](char* at, span_of_bytes const& span) {
      if (copies++ == lane % 16) mine = span, region = at;
    });
    bool const has = lane % 16 < copies && id < tile_count() && !(along_path && ahead);
    auto const body = detail::copied_part(mine);
    if (has && !ahead) detail::load_edges(region, mine, body);
    std::uint32_t const bytes = has ? body.bytes : 0;
    std::uint32_t const expected = __reduce_add_sync(all_lanes, ahead ? 0 : bytes);
    __syncwarp();  // what lies at edges is there
    if (lane == 0) ptx::barrier_arrive_expecting(barrier, expected);
    __syncwarp();
    if (bytes != 0) {
      if (ahead) ptx::bulk_prefetch(body.from, bytes);
      else ptx::bulk_load(region + body.to, body.from, bytes, barrier);
    }
    if constexpr (along_path)
      if (lane == 16) prefetch_path(id);
  }
  __device__ __forceinline__ static void prefetch(span_of_bytes const& span) {
    auto const body = detail::copied_part(span);
    if (body.bytes) ptx::bulk_prefetch(body.from, body.bytes);
  }
  /// By one thread: the same for tiles of a path.
  __device__ __forceinline__ void prefetch_path(index_t id) const {
    room<index_t> from, to;
    if (id >= tile_count() || !known_boundary(id, from) || !known_boundary(id + 1, to) || to.value < from.value) return;
    index_t const items = n(), begin = min(max(id * form::tile_items - from.value, index_t{0}), items);
    index_t const end = min(max((id + 1) * form::tile_items - to.value, begin), items);
    for_each_item_copy(0, {id, begin, end}, [](char*, span_of_bytes const& span) { prefetch(span); });
    prefetch(offset_span(call.from.segments, from.value, min(to.value - from.value + 1, index_t{form::tile_items})));
  }
  __device__ __forceinline__ void load_by_threads(int s, bool any, tile t, std::uint64_t* barrier) const {
    if (any) for_each_copy(s, t, [&](char* region, span_of_bytes const& span) { start_copies(region, span, form::threads); });
    ptx::barrier_arrive_after_copies(barrier);
  }
  template <class F>
  __device__ __forceinline__ void for_each_item_copy(int s, tile t, F&& f) const {
    for_each_span<left>(
        call.from.items.arrays(), room_of(t), call.pad, t.begin, t.end, n(),
        [&](int at, span_of_bytes const& span) { f(slot_memory() + slot(s) + at, span); }, lead);
  }
  template <class F>
  __device__ __forceinline__ void for_each_copy(int s, tile t, F&& f) const {
    for_each_item_copy(s, t, f);
    if constexpr (along_path) {
      offset_window const& w = state.window[s];
      f(slot_memory() + ends_at(s, t), offset_span(call.from.segments, w.first - 1, w.count + 1));
    } else if constexpr (std::is_same_v<Segments, segments>) {
      if (staged_head_bits(call.from.segments.kind))
        f(slot_memory() + slot(s) + call.item_bytes, head_span(call.from.segments, t.begin, t.end, n(), order().reversed));
    }
  }

  // ---- heads

  __device__ __forceinline__ heads_type read_heads(int s, tile t, int place, int items) const {
    Segments const& described = call.from.segments;
    int const region = slot(s) + call.item_bytes;
    index_t const first = t.begin + order().reversed;
    heads_type heads;
    if constexpr (along_path) return among_offsets(s, t, place, items);
    else if constexpr (is_runs<Segments>) return heads_of_runs(s, t, place, items);
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
  /// All threads that have items; the bitmap is zero, before and after.
  __device__ __forceinline__ heads_type among_offsets(int s, tile t, int place, int items) const {
    heads_type heads{};
    if constexpr (takes_offsets) {
      segments const& described = call.from.segments;
      offset_window const& w = window_of(s);
      if (w.at != not_staged) {
        if (w.count == 0) return heads;
        detail::set_staged_heads(described, w, static_cast<int>(t.end - t.begin), call.bitmap_at, threadIdx.x, form::threads);
        sync_items();
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
  /// The items with which runs end, if `heads` are those with which they begin.
  __device__ __forceinline__ heads_type ends_of_runs(int s, tile t, int place, int items, heads_type const& heads) const {
    auto const keys = call.from.items.arrays();
    using key = std::remove_cvref_t<decltype(*keys.data)>;
    heads_type ends;
#pragma unroll
    for (int w = 0; w < heads.words; ++w)
      ends.word[w] = __funnelshift_r(heads.word[w], w + 1 < heads.words ? heads.word[w + 1] : 0, 1);
    if (items == 0) return ends;
    bool last = true;
    if (index_t const right = t.begin + place + items; right < n()) {
      int const at = slot(s) + lead + static_cast<int>(detail::phase_of(keys.data + t.begin)), size = sizeof(key);
      key const& mine = *slot_memory_at<key const>(at + (place + items - 1) * size);
      last = !call.from.segments.equal(mine,
                                       right < t.end ? *slot_memory_at<key const>(at + (place + items) * size) : keys.data[right]);
    }
    ends.put(items - 1, last);
    return ends;
  }
  /// From left to right.
  __device__ __forceinline__ heads_type heads_of_runs(int s, tile t, int place, int items) const {
    auto const keys = call.from.items.arrays();
    using key = std::remove_cvref_t<decltype(*keys.data)>;
    constexpr int size = sizeof(key);
    int const at = slot(s) + lead + static_cast<int>(detail::phase_of(keys.data + t.begin)) + place * size;
    auto const differ = [&](key const& a, key const& b) { return !call.from.segments.equal(a, b); };
    bool const has_left = t.begin + place > 0;
    heads_type heads{};
    if (items == N) {
      gpu::run<key, N> mine;
      mine.load(at);
      if (!has_left || differ(*slot_memory_at<key const>(at - size), mine.get(0))) heads.word[0] |= 1;
#pragma unroll
      for (int j = 1; j < N; ++j)
        if (differ(mine.get(j - 1), mine.get(j))) heads.word[j / 32] |= 1u << j % 32;
    } else {
#pragma unroll 1
      for (int j = 0; j < items; ++j)
        heads.put(j, (j == 0 && !has_left) ||
                         differ(*slot_memory_at<key const>(at + (j - 1) * size), *slot_memory_at<key const>(at + j * size)));
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
    items.load(call.from.items.arrays(), slot(s) + lead, room_of(t), call.pad, t.begin, place);
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
           static_cast<T>(
               value_at(call.from.items, call.from.items.arrays(), slot(s) + lead, room_of(t), call.pad, t.begin, place + j)));
    }
  }
  __device__ __forceinline__ T value(runs const& items, index_t begin, int j) const {
    return static_cast<T>(items.value(call.from.items, begin + j, j));
  }
};

}  // namespace lookback::gpu
