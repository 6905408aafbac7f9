// Tiles of equally many items: which items and offsets belong to one, and how it comes into a slot of shared memory. How it is read
// there: read_tiles.cuh. The offsets of the tile that is reduced next have a window of their own behind the slots.
#pragma once
#include "../strategies/prefix_exchange.cuh"
#include "call_view.cuh"

namespace lookback::gpu {

/// Warps with a task of their own between barriers A and B. The looking warp may be one more, without items.
inline constexpr int publishing_warp = 0, looking_warp = 1, moving_warp = 2, staging_warp = 3;

template <class Parts, class Tiles, class Form, class State>
struct item_tiles : call_view<Parts, Tiles, Form, State> {
  using base = call_view<Parts, Tiles, Form, State>;
  using base::call;
  using base::has_segments;
  using base::holds_tile;
  using base::known_boundary;
  using base::lead;
  using base::left;
  using base::N;
  using base::n;
  using base::order;
  using base::slot;
  using base::state;
  using base::tile_count;
  using base::tile_in;
  using base::warps;
  using typename base::form;
  using typename base::Items;
  using typename base::Segments;
  using typename base::T;
  static constexpr bool takes_offsets = std::is_same_v<Segments, segments> && form::may_take_offsets;

  template <class... Ts>
  static staged_runs<N, Ts...> runs_of(arrays<Ts...>);
  using runs = decltype(runs_of(arrays_t<Items>{}));
  using heads_type = head_bits<has_segments ? N : 1>;

  __device__ __forceinline__ int memory_warp() const { return threadIdx.x / 32; }
  __device__ __forceinline__ int scan_warp() const { return order().reversed ? warps - 1 - memory_warp() : memory_warp(); }

  // ---- which tiles there are

  /// What the tiles divide.
  __device__ __forceinline__ index_t length(index_t items) const { return items; }
  __device__ __forceinline__ tile tile_of(index_t id) const { return tile_at(id, n(), form::tile_items, order().reversed); }
  /// Items that each region of the slot has room for.
  __device__ __forceinline__ int room_of(tile) const { return form::tile_items; }
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
  __device__ __forceinline__ index_t memory_place(index_t id) const { return order().reversed ? tile_count() - 1 - id : id; }

  // ---- where the whole of which this call is a chunk begins and ends

  /// Offsets and rows speak of the whole. From right to left its end is the last offset; of whole rows only the place in a row
  /// matters.
  __device__ __forceinline__ index_t place_in_whole(index_t items, index_t carried_items) const {
    if (!order().reversed) return carried_items;
    if constexpr (std::is_same_v<Segments, segments>) {
      segments const& described = call.from.segments;
      if (is_offsets(described)) return offset_at(described, described.count - 1) - carried_items - items;
      bool const is_cut = call.carry_in || call.carry_out;
      if (is_cut && described.kind == segment_kind::rows)
        return (described.count - (carried_items + items) % described.count) % described.count;
    }
    return 0;
  }
  __device__ __forceinline__ index_t global_begin() const { return state.global_begin; }
  /// Is the first item of this call, in memory, a head?
  __device__ __forceinline__ bool begins_segment() const {
    if constexpr (std::is_same_v<Segments, segments>) {
      segments const& described = call.from.segments;
      if (!is_offsets(described)) return head_at(described, global_begin());
      index_t const k = first_offset_at_or_after(described, global_begin(), 0, described.count);
      return k < described.count && offset_at(described, k) == global_begin();
    } else return false;
  }

  // ---- offsets: where those of a tile begin

  __device__ __forceinline__ bool by_offsets() const {
    if constexpr (takes_offsets) return is_offsets(call.from.segments);
    else return false;
  }
  /// Boundary b, 0 <= b <= tile_count, lies before tile number b in memory order. Calls search(first, last, below) for the number
  /// of the first offset behind it.
  template <class Search>
  __device__ __forceinline__ index_t at_boundary(index_t b, Search search) const {
    segments const& s = call.from.segments;
    index_t const position = min(b * form::tile_items, n()) + order().reversed + global_begin();
    return search(0, s.count, [&](index_t k) { return offset_at(s, k) < position; });
  }
  /// Before the first tile, all threads: a share of the table.
  __device__ __forceinline__ void tabulate_boundaries() const {
    constexpr int threads = block_threads<form>;
    for (index_t b = blockIdx.x * index_t{threads} + static_cast<int>(threadIdx.x); b <= tile_count();
         b += gridDim.x * index_t{threads})
      base::boundary_table().publish(b, status::prefix, at_boundary(b, [](index_t first, index_t last, auto const& below) {
                                       return partition_point(first, last, below);
                                     }));
  }
  /// By one warp.
  __device__ __forceinline__ index_t boundary(index_t b, bool known, room<index_t> const& k) const {
    if (known) return k.value;
    return at_boundary(b, [](index_t first, index_t last, auto const& below) { return warp_partition_point(first, last, below); });
  }

