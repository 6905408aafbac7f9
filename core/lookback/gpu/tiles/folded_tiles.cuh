// Tiles whose items are folded by an operator: a tile is reduced, its value published, its prefix looked back for, a thread's part
// of the prefix put together. What is then done with each value is the sink's business (each.cuh, per_segment_by_heads.cuh).
#pragma once
#include "../protocol/look_back.cuh"
#include "read_tiles.cuh"

namespace lookback::gpu {

/// What tiles tell where segments are numbered: how many heads there were, and the value of the segment that is open.
template <class T>
struct numbered {
  T value;
  index_t count;
};

/// Descriptors of those: up to 8-byte values in one 128-bit word    value:64 epoch:22 status:2 count:40
template <class T>
requires(sizeof(T) <= 8) struct descriptors<numbered<T>, false, false> {
  ptx::word_128* words;
  std::uint32_t epoch;

  static constexpr std::size_t words_64 = 0, words_128 = 1, value_bytes = 0;

  __device__ __forceinline__ void publish(index_t tile, status state, numbered<T> const& published) const {
    ptx::store_relaxed(words + tile, {detail::bits_of<std::uint64_t>(published.value),
                                      detail::tag(state, epoch) | static_cast<std::uint64_t>(published.count)});
  }
  __device__ __forceinline__ status peek(index_t tile, room<numbered<T>>& published) const {
    ptx::word_128 const word = ptx::load_relaxed(words + tile);
    memcpy(&published.value.value, &word.low, sizeof(T));
    published.value.count = static_cast<index_t>(word.high & ((std::uint64_t{1} << 40) - 1));
    return detail::state_of(word.high, epoch);
  }
};

/// The lifted operator of Blelloch (1990), heads counted: a value starts anew where a segment began in the later part.
template <class Op>
struct numbered_fold {
  directed<Op> op;
  template <class T>
  __device__ __forceinline__ numbered<T> operator()(numbered<T> const& earlier, numbered<T> const& later) const {
    return {later.count > 0 ? later.value : static_cast<T>(op(earlier.value, later.value)), earlier.count + later.count};
  }
};

// Shared memory is dear: with byte flags staged, two blocks leave each other some 450 bytes for all this.
template <class Block, class T, int Warps, int Prefixes = 1>
struct folded_state : Block {
  room<T> warp_total[Warps];      // of tile i+1, in scan order of the warps
  room<T> warp_before[2][Warps];  // fold of the warps before, back to the nearest one with a head; of tiles i and i+1
  unsigned head_warps[2];         // bit w: warp w holds a head
  std::uint8_t warp_has_head[Warps];
  room<T> tile_total[2];
  room<T> before[Prefixes];  // the prefix of tile i
};
/// Where segments are numbered. A warp apart looks back for tile i+1 while results of tile i are stored: a prefix for each.
template <class Block, class T, int Warps>
struct numbered_state : folded_state<Block, T, Warps, 2> {
  std::uint32_t warp_heads[Warps], heads_before[2][Warps];  // heads of a warp, and of the warps before it
  std::uint32_t tile_heads[2];
  index_t count_before[2];
  std::uint8_t way[2];  // how the outputs of a tile leave
};

template <class Parts, class Form, bool Numbered, class Exchange>
struct folded_types {
  using T = typename Parts::value_type;
  using published = std::conditional_t<Numbered, numbered<T>, T>;
  using block = block_state<T, Form::slots, 1>;
  using state = std::conditional_t<Numbered, numbered_state<block, T, Form::warps>, folded_state<block, T, Form::warps>>;
  using base = read_tiles<Parts, typename Exchange::template values<published>, Form, state>;
};

template <class Parts, class Form, bool Numbered, class Exchange>
struct folded_tiles : folded_types<Parts, Form, Numbered, Exchange>::base {
  using T = typename Parts::value_type;
  using Published = typename folded_types<Parts, Form, Numbered, Exchange>::published;
  using base = typename folded_types<Parts, Form, Numbered, Exchange>::base;
  using base::call;
  using base::has_segments;
  using base::is_chunk;
  using base::N;
  using base::op;
  using base::order;
  using base::scan_warp;
  using base::state;
  using base::warps;
  using typename base::heads_type;
  using typename base::Key;
  using typename base::Op;
  using typename base::runs;
  using typename base::Segments;

