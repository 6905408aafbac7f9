// How a tile comes into a slot of shared memory. How it is read there: read_tiles.cuh.
//
//   tiles of items   the offsets of the tile that is reduced next have a window of their own behind the slots
//   tiles of a path  the ends of the tile lie in its slot, behind its values
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
  using base::holds_tile;
  using base::known_boundary;
  using base::lead;
  using base::left;
  using base::length;
  using base::memory_place;
  using base::n;
  using base::order;
  using base::room_of;
  using base::slot;
  using base::state;
  using base::tile_count;
  using base::tile_in;
  using base::tile_of;
  using typename base::form;
  using typename base::Items;
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
  __device__ __forceinline__ static bool has_items() { return !form::has_look_back_warp || threadIdx.x < form::threads; }
  /// Barriers for which only the threads that have items wait: a warp apart passes them. Everyone has a part in every barrier:
  /// racecheck counts them, and where somebody has met fewer it sees hazards that are none.
  __device__ __forceinline__ static void sync_totals() {  // A
    if constexpr (Form::has_look_back_warp) ptx::barrier_of(1, block_threads<Form>);
    else __syncthreads();
  }
  __device__ __forceinline__ static void pass_totals() { ptx::barrier_pass(1, block_threads<Form>); }
  /// Several between two barriers of all: each has a number of its own, or who passes two at once would be counted twice for one.
  __device__ __forceinline__ static void sync_items([[maybe_unused]] int number = 0) {
    if constexpr (Form::has_look_back_warp) ptx::barrier_of(2 + number, block_threads<Form>);
    else __syncthreads();
  }
  __device__ __forceinline__ static void pass_items(int number = 0) { ptx::barrier_pass(2 + number, block_threads<Form>); }
  /// Do all wait at barrier C, because somebody stores what others gather behind B?
  __device__ __forceinline__ static bool goes_on_together(int) { return true; }

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
    bool const knows_from = __all_sync(all_lanes, known_boundary(b, from)),
               knows_to = __all_sync(all_lanes, known_boundary(b + 1, to));
    index_t const first = boundary(b, knows_from, from), count = max(index_t{0}, boundary(b + 1, knows_to, to) - first);
    if (threadIdx.x % 32 != 0) return;
    offset_window w{first, count, t.begin + order().reversed + global_begin(), not_staged};
    std::uint64_t* const barrier = &state.offsets_loaded;
    span_of_bytes const span = offset_span(described, first, count);
    bool const fits = ptx::has_copy_engine() && span.end - span.begin + 32 <= call.layout.window_bytes;
    if (fits) w.at = call.layout.window_at + phase_of(span.begin);
    state.window[0] = w;
    if (fits && count > 0) {
      char* const region = slot_memory() + call.layout.window_at;
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
    index_t const id = index_t{state.tile[s]} + call.layout.prefetch;
    if (id >= tile_count()) return;
    room<index_t> from, to;
    index_t const b = memory_place(id);
    bool const knows_from = known_boundary(b, from), knows_to = known_boundary(b + 1, to);
    if (!knows_from || !knows_to || from.value >= to.value) return;
    span_of_bytes const span = offset_span(call.from.segments, from.value, to.value - from.value);
    if (span.end - span.begin <= call.layout.window_bytes) prefetch(span);
  }
  /// Where the ends of a tile begin, and, in odd lanes, those of the next one, as the table tells if it does.
  struct path_bound {
    room<index_t> place;
    bool known;
  };
  /// Every lane calls, and all get the same.
  __device__ __forceinline__ static bool are_known(path_bound bounds) { return (__ballot_sync(all_lanes, bounds.known) & 3) == 3; }
  __device__ __forceinline__ path_bound ask_path(std::uint32_t ticket) const {
    path_bound asked;
    asked.known = ticket < tile_count() && known_boundary(ticket + threadIdx.x % 2, asked.place);
    return asked;
  }
  /// The moving warp: the same, searched for, of several tiles at once.
  template <int Number>
  __device__ __forceinline__ void search_path(std::uint32_t const (&tickets)[Number], path_bound (&found)[Number]) const {
    index_t first[Number], last[Number], steps[Number];
    int const half = threadIdx.x / 16 % 2;
#pragma unroll
    for (int t = 0; t < Number; ++t) steps[t] = base::path_range(index_t{tickets[t]} + half, first[t], last[t]);
    partition_points<16>(first, last, [&](int t, index_t k) { return base::ends_by(k, steps[t]); });
#pragma unroll
    for (int t = 0; t < Number; ++t)
      found[t].known = true, found[t].place.value = __shfl_sync(all_lanes, first[t], threadIdx.x % 2 * 16);
  }
  /// The moving warp: which items and ends belong to the tile in slot s, whose bounds these are, and where they will lie; `apart`
  /// is which of the regions apart is for it.
  __device__ __forceinline__ void find_path(int s, int region, path_bound bounds) const {
    if (!holds_tile(s)) return;
    index_t const id = state.tile[s];
    room<index_t> from, to;
    from.value = __shfl_sync(all_lanes, bounds.place.value, 0), to.value = __shfl_sync(all_lanes, bounds.place.value, 1);
    // Offsets that decrease could name more ends than a tile has steps: never more than its slot has room for.
    index_t const steps = min(index_t{form::tile_items}, length(n()) - id * form::tile_items);
    index_t const first = from.value, last = min(max(first, to.value), first + steps);
    if (threadIdx.x % 32 != 0) return;
    index_t const items = n(), begin = id * form::tile_items, end = min(begin + form::tile_items, length(items));
    index_t const item_begin = min(max(begin - first, index_t{0}), items);
    state.item_begin[s] = item_begin;
    state.item_count[s] = static_cast<std::int32_t>(min(max(end - last, item_begin), items) - item_begin);
    tile const t = tile_in(s);
    auto& placed = state.placed[s];
    int in_slot = slot(s), beside = call.layout.input_regions_at + region * call.layout.input_region_bytes;
    each_array(call.from.items.arrays(), [&]<int K>(auto const* data) {
      int& at = form::template only_made_of<K> && call.layout.input_region_bytes > 0 ? beside : in_slot;
      placed.arrays_at[K] = at + phase_of<line_bytes>(data + t.begin);
      at += region_bytes<std::remove_cvref_t<decltype(*data)>>(room_of(t), call.layout.pad);
    });
    // The offset before the first end is staged too: where the first segment begins.
    segments const& described = call.from.segments;
    span_of_bytes const span = offset_span(described, first, last - first + 1);
    placed.items = state.item_count[s], placed.ends = static_cast<int>(last - first);
    if constexpr (form::evaluated_over >= 0) placed.values_at = placed.arrays_at[form::evaluated_over];
    else placed.values_at = in_slot;
    placed.ends_at = in_slot + room_of(t) * form::bytes_behind + phase_of<line_bytes>(span.begin) + offset_bytes(described);
    placed.origin = static_cast<std::uint32_t>(t.begin);
    state.window[s] = {first + 1, last - first, t.begin, placed.ends_at};
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
    if (ptx::has_copy_engine()) load(s);
    __syncwarp();
  }

  /// What describes the heads of tile t where it is read in memory, and not staged: keys and wide flags. Else nothing.
  __device__ __forceinline__ span_of_bytes unstaged_heads([[maybe_unused]] tile t) const {
    [[maybe_unused]] auto const span = [&](char const* data, int bytes) {
      return span_of_bytes{data + t.begin * bytes, data + t.end * bytes, data, data + n() * bytes};
    };
    if constexpr (is_key_segments<Segments>) {
      auto const& keys = call.from.segments;
      return span(reinterpret_cast<char const*>(keys.data), sizeof(*keys.data));
    } else if constexpr (std::is_same_v<Segments, segments>) {
      segments const& described = call.from.segments;
      if (int const bytes = head_bytes_in_memory(described.kind)) return span(static_cast<char const*>(described.data), bytes);
    }
    return {};
  }
  /// Starts the copies into slot s. sm_90, and along a path: the moving warp; else all threads.
  __device__ __forceinline__ void load(int s) const {
    std::uint64_t* const barrier = &state.loaded[s];
    bool const any = holds_tile(s);
    tile const t = any ? tile_in(s) : tile{0, 0, 0};
    if (ptx::has_copy_engine()) load_by_engine(s, any, t, barrier);
    else load_by_threads(s, any, t, barrier);
  }
  /// Each copy by a lane of its own, because others wait for what this warp takes for all of them. The upper half of the lanes asks
  /// for the tile that is `prefetch` tiles on: whoever claims it finds it in L2. So the latency of the memory is hidden without a
  /// ticket held or shared memory taken. Not along a path, where nobody knows yet where that tile lies.
  __device__ __forceinline__ void load_by_engine(int s, bool any, tile t, std::uint64_t* barrier) const {
    static_assert(base::array_count + left + 1 <= 16, "a lane for each copy");
    int const lane = threadIdx.x % 32;
    if (!any) {
      if (along_path || lane == 0) ptx::barrier_arrive(barrier);
      return;
    }
    bool const ahead = !along_path && lane >= 16;
    int const copy = along_path ? lane : lane % 16;
    index_t id = t.id;
    if constexpr (!along_path) id += ahead ? call.layout.prefetch : 0;
    if (ahead) t = tile_of(id);
    int copies = 0;
    span_of_bytes mine{};
    char* region = nullptr;
    for_each_copy(s, t, [&](char* at, span_of_bytes const& span) {
      if (copies++ == copy) mine = span, region = at;
    });
    if (ahead && copies++ == copy) mine = unstaged_heads(t);
    bool const has = copy < copies && id < tile_count();
    auto const body = detail::copied_part(mine);
    if (has && !ahead) detail::load_edges(region, mine, body);
    std::uint32_t const bytes = has ? body.bytes : 0;
    std::uint32_t const expected = __reduce_add_sync(all_lanes, ahead ? 0 : bytes);
    if constexpr (along_path) {  // every lane tells of what it has put at edges
      if (lane != 0) ptx::barrier_arrive(barrier);
    } else {
      __syncwarp();  // what lies at edges is there
    }
    if (lane == 0) ptx::barrier_arrive_expecting(barrier, expected);
    __syncwarp();
    if (bytes != 0) {
      if (ahead) ptx::bulk_prefetch(body.from, bytes);
      else if (along_path) ptx::bulk_load_once(region + body.to, body.from, bytes, barrier);
      else ptx::bulk_load(region + body.to, body.from, bytes, barrier);
    }
  }
  __device__ __forceinline__ static void prefetch(span_of_bytes const& span) {
    auto const body = detail::copied_part(span);
    if (body.bytes) ptx::bulk_prefetch(body.from, body.bytes);
  }
  __device__ __forceinline__ void load_by_threads(int s, bool any, tile t, std::uint64_t* barrier) const {
    constexpr int threads = along_path ? 32 : form::threads;  // the mover alone
    int const thread = along_path ? static_cast<int>(threadIdx.x) - form::threads : static_cast<int>(threadIdx.x);
    if (any) for_each_copy(s, t, [&](char* region, span_of_bytes const& span) { start_copies(region, span, thread, threads); });
    if (along_path && thread == 0) ptx::barrier_arrive(barrier);  // tells of what it has stored itself, which copies do not
    ptx::barrier_arrive_after_copies(barrier);
  }
  template <class F>
  __device__ __forceinline__ void for_each_copy(int s, tile t, F&& f) const {
    if constexpr (along_path) {
      auto const& placed = state.placed[s];
      each_array(call.from.items.arrays(), [&]<int K>(auto const* data) {
        auto const address = [&](index_t i) { return reinterpret_cast<char const*>(data + i); };
        f(slot_memory() + placed.arrays_at[K] - phase_of(data + t.begin),
          span_of_bytes{address(t.begin), address(t.end), address(0), address(n())});
      });
      offset_window const& w = state.window[s];
      span_of_bytes const span = offset_span(call.from.segments, w.first - 1, w.count + 1);
      f(slot_memory() + placed.ends_at - offset_bytes(call.from.segments) - phase_of(span.begin), span);
    } else {
      for_each_span<left>(
          call.from.items.arrays(), room_of(t), call.layout.pad, t.begin, t.end, n(),
          [&](int at, span_of_bytes const& span) { f(slot_memory() + slot(s) + at, span); }, lead);
      if constexpr (std::is_same_v<Segments, segments>)
        if (staged_head_bits(call.from.segments.kind))
          f(slot_memory() + slot(s) + call.layout.item_bytes, head_span(call.from.segments, t.begin, t.end, n(), order().reversed));
    }
  }
};

}  // namespace lookback::gpu