  // ---- who does what between barriers

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
  /// Warps that look back for a tile together: the looking warp or the one apart, and the last warps that have items and no other
  /// task.
  template <class Exchange>
  static constexpr int lookers = 1 + std::min(Exchange::looking_warps - 1, std::max(0, warps - 1 - staging_warp));
  /// 0: the one that publishes, and stores the prefix; more: it helps; less: it has no part in it.
  template <class Exchange>
  __device__ __forceinline__ static int looker() {
    int const warp = threadIdx.x / 32;
    if (warp == (form::has_look_back_warp ? warps : looking_warp)) return 0;
    int const helper = warp - (warps - lookers<Exchange>);
    return (lookers<Exchange>) > 1 && helper > 0 ? helper : -1;
  }
  template <class Exchange>
  __device__ __forceinline__ static bool looks_back() {
    return looker<Exchange>() >= 0;
  }
  template <class Exchange>
  __device__ __forceinline__ static bool helps_to_look_back() {
    if constexpr (lookers<Exchange> == 1) return false;
    else return looker<Exchange>() != 0;
  }
  template <class Exchange>
  __device__ __forceinline__ exchange_call call_of_looker() const {
    exchange_call of{call.memory.state, tile_count()};
    constexpr bool several = (lookers<Exchange>) > 1;
    if constexpr (several) of.warp = looker<Exchange>(), of.warps = lookers<Exchange>;
    return of;
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

  // ---- offsets: how they come into their window

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
  __device__ __forceinline__ offset_window const& window() const { return state.window[0]; }

  // ---- claim and load

  /// Do tiles come by the copy engine? Else all threads that have items bring them.
  __device__ __forceinline__ static bool loads_by_engine() { return ptx::has_copy_engine() && !Form::loads::by_threads; }
  /// One thread: slot s is for the tile of this ticket, if there is one.
  __device__ __forceinline__ void take(int s, std::uint32_t ticket) const {
    state.tile[s] = ticket;
    if (ticket >= tile_count()) return;
    tile const t = tile_of(ticket);
    state.item_begin[s] = t.begin;
    state.item_count[s] = static_cast<std::int32_t>(t.end - t.begin);
  }
  /// The moving warp: the copies of the tile that has been claimed for slot s, whose last output has left it.
  __device__ __forceinline__ void bring(int s) const {
    __syncwarp();
    if (loads_by_engine()) load(s);
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
  /// Starts the copies into slot s. By the copy engine: the moving warp; else all threads.
  __device__ __forceinline__ void load(int s) const {
    std::uint64_t* const barrier = &state.loaded[s];
    bool const any = holds_tile(s);
    tile const t = any ? tile_in(s) : tile{0, 0, 0};
    if (loads_by_engine()) load_by_engine(s, any, t, barrier);
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
    int const copy = lane % 16;
    index_t const id = t.id + (ahead ? call.layout.prefetch : 0);
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
    __syncwarp();  // what lies at edges is there
    if (lane == 0) ptx::barrier_arrive_expecting(barrier, expected);
    __syncwarp();
    if (bytes != 0) {
      if (ahead) ptx::bulk_prefetch(body.from, bytes);
      else ptx::bulk_load(region + body.to, body.from, bytes, barrier);
    }
  }
  __device__ __forceinline__ static void prefetch(span_of_bytes const& span) {
    auto const body = detail::copied_part(span);
    if (body.bytes) ptx::bulk_prefetch(body.from, body.bytes);
  }
  __device__ __forceinline__ void load_by_threads(int s, bool any, tile t, std::uint64_t* barrier) const {
    int const thread = static_cast<int>(threadIdx.x);
    if (any)
      for_each_copy(s, t, [&](char* region, span_of_bytes const& span) {
        start_copies<Form::loads::strided>(region, span, thread, form::threads);
      });
    if (thread == 0) ptx::barrier_arrive(barrier);  // tells of what it has stored itself, which copies do not
    ptx::barrier_arrive_after_copies(barrier);
  }
  template <class F>
  __device__ __forceinline__ void for_each_copy(int s, tile t, F&& f) const {
    for_each_span<left>(
        call.from.items.arrays(), room_of(t), call.layout.pad, t.begin, t.end, n(),
        [&](int at, span_of_bytes const& span) { f(slot_memory() + slot(s) + at, span); }, lead);
    if constexpr (std::is_same_v<Segments, segments>)
      if (staged_head_bits(call.from.segments.kind))
        f(slot_memory() + slot(s) + call.layout.item_bytes, head_span(call.from.segments, t.begin, t.end, n(), order().reversed));
  }
};

}  // namespace lookback::gpu