  /// What a thread remembers of a tile between its reduction and its scan.
  struct summary {
    room<T> before;  // of the threads before it in its warp, back to the nearest head
    bool has_before;
    unsigned head_lanes;  // lanes of the warp that hold a head, in scan order
    int heads_before;     // heads of the threads before it in its warp, where segments are numbered
    heads_type heads;
  };

  /// What a segment begins with, for operators that have something neutral.
  __device__ __forceinline__ T anew() const {
    if constexpr (has_neutral<Op>) return call.from.initial.has ? call.from.initial.value : neutral<Op>();
    else if constexpr (has_identity<Op>) return call.from.initial.has ? call.from.initial.value : static_cast<T>(Op::identity());
    else return call.from.initial.value;  // asked for on the host
  }
  __device__ __forceinline__ auto fold() const {
    if constexpr (Numbered) return numbered_fold<Op>{op()};
    else return op();
  }
  /// Are tiles folded one after another?
  __device__ __forceinline__ auto in_order() const {
    if constexpr (is_reproducible<Op> && std::is_floating_point_v<T>) return call.in_order;
    else return std::false_type{};
  }
  __device__ __forceinline__ static Published descriptor_value_of(T const& value, [[maybe_unused]] index_t heads) {
    if constexpr (Numbered) return {value, heads};
    else return value;
  }
  __device__ __forceinline__ static T const& value_of(Published const& published) {
    if constexpr (Numbered) return published.value;
    else return published;
  }

