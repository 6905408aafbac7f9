// Tiles of the merge path: equally many steps each along the path that merges items and ends of segments, an end before the item at
// its position. Ten million empty segments spread over all blocks as items do. The ends of a tile lie in its slot, behind its
// values.
//
// Source: Green, McColl, Bader, GPU Merge Path, ICS 2012.
#pragma once
#include "call_view.cuh"

namespace lookback::gpu {

template <class Parts, class Tiles, class Form, class State>
struct path_tiles : call_view<Parts, Tiles, Form, State> {
  using base = call_view<Parts, Tiles, Form, State>;
  using base::call;
  using base::holds_tile;
  using base::is_chunk;
  using base::known_boundary;
  using base::n;
  using base::slot;
  using base::state;
  using base::tile_count;
  using base::tile_in;
  using typename base::form;

  // ---- which tiles there are

  /// Segments that end in the call. Of a chunk of n items from position b on these are the whole's that end in (b, b + n], and of
  /// the first chunk in [0, n]. In a chunk without items none ends. In the last one all end that are left.
  __device__ __forceinline__ index_t segment_count() const {
    if constexpr (is_chunk) return state.ends_in_chunk;
    else return call.from.segments.count - 1;
  }
  /// Which of the whole's segments ends first, and where the call begins in the whole.
  __device__ __forceinline__ index_t first_end() const {
    if constexpr (is_chunk) return state.first_of_chunk;
    else return 0;
  }
  __device__ __forceinline__ index_t begin_in_whole() const {
    if constexpr (is_chunk) return state.global_begin;
    else return 0;
  }
  /// One thread, before anything else is asked: two searches in the offsets of the whole.
  __device__ __forceinline__ void begin_chunk() const requires is_chunk {
    segments const& whole = call.from.segments;
    index_t const all = whole.count - 1, begin = call.carry_in ? call.carry_in->count : 0;
    auto const ended_by = [&](index_t position) {
      return partition_point(index_t{0}, all, [&](index_t k) { return offset_at(whole, k + 1) <= position; });
    };
    state.first_of_chunk = begin > 0 ? ended_by(begin) : 0;
    index_t const end = !call.carry_out ? all : state.n > 0 ? ended_by(begin + state.n) : 0;
    state.ends_in_chunk = max(state.first_of_chunk, end) - state.first_of_chunk;
  }
  /// What the tiles divide: items and ends of segments.
  __device__ __forceinline__ index_t length(index_t items) const { return items + segment_count(); }
  /// Items that each region of the slot has room for.
  __device__ __forceinline__ int room_of(tile t) const { return static_cast<int>(t.end - t.begin + 31) & ~31; }
  __device__ __forceinline__ static index_t place_in_whole(index_t, index_t carried_items) { return carried_items; }
  __device__ __forceinline__ offset_window const& window_of(int s) const { return state.window[s]; }

  // ---- ends: where those of a tile begin

