// Publish early, resolve late: the scan as one pass of persistent blocks.
//
//   slot of tile i-1   its output leaves (copy engine)                      then it is refilled with tile i+2
//   slot of tile i     B: prefix known, scan, gather the output  C: store
//   slot of tile i+1   A: reduced, aggregate published *before* tile i asks for its prefix
//   warp 0 publishes tile i+1 · warp 1 looks back for tile i · warp 2 claims and loads tile i+2, stores tile i
//
// By the time a block asks for the prefix of tile i, its predecessors have long published: they did so one tile earlier. The loads
// of the tiles ahead never wait for a prefix. Barriers (all threads): A, B, C, once each per tile.
#pragma once
#include "../operators.hpp"
#include "../policy.hpp"
#include "../sink.hpp"
#include "../tile.hpp"
#include "look_back.cuh"
#include "shape.cuh"
#include "tile_slots.cuh"

namespace lookback::gpu {

/// What a kernel does with its tiles. One pass is the default; the other two are the halves of reduce_then_scan.
enum class pass { look_back, reduce_only, scan_from_prefixes };

/// Everything a kernel is given.
template <class Items, class Segments, class T, class Op, class Sink, class Key>
struct scan_call {
  source<Items, Segments, T> from;
  Op op;
  Sink sink;
  lookback::size size;
  descriptors<T> tiles;  // epoch is filled in on the device
  scratch memory;
  std::uint64_t* first_offsets;  // of each tile, where segments come as offsets
  carried<T, Key> const* carry_in;
  carried<T, Key>* carry_out;
  bool reversed;   // from right to left
  bool in_order;   // fold the look-back forward: reproducible
  int slot_bytes;  // bytes of a slot, of the part before the heads, and between the arrays
  int item_bytes;
  int pad;
  int prefetch;  // tiles ahead
};

template <class T, int Warps, int Slots>
struct scan_shared {
  // Facts of the call. Here, not in registers: they are rare, and a register that spills costs more than a look here.
  index_t n, carried_items, global_begin;  // items of this call, of the calls before, and where these begin in the whole
  maybe<T> start;                          // what comes before tile 0
  std::uint32_t tile_count, epoch;
  bool continues;               // an open segment is carried in
  std::uint64_t loaded[Slots];  // barrier: the slot's arrays have arrived
  index_t first_offset;
  std::uint32_t tile[Slots];      // which tile the slot holds, in scan order
  room<T> warp_total[Warps];      // of tile i+1, in scan order of the warps
  room<T> warp_before[2][Warps];  // fold of the warps before, back to the nearest one with a head; of tiles i and i+1
  room<T> tile_total[2];
  unsigned head_warps[2];  // bit w: warp w holds a head
  std::uint8_t warp_has_head[32];
  room<T> before;  // the prefix of tile i
};

template <class Items, class Segments, class T, class Op, class Sink, class Key, class Tuning, pass Pass>
struct scan_block {
  using call_type = scan_call<Items, Segments, T, Op, Sink, Key>;
  using Out = typename Sink::value_type;
  using form = shape<Items, Out, Tuning>;
  using shared_type = scan_shared<T, form::warps, form::slots>;
  static constexpr int N = form::items, warps = form::warps, slots = form::slots;
  static constexpr bool has_segments = !std::is_same_v<Segments, no_segments>;
  static constexpr int array_count = arrays_t<Items>::count;

  template <class... Ts>
  static staged_runs<N, Ts...> runs_of(arrays<Ts...>);
  using runs = decltype(runs_of(arrays_t<Items>{}));

  /// What a thread remembers of a tile between its reduction and its scan.
  struct summary {
    room<T> before;  // of the threads before it in its warp, back to the nearest head
    bool has_before;
    unsigned head_lanes;  // lanes of the warp that hold a head, in scan order
    head_bits<has_segments ? N : 1> heads;
  };

  call_type const& call;
  shared_type& shared;

