// The sink `per_segment` on the GPU where offsets say where segments end: one result for each, from left to right whatever the
// direction. Tiles are cut along the path that merges items and ends, so that empty segments cost their end and their result.
//
// Of the segments of a tile only the first may have begun before it. So a tile tells what it has behind its last end, which is a
// prefix already, or, without an end, all of its items; the results of all other segments are stored without waiting for anybody,
// and whoever looks back stores the first (path_pipeline.cuh).
//
//   reduce      what is read elsewhere is asked for
//   hold        results, while that is on its way: a group of 1 to 32 lanes a segment, by their mean length; a warp for a long one
//   end_reduce  values take the place of the staged items that they are made of
//
// Source: Merrill & Garland, Merge-based Parallel Sparse Matrix-Vector Multiplication, SC 2016: tiles of equal work along the path;
//         Greathouse & Daga, Efficient Sparse Matrix-Vector Multiplication on GPUs Using the CSR Storage Format, SC 2014: segments
//         reduced out of shared memory by groups of lanes.
#pragma once
#include "look_back.cuh"
#include "path_pipeline.cuh"

namespace lookback::gpu {

template <class T, int Slots>
struct path_state : block_state<T, Slots, Slots> {
  std::uint64_t freed[Slots];      // barrier: all warps have done with the slot's tile
  room<T> total[2];                // what a tile tells
  bool ends_some[2];               // and whether it is what lies behind an end
  std::uint32_t next_segments[2];  // of a tile that are still to be taken
  struct {
    index_t segment;  // -1: none ends in the tile
    std::uint32_t tile;
    bool has, is_empty, begins_here;
    room<T> sum;
  } first[2];  // the segment that the prefix belongs to
};

template <class Parts, class Form, pass Pass>
struct per_end_work
    : staged_tiles<Parts, descriptors<typename Parts::value_type>, Form, path_state<typename Parts::value_type, Form::slots>> {
  using T = typename Parts::value_type;
  using base = staged_tiles<Parts, descriptors<T>, Form, path_state<T, Form::slots>>;
  using base::call;
  using base::state;
  using typename base::Op;
  using typename base::Out;

  template <class Items, bool Evaluates>
  struct found_elsewhere {};
  template <class Items>
  struct found_elsewhere<Items, true> {
    room<typename Items::looked_up> found[Form::items];
  };
  using summary = found_elsewhere<typename Parts::items_type, Form::evaluates>;

  /// What a segment begins with, for the open one of a tile that has no item of it yet.
  __device__ __forceinline__ T anew() const {
    if constexpr (has_neutral<Op>) return call.from.initial.has ? call.from.initial.value : neutral<Op>();
    else return empty_value();
  }
  /// The result of a segment without items.
  __device__ __forceinline__ T empty_value() const {
    if constexpr (has_identity<Op>) return call.from.initial.has ? call.from.initial.value : static_cast<T>(Op::identity());
    else return call.from.initial.value;  // asked for on the host
  }
  __device__ __forceinline__ T begun(T const& sum) const {
    return call.from.initial.has ? static_cast<T>(call.op(call.from.initial.value, sum)) : sum;
  }
  __device__ __forceinline__ void begin_call() const {
    state.next_segments[0] = 0;
    state.start.has = true;
    state.start.value = anew();
  }

  // ---- the items and ends of a tile in its slot

  struct staged {
    int items, at, ends_at, width;
    std::uint32_t origin;
    index_t begin;
    int slot, room;
  };
  __device__ __forceinline__ staged staged_in(int s) const {
    tile const t = this->tile_in(s);
    offset_window const& w = this->window_of(s);
    int at = 0;
    if constexpr (Form::evaluates) at = this->evaluated_at(s, t);
    return {static_cast<int>(t.end - t.begin),    at,      w.at,          this->offset_bytes(call.from.segments),
            static_cast<std::uint32_t>(w.origin), t.begin, this->slot(s), this->room_of(t)};
  }
  __device__ __forceinline__ T item(staged const& in, int place) const {
    if constexpr (Form::evaluates) return *slot_memory_at<T const>(in.at + place * static_cast<int>(sizeof(T)));
    else
      return static_cast<T>(
          value_at<line_bytes>(call.from.items, call.from.items.arrays(), in.slot, in.room, call.pad, in.begin, place));
  }
  /// Where segment k of the tile ends, -1 for the one before its first: never outside its items. Low words are enough: the
  /// difference of two positions in one tile is small.
  __device__ __forceinline__ int end_of(staged const& in, int k) const {
    auto const low = *slot_memory_at<std::uint32_t const>(in.ends_at + k * in.width);
    return static_cast<int>(min(low - in.origin, static_cast<std::uint32_t>(in.items)));
  }

  // ---- reductions

  /// The items at begin, begin + step ... below end, in order; nothing is asked where there is none. Operators with a neutral value
  /// take several at a time, of which none waits for another.
  __device__ __forceinline__ void reduce_run(staged const& in, int begin, int end, int step, room<T>& sum) const {
    if constexpr (has_neutral<Op>) {
      constexpr int together = 4;
      T folded = neutral<Op>();
      for (; begin < end; begin += together * step) {
        room<T> some[together];
#pragma unroll
        for (int k = 0; k < together; ++k) {
          some[k].value = neutral<Op>();
          if (begin + k * step < end) some[k].value = item(in, begin + k * step);
        }
#pragma unroll
        for (int k = 0; k < together; ++k) folded = call.op(folded, some[k].value);
      }
      sum.value = folded;
    } else if (begin < end) {
      T folded = item(in, begin);
      for (begin += step; begin < end; begin += step) folded = call.op(folded, item(in, begin));
      sum.value = folded;
    }
  }
  /// Lane `lane` of a group of 2^bits reduces its part of the items [begin, end), neighbours side by side where operands may be
  /// swapped. Says how many lanes have some.
  __device__ __forceinline__ int reduce_part(staged const& in, int begin, int end, int lane, int bits, room<T>& sum) const {
    int const items = end - begin, group = 1 << bits;
    if constexpr (is_commutative<Op>) {
      reduce_run(in, begin + lane, end, group, sum);
      return min(items, group);
    } else {
      int const part = (items + group - 1) >> bits, first = begin + lane * part;
      reduce_run(in, first, min(end, first + part), 1, sum);
      return part == 0 ? 0 : (items + part - 1) / part;
    }
  }
  /// The first lane of each group gets the reduction of the parts of its first `filled` lanes.
  __device__ __forceinline__ void reduce_group(room<T>& sum, int lane, int bits, int filled) const {
    for (int distance = 1; distance < 1 << bits; distance *= 2) {
      T const later = shuffle(sum.value, static_cast<int>(threadIdx.x + distance) % 32);
      if (lane + distance < filled) sum.value = call.op(sum.value, later);
    }
  }
  /// By one warp; every lane gets it. There is at least one item.
  __device__ __forceinline__ T reduce_by_warp(staged const& in, int begin, int end) const {
    int const lane = threadIdx.x % 32;
    room<T> sum;
    int const filled = reduce_part(in, begin, end, lane, 5, sum);
    reduce_group(sum, lane, 5, filled);
    return shuffle(sum.value, 0);
  }

  // ---- a tile

  /// Calls f(k, place) for the items of a tile that this thread has, neighbours by neighbouring threads, so that what they read
  /// lies close. Unrolled, by groups of which most are full: what has conditions is not asked for together.
  template <class F>
  __device__ __forceinline__ static void each_strided(int items, F&& f) {
    constexpr int group = 4;
    int const thread = threadIdx.x;
#pragma unroll
    for (int first = 0; first < Form::items; first += group) {
      if ((first + group) * Form::threads <= items && first + group <= Form::items) {
#pragma unroll
        for (int k = first; k < first + group; ++k) f(k, k * Form::threads + thread);
      } else {
#pragma unroll
        for (int k = first; k < first + group; ++k)
          if (k < Form::items && k * Form::threads + thread < items) f(k, k * Form::threads + thread);
      }
    }
  }
  /// All threads, when the tile has arrived: what is read elsewhere is asked for ...
  __device__ __forceinline__ void reduce(int s, summary& mine) const {
    if constexpr (Form::evaluates) {
      tile const t = this->tile_in(s);
      staged_arrays const from(call.from.items.arrays(), this->slot(s), this->room_of(t), call.pad, t.begin);
      auto const look_up = [&](index_t i, auto const&... x) { return call.from.items.look_up(i, x...); };
      each_strided(static_cast<int>(t.end - t.begin),
                   [&](int k, int place) { mine.found[k].value = from.value(look_up, t.begin, place); });
    }
  }
  /// ... and when it is there, values take the place of the items.
  __device__ __forceinline__ void end_reduce(int s, summary const& mine) const {
    if constexpr (Form::evaluates) {
      tile const t = this->tile_in(s);
      int const at = this->evaluated_at(s, t);
      staged_arrays const from(call.from.items.arrays(), this->slot(s), this->room_of(t), call.pad, t.begin);
      each_strided(static_cast<int>(t.end - t.begin), [&](int k, int place) {
        auto const value = [&](index_t i, auto const&... x) { return call.from.items.value_of(mine.found[k].value, i, x...); };
        *slot_memory_at<T>(at + place * static_cast<int>(sizeof(T))) = static_cast<T>(from.value(value, t.begin, place));
      });
      ptx::fence_for_copy_engine();  // the next copy into the slot comes after these
    }
  }

  /// One warp: what the tile tells.
  __device__ __forceinline__ void publish_early(int s, int parity) const {
    index_t const id = state.tile[s];
    staged const in = staged_in(s);
    int const ends = static_cast<int>(this->window_of(s).count), open = ends > 0 ? end_of(in, ends - 1) : 0;
    bool const prefix = ends > 0 || id == 0;
    room<T> told;
    if (open < in.items) {
      told.value = reduce_by_warp(in, open, in.items);
      if (ends > 0 || id == 0) told.value = begun(told.value);
    } else {
      told.value = anew();
    }
    if (threadIdx.x % 32 != 0) return;
    if constexpr (Pass != pass::scan_from_prefixes)
      this->tiles().publish(id, prefix ? status::prefix : status::aggregate, told.value);
    state.total[parity].value = told.value;
    state.ends_some[parity] = prefix;
  }
  /// One warp, before the slot is given away: what the tile has of the segment that its prefix belongs to.
  __device__ __forceinline__ void keep_first(int s, int parity) const {
    offset_window const& w = this->window_of(s);
    auto& first = state.first[parity];
    bool const leader = threadIdx.x % 32 == 0;
    if (leader) first.tile = state.tile[s], first.segment = w.count > 0 ? w.first - 1 : -1;
    if (w.count == 0) return;
    staged const in = staged_in(s);
    int const end = end_of(in, 0);
    if (leader) {
      index_t const begin = offset(in, -1);
      first.has = end > 0, first.is_empty = begin == offset(in, 0), first.begins_here = begin == in.begin;
    }
    if (end == 0) return;
    T const sum = reduce_by_warp(in, 0, end);
    if (leader) first.sum.value = sum;
  }
  /// The same warp: the prefix of the tile, if anybody needs it, and that segment.
  __device__ __forceinline__ void look_back_late(int parity) const {
    __syncwarp();
    auto const& first = state.first[parity];
    index_t const id = first.tile;
    room<T> before;
    if (first.segment >= 0 && first.begins_here) before.value = anew();  // nobody is asked
    else if (id == 0) before.value = state.start.value;
    else if constexpr (Pass == pass::scan_from_prefixes) this->tiles().peek(id - 1, before);
    else if constexpr (is_reproducible<Op> && std::is_floating_point_v<T>)
      before.value = call.in_order ? look_back_in_order<T>(this->tiles(), id, op()) : look_back<T>(this->tiles(), id, op());
    else before.value = look_back<T>(this->tiles(), id, op());
    if (threadIdx.x % 32 != 0) return;
    if constexpr (Pass == pass::look_back)
      if (!state.ends_some[parity]) this->tiles().publish(id, status::prefix, call.op(before.value, state.total[parity].value));
    if (first.segment < 0) return;
    T const value = first.has        ? static_cast<T>(call.op(before.value, first.sum.value))
                    : first.is_empty ? empty_value()
                                     : before.value;
    store_result(first.segment, value);
  }
  __device__ __forceinline__ index_t offset(staged const& in, int k) const {
    int const at = in.ends_at + k * in.width;
    return in.width == 4 ? *slot_memory_at<std::int32_t const>(at) : *slot_memory_at<index_t const>(at);
  }
  __device__ __forceinline__ directed<Op> op() const { return {call.op, false}; }
  __device__ __forceinline__ void store_result(index_t segment, T const& value) const {
    call.sink.out[segment] = static_cast<Out>(lookback::detail::stored(call.sink.f, segment, value));
  }

  /// All warps: the results of all segments but the first that ends in the tile, a batch of them after the other.
  __device__ __forceinline__ void hold(int s, int parity) const {
    if (threadIdx.x == 0) state.next_segments[parity ^ 1] = 0;  // of the tile before, which is done, for the next one
    if (threadIdx.x / 32 == looking_warp) keep_first(s, parity);
    offset_window const& w = this->window_of(s);
    int const others = static_cast<int>(w.count) - 1;
    if (others <= 0) return;
    staged const in = staged_in(s);
    int bits = 0;
    while (bits < 5 && in.items > (others + 1) * 8 << bits) ++bits;
    int const lane = threadIdx.x % 32, mine = lane & ((1 << bits) - 1), batch = 32 >> bits, longest = 32 << bits;
    for (;;) {
      int first = 0;
      if (lane == 0) first = static_cast<int>(atomicAdd(&state.next_segments[parity], static_cast<std::uint32_t>(batch)));
      first = __shfl_sync(all_lanes, first, 0);
      if (first >= others) return;
      int const k = 1 + first + (lane >> bits);
      bool const any = k <= others;
      int const begin = any ? end_of(in, k - 1) : 0, end = any ? max(end_of(in, k), begin) : 0;
      bool const is_long = end - begin > longest;
      room<T> sum;
      if (bits == 0) {
        reduce_run(in, begin, is_long ? begin : end, 1, sum);
      } else {
        int const filled = is_long ? 0 : reduce_part(in, begin, end, mine, bits, sum);
        reduce_group(sum, mine, bits, filled);
      }
      if (any && mine == 0 && !is_long) store_result(w.first - 1 + k, end > begin ? begun(sum.value) : empty_value());
      for (unsigned rest = __ballot_sync(all_lanes, is_long && mine == 0); rest != 0; rest &= rest - 1) {
        int const of = __ffs(static_cast<int>(rest)) - 1;
        T const all = reduce_by_warp(in, __shfl_sync(all_lanes, begin, of), __shfl_sync(all_lanes, end, of));
        if (lane == of) store_result(w.first - 1 + k, begun(all));
      }
    }
  }

  __device__ __forceinline__ void end_empty_call() const {}
  __device__ __forceinline__ void end_call() const {
    if (call.sink.count) *call.sink.count = this->segment_count(call.from.segments);
  }
};

}  // namespace lookback::gpu