  /// Between which ends the first one behind boundary b lies, and which step that is. Behind the last, if b is. Boundary b,
  /// 0 <= b <= tile_count, lies before tile number b.
  __device__ __forceinline__ index_t path_range(index_t b, index_t& first, index_t& last) const {
    index_t const steps = min(b * form::tile_items, length(n()));
    first = max(index_t{0}, steps - n() - 1), last = min(steps, segment_count());
    return steps;
  }
  /// Ends before boundary b, were all segments equally long. A guess: floats do.
  __device__ __forceinline__ index_t expected_ends(index_t b) const {
    return static_cast<index_t>(static_cast<float>(b) * form::tile_items *
                                (static_cast<float>(segment_count()) / static_cast<float>(length(n()))));
  }
  __device__ __forceinline__ bool ends_by(index_t k, index_t steps) const {
    index_t const at = offset_at(call.from.segments, first_end() + k + 1) - begin_in_whole();
    return min(max(at, index_t{0}), n()) + k + 1 <= steps;
  }
  /// Before the first tile, all threads but those of the warp that moves tiles: a share of the table.
  __device__ __forceinline__ void tabulate_boundaries() const {
    count_descriptors const table = base::boundary_table();
    constexpr int mover = 32, threads = block_threads<form> - mover;
    int const thread = static_cast<int>(threadIdx.x) < form::threads ? threadIdx.x : threadIdx.x - mover;
    {  // A short table is made by all blocks evenly, several lanes for an entry: soon, where the whole call is.
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
    for (index_t b = blockIdx.x * index_t{threads} + thread; b <= tile_count(); b += gridDim.x * index_t{threads}) {
      index_t first, last;
      index_t const steps = path_range(b, first, last);
      table.publish(b, status::prefix,
                    partition_point_near(expected_ends(b), first, last, [&](index_t k) { return ends_by(k, steps); }));
    }
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
    for (int t = 0; t < Number; ++t) steps[t] = path_range(index_t{tickets[t]} + half, first[t], last[t]);
    partition_points<16>(first, last, [&](int t, index_t k) { return ends_by(k, steps[t]); });
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
    span_of_bytes const span = offset_span(described, first_end() + first, last - first + 1);
    placed.items = state.item_count[s], placed.ends = static_cast<int>(last - first);
    if constexpr (form::evaluated_over >= 0) placed.values_at = placed.arrays_at[form::evaluated_over];
    else placed.values_at = in_slot;
    placed.ends_at = in_slot + room_of(t) * form::bytes_behind + phase_of<line_bytes>(span.begin) + offset_bytes(described);
    placed.origin = static_cast<std::uint32_t>(begin_in_whole() + t.begin);
    state.window[s] = {first_end() + first + 1, last - first, t.begin, placed.ends_at};
  }

  // ---- claim and load

  /// One thread: slot s is for the tile of this ticket, if there is one.
  __device__ __forceinline__ void take(int s, std::uint32_t ticket) const { state.tile[s] = ticket; }
  /// The moving warp: starts the copies of the tile that has been claimed for slot s and found.
  __device__ __forceinline__ void load(int s) const {
    std::uint64_t* const barrier = &state.loaded[s];
    bool const any = holds_tile(s);
    if (ptx::has_copy_engine()) load_by_engine(s, any, barrier);
    else load_by_threads(s, any, barrier);
  }
  /// Each copy by a lane of its own, because others wait for what this warp takes for all of them. Nothing is asked for ahead:
  /// nobody knows yet where a later tile lies.
  __device__ __forceinline__ void load_by_engine(int s, bool any, std::uint64_t* barrier) const {
    static_assert(base::array_count + 1 <= 32, "a lane for each copy");
    int const lane = threadIdx.x % 32;
    if (!any) {
      ptx::barrier_arrive(barrier);
      return;
    }
    tile const t = tile_in(s);
    int copies = 0;
    span_of_bytes mine{};
    char* region = nullptr;
    for_each_copy(s, t, [&](char* at, span_of_bytes const& span) {
      if (copies++ == lane) mine = span, region = at;
    });
    bool const has = lane < copies;
    auto const body = detail::copied_part(mine);
    if (has) detail::load_edges(region, mine, body);
    std::uint32_t const bytes = has ? body.bytes : 0;
    std::uint32_t const expected = __reduce_add_sync(all_lanes, bytes);
    // Every lane tells of what it has put at edges.
    if (lane != 0) ptx::barrier_arrive(barrier);
    if (lane == 0) ptx::barrier_arrive_expecting(barrier, expected);
    __syncwarp();
    if (bytes != 0) ptx::bulk_load_once(region + body.to, body.from, bytes, barrier);
  }
  __device__ __forceinline__ void load_by_threads(int s, bool any, std::uint64_t* barrier) const {
    int const thread = static_cast<int>(threadIdx.x) - form::threads;
    if (any) for_each_copy(s, tile_in(s), [&](char* region, span_of_bytes const& span) { start_copies(region, span, thread, 32); });
    if (thread == 0) ptx::barrier_arrive(barrier);  // tells of what it has stored itself, which copies do not
    ptx::barrier_arrive_after_copies(barrier);
  }
  template <class F>
  __device__ __forceinline__ void for_each_copy(int s, tile t, F&& f) const {
    auto const& placed = state.placed[s];
    each_array(call.from.items.arrays(), [&]<int K>(auto const* data) {
      auto const address = [&](index_t i) { return reinterpret_cast<char const*>(data + i); };
      f(slot_memory() + placed.arrays_at[K] - phase_of(data + t.begin),
        span_of_bytes{address(t.begin), address(t.end), address(0), address(n())});
    });
    offset_window const& w = state.window[s];
    span_of_bytes const span = offset_span(call.from.segments, w.first - 1, w.count + 1);
    f(slot_memory() + placed.ends_at - offset_bytes(call.from.segments) - phase_of(span.begin), span);
  }
};

}  // namespace lookback::gpu