  __device__ __forceinline__ index_t n() const { return shared.n; }
  __device__ __forceinline__ std::uint32_t tile_count() const { return shared.tile_count; }
  __device__ __forceinline__ scan_order order() const { return {call.reversed}; }
  __device__ __forceinline__ directed<Op> op() const { return {call.op, call.reversed}; }
  __device__ __forceinline__ descriptors<T> tiles() const {
    descriptors<T> d = call.tiles;
    d.epoch = shared.epoch;
    return d;
  }
  __device__ __forceinline__ count_descriptors first_offsets() const { return {call.first_offsets, shared.epoch}; }
  /// What a segment begins with, for operators that have something neutral.
  __device__ __forceinline__ T anew() const { return call.from.initial.has ? call.from.initial.value : neutral<Op>(); }

  __device__ __forceinline__ int memory_warp() const { return threadIdx.x / 32; }
  __device__ __forceinline__ int scan_warp() const { return order().reversed ? warps - 1 - memory_warp() : memory_warp(); }
  __device__ __forceinline__ int slot(int s) const { return s * call.slot_bytes; }
  __device__ __forceinline__ tile tile_in(int s) const { return tile_at(shared.tile[s], n(), form::tile_items, order().reversed); }

  // ---- claim and load

  __device__ __forceinline__ void claim(int s, bool none) const {
    shared.tile[s] = none ? tile_count() : atomicAdd(&call.memory.state->ticket, 1u);
  }

  /// Offsets and rows speak of the whole that this call is a chunk of. From right to left its end is the last offset; rows are
  /// whole.
  __device__ __forceinline__ index_t place_in_whole(index_t n, index_t carried_items) const {
    if (!order().reversed) return carried_items;
    if constexpr (std::is_same_v<Segments, segments>)
      if (is_offsets(call.from.segments)) return offset_at(call.from.segments, call.from.segments.count - 1) - carried_items - n;
    return 0;
  }
  /// Is the first item of this call, in memory, a head?
  __device__ __forceinline__ bool begins_segment() const {
    if constexpr (std::is_same_v<Segments, segments>) {
      segments const& described = call.from.segments;
      if (!is_offsets(described)) return head_at(described, 0);
      index_t const k = first_offset_at_or_after(described, global_begin(), 0, described.count);
      return k < described.count && offset_at(described, k) == global_begin();
    } else return false;
  }
  /// Where in the whole this chunk begins: offsets and rows count from there.
  __device__ __forceinline__ index_t global_begin() const { return shared.global_begin; }