  /// What comes before tile 0: said by one thread, before the first tile.
  __device__ __forceinline__ void begin_call() const {
    state.continues = call.carry_in && call.carry_in->any;
    state.start.has = state.continues || (!has_segments && call.from.initial.has);
    if (!state.start.has) return;
    state.start.value = state.continues ? call.carry_in->value : call.from.initial.value;
  }
  /// A segment that came in open counts as one before the first tile: the first head ends it.
  __device__ __forceinline__ index_t open_before() const {
    if constexpr (is_chunk) return state.continues ? 1 : 0;
    else return 0;
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
  __device__ __forceinline__ void reduce(int s, summary& mine) const {
    tile const t = this->tile_in(s);
    int const place = threadIdx.x * N;
    int const items = this->items_of_thread(t);
    if constexpr (has_segments) mine.heads = this->read_heads(s, t, place, items);
    room<T> total;
    if (items == N) {
      runs staged;
      this->load_items(staged, s, t, place);
      this->each_item(
          [&](int j, bool first) { advance(total, first, this->value(staged, t.begin + place, j), mine.heads.test(j)); });
    } else {
      this->each_item_of_short_run(s, t, place, items,
                                   [&](int j, bool first, T const& x) { advance(total, first, x, mine.heads.test_at(j)); });
    }
    bool const is_last_of_warp = fold_threads(items, mine, total);
    if constexpr (may_tell_early)
      if (is_last_of_warp && mine.head_lanes != 0 && last_warp_tells(t, 1u << scan_warp()))
        Exchange::early(this->tiles(), t.id, total.value, true);
  }
  /// Does the last warp of the tile know its prefix, because what is open behind the tile begins there?
  static constexpr bool may_tell_early = has_segments && !Numbered && Exchange::tells_from_last_warp;
  __device__ __forceinline__ bool last_warp_tells(tile t, unsigned warps_with_heads) const {
    return t.id > 0 && (warps_with_heads >> (this->filled_warps(t).end - 1) & 1) != 0;
  }
  /// The same for one thread where segments are numbered. Calls at_head(j, value) at every head but the first item, with what the
  /// segment has in this thread that ends there. `together`: at_head may overwrite what others read with their own.
  template <class AtHead>
  __device__ __forceinline__ void fold_items(int s, tile t, int place, int items, heads_type const& heads, room<T>& total,
                                             AtHead&& at_head, bool together) const {
    runs staged;
    if (items == N) this->load_items(staged, s, t, place);
    if (together) this->sync_items();
    if (items == N) {
      this->each_item([&](int j, bool first) {
        if (!first && heads.test(j)) at_head(j, total.value);
        advance(total, first, this->value(staged, t.begin + place, j), heads.test(j));
      });
    } else {
      this->each_item_of_short_run(s, t, place, items, [&](int j, bool first, T const& x) {
        if (!first && heads.test_at(j)) at_head(j, total.value);
        advance(total, first, x, heads.test_at(j));
      });
    }
  }
  /// What each thread has folded becomes what comes before each, and a total for each warp. Is this thread the one that has the
  /// total?
  __device__ __forceinline__ bool fold_threads(int items, summary& mine, room<T>& total) const {
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
    total.value = Form::network::scan(total.value, op(), order(), start, end_lane);
    mine.before.value = order().from(total.value, lane > 0 ? lane - 1 : 0);
    mine.has_before = items > 0 && lane > first_lane;
    if (lane == end_lane - 1) {
      state.warp_total[scan_warp()].value = total.value;
      if constexpr (has_segments) state.warp_has_head[scan_warp()] = mine.head_lanes != 0;
    }
    if constexpr (Numbered) {
      std::uint32_t const own = static_cast<std::uint32_t>(mine.heads.count()), upto = sum_of_lanes_upto(own);
      mine.heads_before = static_cast<int>(upto - own);
      if (lane == 31) state.warp_heads[scan_warp()] = upto;
    }
    return lane == end_lane - 1;
  }

  /// Early: what tile i+1 is worth by itself. One warp; lane w folds the warps before warp w, one after the other: the association
  /// is fixed (reproducible), and all lanes read the same total at a time.
  __device__ __forceinline__ void publish_early(int s, int parity) const {
    tile const t = this->tile_in(s);
    int const lane = threadIdx.x % 32;
    auto const filled = this->filled_warps(t);
    unsigned heads = 0;
    if constexpr (has_segments)
      heads = __ballot_sync(all_lanes, lane >= filled.first && lane < filled.end && state.warp_has_head[min(lane, warps - 1)]);
    unsigned const passed = heads & ((1u << lane) - 1);
    int const from = passed ? 31 - __clz(passed) : filled.first, end = min(lane, filled.end);
    room<T> before;
#pragma unroll(sizeof(T) <= 16 ? warps : 1)
    for (int w = 0; w < warps; ++w) {
      T const total = state.warp_total[w].value;
      if (w == from) before.value = total;
      else if (w > from && w < end) before.value = op()(before.value, total);
    }
    if (lane < warps) state.warp_before[parity][lane].value = before.value;
    before.value = shuffle(before.value, filled.end);
    int count = 0;
    if constexpr (Numbered) {
      std::uint32_t const own = lane < warps ? state.warp_heads[lane] : 0, upto = sum_of_lanes_upto(own);
      if (lane < warps) state.heads_before[parity][lane] = upto - own;
      count = static_cast<int>(shuffle(upto, 31));
    }
    bool const first = t.id == 0;
    bool const begins = heads != 0;
    if (first && state.start.has && !heads) before.value = op()(state.start.value, before.value);
    // Without a predecessor, or with a head, the aggregate is a prefix: nobody looks past it. Where segments are numbered, the
    // number of a head is what comes before it.
    bool const complete = first || (begins && !Numbered);
    Published const published = descriptor_value_of(before.value, count + (first ? open_before() : 0));
    if (lane == 0) {
      bool told = false;
      if constexpr (may_tell_early) told = last_warp_tells(t, heads);
      if (!told) Exchange::early(this->tiles(), t.id, published, complete);
      state.tile_total[parity].value = before.value;
      if constexpr (Numbered) state.tile_heads[parity] = static_cast<std::uint32_t>(count);
      state.head_warps[parity] = heads;
      if (Exchange::stores && complete) leave_end(t, published);
    }
  }
  /// Late: the prefix of tile i. One warp.
  __device__ __forceinline__ void look_back_late(int s, int parity) const {
    tile const t = this->tile_in(s);
    int const lane = threadIdx.x % 32;
    if (t.id == 0) {
      if (lane == 0 && !this->template helps_to_look_back<Exchange>()) {
        if constexpr (Numbered) state.count_before[parity] = open_before();
        if constexpr (!Numbered || is_chunk)
          if (state.start.has) state.before[Numbered ? parity : 0].value = state.start.value;
      }
      return;
    }
    if constexpr (!Exchange::is_local) look_back_for(t, parity);
  }
  __device__ __forceinline__ void look_back_for(tile t, int parity) const {
    int const lane = threadIdx.x % 32;
    bool const complete = !Numbered && state.head_warps[parity] != 0;
    Published const before = Exchange::template before<Published>(this->tiles(), t.id, complete, fold(), in_order(),
                                                                  this->template call_of_looker<Exchange>());
    if (lane != 0 || this->template helps_to_look_back<Exchange>()) return;
    if (!complete) {
      index_t heads = 0;
      if constexpr (Numbered) heads = state.tile_heads[parity];
      Published const total = fold()(before, descriptor_value_of(state.tile_total[parity].value, heads));
      Exchange::late(this->tiles(), t.id, total);
      leave_end(t, total);
    }
    state.before[Numbered ? parity : 0].value = value_of(before);
    if constexpr (Numbered) state.count_before[parity] = before.count;
  }
  /// The last tile leaves the carry; where segments are numbered and none goes on, the last of them ends with the last item.
  __device__ __forceinline__ void leave_end(tile t, Published const& published) const {
    if (t.id != this->tile_count() - 1) return;
    if constexpr (Numbered) {
      if constexpr (is_chunk)
        if (call.carry_out) return leave_carry(published.value);
      call.sink.out[published.count - 1] = static_cast<typename base::Out>(call.sink.f(published.value));
    } else if (call.carry_out) {
      leave_carry(published);
    }
  }
  __device__ __forceinline__ void leave_carry(T const& value) const {
    auto& out = *call.carry_out;
    out.value = value;
    out.any = true;
    out.count = state.carried_items + this->n();
    this->leave_key(out.last_key);
    if constexpr (std::is_same_v<Segments, segments>) {
      // From right to left, a head on the chunk's first item closes the segment.
      if (order().reversed && !is_keys(call.from.segments)) out.any = !this->begins_segment();
    }
  }
  __device__ __forceinline__ void end_empty_call() const { this->pass_on(); }

  /// After barrier B: what comes before the first item of this thread. Returns false if nothing does.
  __device__ __forceinline__ bool before_thread(tile t, int parity, summary const& mine, room<T>& run) const {
    bool has = false;
    if (!(mine.head_lanes & ((1u << order().lane()) - 1))) {  // no head before this thread in its warp
      auto const filled = this->filled_warps(t);
      bool const open = !has_segments || !(state.head_warps[parity] & ((1u << scan_warp()) - 1));
      has = open && (t.id > 0 ? !Exchange::is_local : state.start.has);
      if (has) run.value = state.before[Numbered ? parity : 0].value;
      if (scan_warp() > filled.first) {
        run.value =
            has ? op()(run.value, state.warp_before[parity][scan_warp()].value) : state.warp_before[parity][scan_warp()].value;
        has = true;
      }
    }
    if (mine.has_before) {
      run.value = has ? op()(run.value, mine.before.value) : mine.before.value;
      has = true;
    }
    return has;
  }
};

}  // namespace lookback::gpu