  /// After barrier C: starts the copies into slot s. sm_90: one thread; older: all threads.
  __device__ __forceinline__ void load(int s) const {
    std::uint64_t* const barrier = &shared.loaded[s];
    bool const any = shared.tile[s] < tile_count();
    tile const t = any ? tile_in(s) : tile{0, 0, 0};
    if (ptx::has_copy_engine()) load_by_engine(s, any, t, barrier);
    else load_by_threads(s, any, t, barrier);
  }
  __device__ __forceinline__ void load_by_engine(int s, bool any, tile t, std::uint64_t* barrier) const {
    if (!any) return ptx::barrier_arrive(barrier);
    // Whoever claims the tile that is `prefetch` tiles on finds it in L2: the latency of the memory is hidden without a ticket held
    // or shared memory taken.
    index_t const later = t.id + call.prefetch;
    if (later < tile_count())
      for_each_copy(s, tile_at(later, n(), form::tile_items, order().reversed), [&](char*, span_of_bytes const& span) {
        auto const body = detail::copied_part(span);
        if (body.bytes) ptx::bulk_prefetch(body.from, body.bytes);
      });
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
  __device__ __forceinline__ void load_by_threads(int s, bool any, tile t, std::uint64_t* barrier) const {
    if (any) for_each_copy(s, t, [&](char* region, span_of_bytes const& span) { start_copies(region, span); });
    ptx::barrier_arrive_after_copies(barrier);
  }
  template <class F>
  __device__ __forceinline__ void for_each_copy(int s, tile t, F&& f) const {
    for_each_span<form::tile_items>(call.from.items.arrays(), call.pad, t.begin, t.end, n(),
                                    [&](int at, span_of_bytes const& span) { f(slot_memory() + slot(s) + at, span); });
    if constexpr (std::is_same_v<Segments, segments>)
      if (staged_head_bits(call.from.segments.kind))
        f(slot_memory() + slot(s) + call.item_bytes, head_span(call.from.segments, t.begin, t.end, n()));
  }

  // ---- segments

  __device__ __forceinline__ bool by_offsets() const {
    if constexpr (std::is_same_v<Segments, segments>) return is_offsets(call.from.segments);
    else return false;
  }
  __device__ __forceinline__ index_t head_origin(tile t) const { return t.begin + order().reversed + global_begin(); }

  /// Before the first tile, all threads: a share of the table "first offset of tile t". Whoever needs an entry that is not there
  /// yet searches for itself, so nobody waits for this.
  __device__ __forceinline__ void tabulate_offsets() const {
    if constexpr (std::is_same_v<Segments, segments>) {
      segments const& described = call.from.segments;
      for (index_t id = blockIdx.x * index_t{form::threads} + threadIdx.x; id < tile_count();
           id += gridDim.x * index_t{form::threads}) {
        index_t const origin = head_origin(tile_at(id, n(), form::tile_items, order().reversed));
        first_offsets().publish(id, status::prefix, first_offset_at_or_after(described, origin, 0, described.count));
      }
    }
  }
  /// Warp `mover`: where the offsets of the tile in slot s begin.
  __device__ __forceinline__ void find_offsets(int s) const {
    if constexpr (std::is_same_v<Segments, segments>) {
      if (shared.tile[s] >= tile_count()) return;
      tile const t = tile_in(s);
      index_t const k =
          detail::find_first_offset(call.from.segments, first_offsets(), t.id, call.prefetch, tile_count(), head_origin(t));
      if (threadIdx.x % 32 == 0) shared.first_offset = k;
    }
  }
  /// Sets the heads of the tile in slot s, whose bitmap is zero, by `workers` threads of which this is number `worker`.
  __device__ __forceinline__ void set_offset_heads(int s, int worker, int workers) const {
    if constexpr (std::is_same_v<Segments, segments>)
      if (shared.tile[s] < tile_count())
        detail::set_heads(call.from.segments, shared.first_offset, head_origin(tile_in(s)), form::tile_items,
                          slot(s) + call.item_bytes, worker, workers);
  }

  __device__ __forceinline__ head_bits<N> read_heads(int s, tile t, int place, int items) const {
    Segments const& described = call.from.segments;
    int const region = slot(s) + call.item_bytes;
    index_t const first = t.begin + order().reversed;
    head_bits<N> heads;
    if constexpr (std::is_same_v<Segments, segments>) {
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
        case segment_kind::offsets64: {
          heads = detail::read_bits<N>(region, place);
          __syncwarp();
          auto* const mine = slot_memory_at<std::uint32_t>(region) + memory_warp() * N;
          for (int w = threadIdx.x % 32; w < N; w += 32) mine[w] = 0;  // for the next tile in this slot
          break;
        }
        default:
          heads = by_ballot(described, region, first, place);
      }
    } else {
      heads = by_ballot(described, region, first, place);
    }
    heads.keep(items);
    if (order().reversed) {
      if (t.end == n() && place < n() - t.begin && n() - t.begin <= place + N)
        heads.put(static_cast<int>(n() - t.begin) - 1 - place, !shared.continues || edge_key_differs());
    } else if (t.begin == 0 && place == 0) {
      if (!shared.continues) heads.put(0, true);
      else if (edge_key_differs()) heads.put(0, true);
    }
    return heads;
  }
  __device__ __forceinline__ head_bits<N> by_ballot(Segments const& described, int region, index_t first, int place) const {
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
    items.template load<form::tile_items>(call.from.items.arrays(), slot(s), call.pad, t.begin, place);
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
  /// The same for the one thread of a call whose run is short, straight from the slot: step(j, first, x).
  template <class Step>
  __device__ __forceinline__ void each_item_of_short_run(int s, tile t, int place, int items, Step&& step) const {
#pragma unroll 1
    for (int k = 0; k < items; ++k) {
      int const j = order().reversed ? items - 1 - k : k;
      step(j, k == 0,
           static_cast<T>(
               value_at<form::tile_items>(call.from.items, call.from.items.arrays(), slot(s), call.pad, t.begin, place + j)));
    }
  }

  __device__ __forceinline__ T value(runs const& items, index_t begin, int j) const {
    return static_cast<T>(items.value(call.from.items, begin + j, j));
  }

  /// One item more. `run` is what was scanned so far, absent if `absent`; returns the value before the item.
  __device__ __forceinline__ T advance(room<T>& run, bool absent, T const& x, [[maybe_unused]] bool head) const {
    if constexpr (has_segments && has_neutral<Op>) {
      T const before = head ? anew() : run.value;
      run.value = op()(absent && !head ? neutral<Op>() : before, x);
      return before;
    } else if constexpr (has_segments) {
      T const before = head ? (call.from.initial.has ? call.from.initial.value : x) : absent ? x : run.value;
      if (head || absent) run.value = head && call.from.initial.has ? static_cast<T>(op()(call.from.initial.value, x)) : x;
      else run.value = op()(run.value, x);
      return before;
    } else {
      T const before = absent ? x : run.value;
      if (absent) run.value = x;
      else run.value = op()(run.value, x);
      return before;
    }
  }

  /// Phase 1 of a tile: reduce it from shared memory; totals of the warps go to warp_total.
  __device__ __forceinline__ void reduce(int s, std::uint32_t phase, summary& mine) const {
    ptx::barrier_wait(&shared.loaded[s], phase);
    if (shared.tile[s] >= tile_count()) return;
    tile const t = tile_in(s);
    int const place = threadIdx.x * N;
    int const items = static_cast<int>(min(index_t{N}, max(index_t{0}, t.end - t.begin - place)));
    if constexpr (has_segments) mine.heads = read_heads(s, t, place, items);
    room<T> total;
    if (items == N) {
      runs staged;
      load_items(staged, s, t, place);
      each_item([&](int j, bool first) { advance(total, first, value(staged, t.begin + place, j), mine.heads.test(j)); });
    } else {
      each_item_of_short_run(s, t, place, items,
                             [&](int j, bool first, T const& x) { advance(total, first, x, mine.heads.test_at(j)); });
    }

    int const lane = order().lane();
    unsigned const filled = order().ballot(items > 0);
    int const first_lane = filled ? __ffs(filled) - 1 : 32, end_lane = 32 - __clz(filled);
    int start = first_lane;
    mine.head_lanes = 0;
    if constexpr (has_segments) {
      mine.head_lanes = order().ballot(mine.heads.any());
      unsigned const at_or_before = mine.head_lanes & ((2u << lane) - 1);
      if (at_or_before) start = 31 - __clz(at_or_before);
    }
    total.value = warp_scan(total.value, op(), order(), start, end_lane);
    mine.before.value = order().from(total.value, lane > 0 ? lane - 1 : 0);
    mine.has_before = items > 0 && lane > first_lane;
    if (lane == end_lane - 1) {
      shared.warp_total[scan_warp()].value = total.value;
      if constexpr (has_segments) shared.warp_has_head[scan_warp()] = mine.head_lanes != 0;
    }
  }

  /// The warps of a tile that hold items, in scan order: [first, end).
  struct warp_range {
    int first, end;
  };
  __device__ __forceinline__ warp_range filled_warps(tile t) const {
    int const filled = static_cast<int>((t.end - t.begin + 32 * N - 1) / (32 * N));
    return order().reversed ? warp_range{warps - filled, warps} : warp_range{0, filled};
  }
  /// Early: what tile i+1 is worth by itself. One warp; lane w folds the warps before warp w, one after the other: the association
  /// is fixed (reproducible), and all lanes read the same total at a time.
  __device__ __forceinline__ void publish_early(int s, int parity) const {
    if (shared.tile[s] >= tile_count()) return;
    tile const t = tile_in(s);
    int const lane = threadIdx.x % 32;
    auto const filled = filled_warps(t);
    unsigned heads = 0;
    if constexpr (has_segments)
      heads = __ballot_sync(all_lanes, lane >= filled.first && lane < filled.end && shared.warp_has_head[lane]);
    unsigned const passed = heads & ((1u << lane) - 1);
    int const from = passed ? 31 - __clz(passed) : filled.first, end = min(lane, filled.end);
    room<T> before;
#pragma unroll(sizeof(T) <= 16 ? warps : 1)
    for (int w = 0; w < warps; ++w) {
      T const total = shared.warp_total[w].value;
      if (w == from) before.value = total;
      else if (w > from && w < end) before.value = op()(before.value, total);
    }
    if (lane < warps) shared.warp_before[parity][lane].value = before.value;
    before.value = shuffle(before.value, filled.end);
    bool const first = t.id == 0;
    if (first && shared.start.has && !heads) before.value = op()(shared.start.value, before.value);
    // Without a predecessor, or with a head, the aggregate is a prefix: nobody looks past it.
    if (lane == 0) {
      if constexpr (Pass != pass::scan_from_prefixes)
        tiles().publish(t.id, first || heads ? status::prefix : status::aggregate, before.value);
      shared.tile_total[parity].value = before.value;
      shared.head_warps[parity] = heads;
      if (Pass != pass::reduce_only && (heads || first)) leave_carry(t, before.value);
    }
  }
  /// Late: the prefix of tile i. One warp.
  __device__ __forceinline__ void look_back_late(int s, int parity) const {
    tile const t = tile_in(s);
    int const lane = threadIdx.x % 32;
    if (t.id == 0) {
      if (shared.start.has && lane == 0) shared.before.value = shared.start.value;
      return;
    }
    room<T> before;
    if constexpr (Pass == pass::scan_from_prefixes) tiles().peek(t.id - 1, before);
    else if (is_reproducible<Op> && std::is_floating_point_v<T> && call.in_order)
      before.value = look_back_in_order<T>(tiles(), t.id, op());
    else before.value = look_back<T>(tiles(), t.id, op());
    if (lane != 0) return;
    if (!shared.head_warps[parity]) {
      T const total = op()(before.value, shared.tile_total[parity].value);
      if constexpr (Pass == pass::look_back) tiles().publish(t.id, status::prefix, total);
      leave_carry(t, total);
    }
    shared.before.value = before.value;
  }
  __device__ __forceinline__ void leave_carry(tile t, T const& value) const {
    if (!call.carry_out || t.id != tile_count() - 1) return;
    carried<T, Key>& out = *call.carry_out;
    out.value = value;
    out.any = true;
    out.count = shared.carried_items + n();
    index_t const edge = order().reversed ? 0 : n() - 1;
    if constexpr (is_key_segments<Segments>) {
      if constexpr (std::is_same_v<Key, std::remove_cvref_t<decltype(*call.from.segments.data)>>)
        out.last_key = call.from.segments.data[edge];
    } else if constexpr (has_segments) {
      if constexpr (std::is_arithmetic_v<Key> && !std::is_same_v<Key, char>)
        if (is_keys(call.from.segments)) out.last_key = static_cast<Key const*>(call.from.segments.data)[edge];
      // From right to left, a head on the chunk's first item closes the segment.
      if (order().reversed && !is_keys(call.from.segments)) out.any = !begins_segment();
    }
  }

  /// Phase 2 of a tile, after barrier B: scan and gather the output in the slot, at the 16-byte phase of its destination.
  __device__ __forceinline__ void scan(int s, int parity, summary const& mine) const {
    tile const t = tile_in(s);
    int const place = threadIdx.x * N;
    int const items = static_cast<int>(min(index_t{N}, max(index_t{0}, t.end - t.begin - place)));
    int const lane = order().lane();
    room<T> run;
    bool has = false;
    if (!(mine.head_lanes & ((1u << lane) - 1))) {  // no head before this thread in its warp
      auto const filled = filled_warps(t);
      bool const open = !has_segments || !(shared.head_warps[parity] & ((1u << scan_warp()) - 1));
      has = open && (t.id > 0 || shared.start.has);
      if (has) run.value = shared.before.value;
      if (scan_warp() > filled.first) {
        run.value =
            has ? op()(run.value, shared.warp_before[parity][scan_warp()].value) : shared.warp_before[parity][scan_warp()].value;
        has = true;
      }
    }
    if (mine.has_before) {
      run.value = has ? op()(run.value, mine.before.value) : mine.before.value;
      has = true;
    }
    gpu::run<Out, N> out;
    if (items == N) {
      runs staged;
      load_items(staged, s, t, place);
      each_item([&](int j, bool first) {
        T const before = advance(run, first && !has, value(staged, t.begin + place, j), mine.heads.test(j));
        out.set(j, call.sink(t.begin + place + j, before, run.value));
      });
    } else {
      each_item_of_short_run(s, t, place, items, [&](int j, bool first, T const& x) {
        T const before = advance(run, first && !has, x, mine.heads.test_at(j));
        call.sink.out[t.begin + place + j] = call.sink(t.begin + place + j, before, run.value);
      });
    }
    if (gather_moves(t)) __syncthreads();  // others still read where this thread will write
    if (items == N)
      out.store(slot(s) + static_cast<int>(detail::phase_of(call.sink.out + t.begin)) + place * static_cast<int>(sizeof(Out)));
    ptx::fence_for_copy_engine();
  }
  /// Does the output lie elsewhere in the slot than the input? If not, every thread overwrites only what it alone has read. Askew
  /// it reads the vectors that its items touch, and with them words of its neighbours.
  __device__ __forceinline__ bool gather_moves(tile t) const {
    if constexpr (array_count == 0) return false;
    else if constexpr (array_count == 1 && sizeof(*call.from.items.arrays().data) == sizeof(Out))
      return (detail::phase_of(call.from.items.arrays().data + t.begin) | detail::phase_of(call.sink.out + t.begin)) != 0;
    else return true;
  }

  /// After barrier C: the gathered tile leaves. The aligned middle at once, the edges one by one.
  __device__ __forceinline__ void store(int s) const {
    tile const t = tile_in(s);
    index_t const gathered_items = (t.end - t.begin) / N * N;  // a short run has been stored by its thread
    char* const begin = reinterpret_cast<char*>(call.sink.out + t.begin);
    char* const end = reinterpret_cast<char*>(call.sink.out + t.begin + gathered_items);
    char const* const gathered = slot_memory() + slot(s) + detail::phase_of(begin);
    char* low = reinterpret_cast<char*>(detail::up_16(begin));
    char* high = reinterpret_cast<char*>(detail::down_16(end));
    if (low >= high) low = high = end;
    if (ptx::has_copy_engine()) {
      if (threadIdx.x % 32 == 0) {
        if (high > low) ptx::bulk_store(low, gathered + (low - begin), static_cast<std::uint32_t>(high - low));
        ptx::bulk_commit();
      }
      store_edges(gathered, begin, low, high, end, threadIdx.x % 32, 32);
    } else {
      for (char* p = low + threadIdx.x * 16; p < high; p += form::threads * 16)
        *reinterpret_cast<uint4*>(p) = *reinterpret_cast<uint4 const*>(gathered + (p - begin));
      store_edges(gathered, begin, low, high, end, threadIdx.x, form::threads);
    }
  }
  __device__ __forceinline__ static void store_edges(char const* gathered, char* begin, char* low, char* high, char* end,
                                                     int thread, int threads) {
    using unit = std::conditional_t<alignof(Out) % 4 == 0, std::uint32_t,
                                    std::conditional_t<alignof(Out) == 2, std::uint16_t, std::uint8_t>>;
    for (char* p = begin + thread * sizeof(unit); p < low; p += threads * sizeof(unit))
      *reinterpret_cast<unit*>(p) = *reinterpret_cast<unit const*>(gathered + (p - begin));
    for (char* p = high + thread * sizeof(unit); p < end; p += threads * sizeof(unit))
      *reinterpret_cast<unit*>(p) = *reinterpret_cast<unit const*>(gathered + (p - begin));
  }
};

template <class Items, class Segments, class T, class Op, class Sink, class Key, class Tuning, pass Pass>
__global__ void __launch_bounds__(Tuning::threads, Tuning::blocks)
    scan_kernel(__grid_constant__ scan_call<Items, Segments, T, Op, Sink, Key> const call) {
  using block_type = scan_block<Items, Segments, T, Op, Sink, Key, Tuning, Pass>;
  using form = typename block_type::form;
  using shared_type = typename block_type::shared_type;
  constexpr int slots = form::slots;
  __shared__ __align__(16) unsigned char shared_memory[sizeof(shared_type)];  // raw: T need not be default-constructible
  shared_type& shared = *reinterpret_cast<shared_type*>(shared_memory);

  int const thread = threadIdx.x, warp = thread / 32;
  constexpr int publisher = 0, looker = 1, mover = 2;  // warps with a task of their own

  block_type const block{call, shared};
  if (block_type::has_segments)  // bitmaps start empty
    for (int s = 0; s < slots; ++s)
      for (int w = thread; w < form::tile_items / 32; w += form::threads)
        slot_memory_at<std::uint32_t>(block.slot(s) + call.item_bytes)[w] = 0;
  if (thread == 32 * mover) {
    for (int s = 0; s < slots; ++s) ptx::barrier_init(&shared.loaded[s], ptx::has_copy_engine() ? 1 : form::threads);
    ptx::fence_barrier_init();
    index_t const n = call.size.count ? min(*call.size.count, call.size.bound) : call.size.bound;
    auto const tile_count = static_cast<std::uint32_t>(tiles_of(n, form::tile_items));
    std::uint32_t ticket[slots - 1];
#pragma unroll
    for (int s = 0; s < slots - 1; ++s)
      ticket[s] = s == 0 || tile_count > gridDim.x ? atomicAdd(&call.memory.state->ticket, 1u) : tile_count;
    shared.n = n;
    shared.carried_items = call.carry_in ? call.carry_in->count : 0;
    shared.global_begin = block.place_in_whole(n, shared.carried_items);
    shared.tile_count = tile_count;
    shared.epoch = call.memory.state->epoch_minus_one + 1;  // advanced by the last block of the call before
    shared.continues = call.carry_in && call.carry_in->any;
    shared.start.has = shared.continues || (!block_type::has_segments && call.from.initial.has);
    if (shared.start.has) shared.start.value = shared.continues ? call.carry_in->value : call.from.initial.value;
#pragma unroll
    for (int s = 0; s < slots - 1; ++s) shared.tile[s] = ticket[s];
  }
  ptx::fence_for_copy_engine();
  __syncthreads();
  bool const single = block.tile_count() <= gridDim.x;  // a tile for every block, and no more
  bool const loads = ptx::has_copy_engine() ? thread == 32 * mover : true;
  for (int s = 0; s < slots - 1; ++s)
    if (loads) block.load(s);
  if (block.by_offsets()) {
    if (!single) block.tabulate_offsets();
    for (int s = 0; s < slots - 1; ++s) {
      if (warp == mover) block.find_offsets(s);
      __syncthreads();
      block.set_offset_heads(s, thread, form::threads);
      __syncthreads();
    }
  }

  std::uint32_t phases = 0;  // bit s: which completion of slot s comes next
  typename block_type::summary now, next;
  block.reduce(0, 0, now);
  phases ^= 1;
  __syncthreads();
  if (warp == publisher) block.publish_early(0, 0);
  __syncthreads();  // before the totals of tile 1 take the place of those of tile 0

  int slot = 0;
  for (int parity = 0;; parity ^= 1) {
    if (shared.tile[slot] >= block.tile_count()) break;
    int const ahead = slot + 1 == slots ? 0 : slot + 1, behind = slot == 0 ? slots - 1 : slot - 1;
    block.reduce(ahead, phases >> ahead & 1, next);
    phases ^= 1u << ahead;
    __syncthreads();  // A: warp totals of tile i+1 are there
    if (warp == publisher) block.publish_early(ahead, parity ^ 1);
    if (Pass != pass::reduce_only && warp == looker) block.look_back_late(slot, parity);
    if (warp == mover) {
      // The output of tile i-1 has left its slot: the copies of tile i+2 run while tile i waits and is scanned.
      if (thread % 32 == 0) ptx::bulk_wait_read<0>(), block.claim(behind, single);
      if (ptx::has_copy_engine() && loads) block.load(behind);
      __syncwarp();
      if (block.by_offsets()) block.find_offsets(behind);
    }
    if (block.by_offsets() && warp >= mover) {  // the other warps have nothing else to do until the prefix is there
      constexpr int workers = form::threads - 32 * mover;
      ptx::barrier_among<workers>();  // warp 2 has found where the offsets begin
      block.set_offset_heads(behind, thread - 32 * mover, workers);
    }
    __syncthreads();  // B: the prefix of tile i is there
    if constexpr (Pass != pass::reduce_only) block.scan(slot, parity, now);
    __syncthreads();  // C: the output of tile i is gathered
    if (!ptx::has_copy_engine()) block.load(behind);
    if (Pass != pass::reduce_only && (!ptx::has_copy_engine() || warp == mover)) block.store(slot);
    now = next;
    slot = ahead;
  }
  if (thread == 32 * mover) ptx::bulk_wait_read<0>();  // the copies out still read this block's shared memory

  // The last block to leave prepares the next call: every other one has claimed and looked back for the last time.
  __syncthreads();
  if (warp != 0) return;
  call_state& state = *call.memory.state;
  std::uint32_t left = 0;
  if (thread == 0) {
    if (block.tile_count() == 0 && blockIdx.x == 0 && call.carry_out) {
      carried<T, Key>& out = *call.carry_out;
      if (call.carry_in) out = *call.carry_in;
      else out.any = false, out.count = 0;
    }
    left = ptx::add_acquire_release(&state.left, 1);
  }
  if (__shfl_sync(all_lanes, left, 0) != gridDim.x - 1) return;
  bool const wraps = Pass != pass::reduce_only && shared.epoch == last_epoch;
  if (wraps) {  // epochs begin again: nothing may be left of the first ones
    for (std::uint64_t w = thread; w < call.memory.words_64_capacity; w += 32) call.memory.words_64[w] = 0;
    for (std::uint64_t w = thread; w < call.memory.words_128_capacity; w += 32) call.memory.words_128[w] = {0, 0};
  }
  if (thread == 0) {
    if (Pass != pass::reduce_only) state.epoch_minus_one = wraps ? 0 : shared.epoch;  // the second half reads what the first told
    state.ticket = 0;
    state.left = 0;
  }
}

}  // namespace lookback::gpu
