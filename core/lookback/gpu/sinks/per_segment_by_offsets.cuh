// The sink `per_segment` on the GPU where offsets say where segments end: one result for each, from left to right whatever the
// direction. Tiles are cut along the path that merges items and ends, so that empty segments cost their end and their result.
//
// Values lie in the slot and are scanned there, each thread's neighbours by itself, whatever the lengths of segments: no branch is
// about them. What ends with an item is left in its place, and each result is read from the item that its segment ends with.
//
//   reduce       what is read elsewhere is asked for
//   mark_ends    a bit for each item with which a segment ends
//   end_reduce   values take the place of the staged items that they are made of
//   scan         a thread's values, from end to end; then lanes
//   publish_early    what a warp has behind its last end is joined to what the next one ends first; what the tile tells
//   store        results, of all segments but the first, by all threads
//   look_back_late   the result of the first
//
// Of the segments of a tile only the first may have begun before it. So a tile tells what it has behind its last end, which is a
// prefix already, or, without an end, all of its items; whoever looks back stores the first (merge_path.cuh).
//
// Source: Merrill & Garland, Merge-based Parallel Sparse Matrix-Vector Multiplication, SC 2016: tiles of equal work along the path;
//         Sengupta, Harris, Zhang, Owens, Scan Primitives for GPU Computing, 2007: products scanned from row to row.
#pragma once
#include "../pipelines/merge_path.cuh"
#include "../pipelines/merge_path_state.cuh"

namespace lookback::gpu {

template <class Parts, class Form, class Exchange>
struct per_end_work : path_tiles<Parts, typename Exchange::template values<typename Parts::value_type>, Form,
                                 path_state<typename Parts::value_type, Form, Parts::is_chunk>> {
  using T = typename Parts::value_type;
  using base = path_tiles<Parts, typename Exchange::template values<T>, Form, path_state<T, Form, Parts::is_chunk>>;
  using base::call;
  using base::is_chunk;
  using base::N;
  using base::state;
  using typename base::Op;
  using typename base::Out;
  static constexpr int warp_items = 32 * N;
  static_assert(N <= 32, "a bit for each item of a thread");

  template <class Items, bool ReadsElsewhere>
  struct found_elsewhere {};
  template <class Items>
  struct found_elsewhere<Items, true> {
    room<typename Items::looked_up> found[N];
  };
  using Items = typename Parts::items_type;
  using summary = found_elsewhere<Items, reads_elsewhere<Items>>;

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
    state.start.has = true;
    if constexpr (is_chunk) {
      state.continues = call.carry_in && call.carry_in->any;
      state.start.value = state.continues ? call.carry_in->value : anew();
    } else {
      state.start.value = anew();
    }
  }
  /// Every thread, before the first tile.
  __device__ __forceinline__ void begin_block() const {
    if (threadIdx.x < Form::threads) state.ends[0][threadIdx.x] = state.ends[1][threadIdx.x] = 0;
  }
  /// Every thread, before the first tile: what items read so often that the block keeps it.
  __device__ __forceinline__ void keep_values() const {
    if constexpr (caches_values<Items>) {
      auto const* const from = reinterpret_cast<uint4 const*>(call.from.items.cached());
      auto* const to = slot_memory_at<uint4>(call.layout.cache_at);
      constexpr int size = static_cast<int>(sizeof(typename Items::looked_up));
      int const words = static_cast<int>(call.from.items.cached_count) * size / 16;
#pragma unroll 4
      for (int k = threadIdx.x; k < words; k += block_threads<Form>) to[k] = from[k];
    }
  }

  // ---- the values and ends of a tile in its slot

  using staged = staged_path<T>;
  __device__ __forceinline__ staged staged_in(int s) const {
    auto const& placed = state.placed[s];
    return {placed.items,
            placed.ends,
            offset_bytes(call.from.segments),
            placed.origin,
            ptx::opaque(slot_memory_at<T>(placed.values_at)),
            ptx::opaque(slot_memory() + placed.ends_at)};
  }

  // ---- made of what has arrived

  /// Puts what make(k, place) gives by put(k, place, made), for the items of a tile that this thread has, neighbours by
  /// neighbouring threads, so that what they read lies close. Unrolled, by groups of which most are full: what has conditions is
  /// not asked for together. All of a full group is read before any of it is put: the compiler cannot know that they are not the
  /// same memory.
  template <class Make, class Put>
  __device__ __forceinline__ static void each_strided(int items, Make&& make, Put&& put) {
    constexpr int group = 4;
    int const thread = threadIdx.x;
#pragma unroll
    for (int first = 0; first < N; first += group) {
      if ((first + group) * Form::threads <= items && first + group <= N) {
        room<std::remove_cvref_t<decltype(make(0, 0))>> made[group];
#pragma unroll
        for (int k = 0; k < group; ++k) made[k].value = make(first + k, (first + k) * Form::threads + thread);
#pragma unroll
        for (int k = 0; k < group; ++k) put(first + k, (first + k) * Form::threads + thread, made[k].value);
      } else {
#pragma unroll
        for (int k = first; k < first + group; ++k)
          if (k < N && k * Form::threads + thread < items) put(k, k * Form::threads + thread, make(k, k * Form::threads + thread));
      }
    }
  }
  /// All threads, when the tile has arrived: what is read elsewhere is asked for ...
  __device__ __forceinline__ void reduce(int s, summary& mine) const {
    if constexpr (reads_elsewhere<Items>) {
      auto const& placed = state.placed[s];
      staged_arrays const from(call.from.items.arrays(), placed.arrays_at);
      index_t const begin = state.item_begin[s];
      auto const look_up = [&](index_t i, auto const&... x) {
        if constexpr (caches_values<Items>)
          return call.from.items.look_up(slot_memory_at<typename Items::looked_up const>(call.layout.cache_at), ptx::load_to_stay{},
                                         i, x...);
        else return call.from.items.look_up(i, x...);
      };
      each_strided(
          placed.items, [&](int, int place) { return from.value(look_up, begin, place); },
          [&](int k, int, auto const& found) { mine.found[k].value = found; });
    }
  }
  /// Which items segments end with. Of several that end at one place the first has items. One that ends behind the tile's first
  /// item and is the first of the tile has, however far away it began: low words say nothing of that. Neighbouring ends by each
  /// thread, an odd number: most of them are marked in one word, and words of 4 bytes of a warp lie in different banks. The
  /// body of the loop is written out twice; where values are kept once, which is faster there (docs/lab/gpu.md, A plan by the
  /// benchmark, marks of ends).
  ///
  /// All lanes go round as often as each other, here and where results are stored. Where they do not, the compiler may let those
  /// that go on yield, and those that wait for them go on too: such a warp does all up to the next barrier twice, and its block
  /// waits for it (docs/lab/gpu.md, Sparse matrix: short rows).
  __device__ __forceinline__ void mark_ends(int s, int parity) const {
    staged const in = staged_in(s);
    int const each = ((in.ends + Form::threads - 1) / Form::threads) | 1;
    if (static_cast<int>(threadIdx.x) / 32 * 32 * each >= in.ends) return;  // none for the warp
    int const first = min(static_cast<int>(threadIdx.x) * each, in.ends);
    int const last = min(first + each, in.ends) - 1;
    std::uint32_t before = in.low_end(first - 1);
    unsigned owner = 0, bits = 0;
    constexpr int times = caches_values<Items> ? 1 : 2;
#pragma unroll times
    for (int k = first; k < first + each; ++k) {
      // Behind its own ends a thread reads its last one again, which is marked already; one without ends the last one of the tile.
      std::uint32_t const low = in.low_end(min(k, last));
      int const end = in.in_tile(low);
      auto const item = static_cast<unsigned>(end - 1), of = thread_of(item);
      bool const marks = (low != before || k == 0) && end > 0, moves = marks && of != owner;
      if (moves && bits != 0) atomicOr(&state.ends[parity][owner], bits);
      bits = (moves ? 0u : bits) | (marks ? 1u << (item - of * N) : 0u);
      if (marks) owner = of;
      before = low;
    }
    if (bits != 0) atomicOr(&state.ends[parity][owner], bits);
  }
  __device__ __forceinline__ static unsigned thread_of(unsigned item) {
    constexpr unsigned bits = 20, share = (1u << bits) / N + 1;  // item / N, by a product of 32 bits
    static_assert(Form::tile_items <= (1u << bits) / N && index_t{Form::tile_items} * share < index_t{1} << 32);
    return item * share >> bits;
  }
  /// ... and when it is there, values take the place of the items.
  __device__ __forceinline__ void end_reduce(int s, [[maybe_unused]] summary const& mine) const {
    if constexpr (Form::evaluates) {
      auto const& placed = state.placed[s];
      staged_arrays const from(call.from.items.arrays(), placed.arrays_at);
      index_t const begin = state.item_begin[s];
      T* const values = slot_memory_at<T>(placed.values_at);
      each_strided(
          placed.items,
          [&](int k, int place) {
            auto const value = [&](index_t i, auto const&... x) {
              if constexpr (reads_elsewhere<Items>) return call.from.items.value_of(mine.found[k].value, i, x...);
              else return call.from.items(i, x...);
            };
            return static_cast<T>(from.value(value, begin, place));
          },
          [&](int, int place, T const& made) { values[place] = made; });
    }
  }

  // ---- scanned in the slot

  /// What a thread's values come to from end to end: `sum` of those behind the last one.
  template <bool Full>
  __device__ __forceinline__ void scan_thread(T* values, int count, unsigned ends, room<T>& sum) const {
    room<T> some[N];
#pragma unroll
    for (int j = 0; j < N; ++j)
      if (Full || j < count) some[j].value = values[j];
    sum.value = some[0].value;
#pragma unroll
    for (int j = 1; j < N; ++j)
      if (Full || j < count) {
        sum.value = ends >> (j - 1) & 1 ? some[j].value : static_cast<T>(call.op(sum.value, some[j].value));
        if (ends >> j & 1) values[j] = sum.value;
      }
  }
  /// Lanes in order, the first of which `hold` items, each with the sum of what lies behind its last end, if it `has` some; lanes
  /// that are `ending` have ends. Each gets all that lies behind the last end up to and with its own. The lanes for which there is
  /// some.
  __device__ __forceinline__ unsigned scan_open(room<T>& sum, bool holds, bool has, unsigned ending) const {
    int const lane = threadIdx.x % 32;
    int from = last_lane_upto(ending, lane);
    from += !(__ballot_sync(all_lanes, has) >> from & 1);
    if (!holds) from = 32;
#pragma unroll
    for (int distance = 1; distance < 32; distance *= 2) {
      T const earlier = shuffle(sum.value, (lane - distance) & 31);
      if (lane - distance >= from) sum.value = call.op(earlier, sum.value);
    }
    return __ballot_sync(all_lanes, from <= lane);
  }
  /// All warps, when values are there.
  __device__ __forceinline__ void scan(int s, int parity) const {
    auto const& placed = state.placed[s];
    int const items = placed.items, thread = threadIdx.x, lane = thread % 32, warp = thread / 32, first = thread * N;
    if (warp * warp_items < items) {
      T* const values = ptx::opaque(slot_memory_at<T>(placed.values_at) + first);
      int const count = max(0, min(N, items - first));
      unsigned const ends = state.ends[parity][thread];
      state.ends[parity][thread] = 0;
      room<T> sum;
      if (items >= (warp + 1) * warp_items) scan_thread<true>(values, count, ends, sum);
      else if (count > 0) scan_thread<false>(values, count, ends, sum);
      unsigned const ending = __ballot_sync(all_lanes, ends != 0);
      unsigned const having = scan_open(sum, count > 0, count > 0 && !(ends >> (count - 1) & 1), ending);
      T const before = shuffle(sum.value, (lane - 1) & 31);
      auto& open = state.open[s][warp];
      if (ends != 0) {
        int const place = __ffs(static_cast<int>(ends)) - 1;
        if (having << 1 >> lane & 1) values[place] = call.op(before, values[place]);
        if (ending << (31 - lane) == 1u << 31) open.first_end = first + place;
      }
      if (count > 0 && (lane == 31 || items <= first + N)) {
        open.sum.value = sum.value, open.has = having >> lane & 1;
        if (ending == 0) open.first_end = -1;
      }
    }
    __syncwarp();
    ptx::barrier_arrive(&state.scanned[s]);
  }
  /// All threads, when warps are joined: the results of all segments but the first that ends in the tile.
  __device__ __forceinline__ void store(int s) const {
    staged const in = staged_in(s);
    constexpr int threads = Form::threads;
    int const count = in.ends - 1, thread = threadIdx.x;
    char const* at = in.first_end + (1 + thread) * in.width;
    index_t segment = this->window_of(s).first + thread;
    auto const result = [&](int ahead) -> T {
      char const* const end_at = at + ahead * in.width;
      int const begin = in.in_tile(*reinterpret_cast<std::uint32_t const*>(end_at - in.width)),
                end = in.in_tile(*reinterpret_cast<std::uint32_t const*>(end_at));
      return end > begin ? begun(in.values[end - 1]) : empty_value();
    };
    int done = 0;
    auto const go_on = [&](int by) { done += by, segment += by, at += by * in.width; };
    for (; done + 2 * threads <= count; go_on(2 * threads)) {
      T const one = result(0), other = result(threads);
      store_result(segment, one), store_result(segment + threads, other);
    }
    for (; done < count; go_on(threads))  // all lanes, as in mark_ends
      if (done + thread < count) store_result(segment, result(0));
  }

  // ---- told to others, by warps that have no items

  /// What begins in one warp and ends in another is joined. What the tile tells, and what it has of the segment that its prefix
  /// belongs to.
  __device__ __forceinline__ void publish_early(int s, int k) const {
    staged const in = staged_in(s);
    auto& first = state.first[k];
    index_t const id = state.tile[s];
    int const lane = threadIdx.x % 32, filled = (in.items + warp_items - 1) / warp_items, last = max(filled - 1, 0);
    auto const& open = state.open[s][min(lane, last)];
    int const first_end = lane < filled ? open.first_end : -1;
    room<T> sum;
    sum.value = open.sum.value;
    unsigned const ending = __ballot_sync(all_lanes, first_end >= 0);
    unsigned const having = scan_open(sum, lane < filled, lane < filled && open.has, ending);
    T const before = shuffle(sum.value, (lane - 1) & 31), behind = shuffle(sum.value, last);
    if (first_end >= 0 && having << 1 >> lane & 1) in.values[first_end] = call.op(before, in.values[first_end]);
    __syncwarp();
    ptx::barrier_arrive(&state.joined[s]);
    ptx::fence_for_copy_engine();  // the next copy into the slot comes after these
    if (lane != 0) return;
    bool const has_open = filled > 0 && having >> last & 1, publishes_prefix = in.ends > 0 || id == 0;
    room<T> published;
    if (has_open) published.value = publishes_prefix ? begun(behind) : behind;
    else published.value = anew();
    if constexpr (is_chunk) {
      if (has_open && id == 0 && in.ends == 0 && state.continues) published.value = call.op(state.start.value, behind);
      if (id == state.tile_count - index_t{1}) state.leaves_open = has_open;
    }
    Exchange::early(this->tiles(), id, published.value, publishes_prefix);
    first.published.value = published.value;
    first.publishes_prefix = publishes_prefix;
    first.tile = static_cast<std::uint32_t>(id);
    first.segment = in.ends > 0 ? this->window_of(s).first - 1 : none_ends;
    if (in.ends == 0) return;
    int const end = in.in_tile(in.low_end(0));
    index_t const begin = in.offset(-1);
    first.has = end > 0, first.is_empty = begin == in.offset(0),
    first.begins_here = begin == this->begin_in_whole() + state.item_begin[s];
    if (end > 0) first.sum.value = in.values[end - 1];
  }
  /// There is no further tile.
  static constexpr index_t none_ends = -1, no_tile = -2;
  __device__ __forceinline__ void publish_end(int k) const {
    if (threadIdx.x % 32 == 0) state.first[k].segment = no_tile;
  }
  __device__ __forceinline__ bool ends_with(int k) const { return state.first[k].segment == no_tile; }
  /// The prefix of the tile, if anybody needs it, and that segment.
  __device__ __forceinline__ void look_back_late(int k) const {
    auto const& first = state.first[k];
    index_t const id = first.tile;
    room<T> before;
    if (first.segment >= 0 && first.begins_here) before.value = anew();  // nobody is asked
    else if (id == 0) before.value = state.start.value;
    else
      before.value = Exchange::template before<T>(this->tiles(), id, first.publishes_prefix, op(), in_order(),
                                                  {call.memory.state, state.tile_count});
    if (threadIdx.x % 32 != 0) return;
    if (!first.publishes_prefix) Exchange::late(this->tiles(), id, call.op(before.value, first.published.value));
    if constexpr (is_chunk)
      if (id == state.tile_count - index_t{1})
        leave_carry(first.publishes_prefix ? first.published.value : static_cast<T>(call.op(before.value, first.published.value)));
    if (first.segment < 0) return;
    T const result = first.has        ? static_cast<T>(call.op(before.value, first.sum.value))
                     : first.is_empty ? empty_value()
                                      : before.value;
    store_result(first.segment, result);
  }
  __device__ __forceinline__ directed<Op> op() const { return {call.op, false}; }
  __device__ __forceinline__ auto in_order() const {
    if constexpr (is_reproducible<Op> && rounds<T>) return call.in_order;
    else return std::false_type{};
  }
  __device__ __forceinline__ void store_result(index_t segment, T const& result) const {
    call.sink.out[segment] = static_cast<Out>(lookback::detail::stored(call.sink.f, segment, result));
  }

  /// By the last tile: what is open behind it.
  __device__ __forceinline__ void leave_carry(T const& open) const {
    if (!call.carry_out) return;
    auto& out = *call.carry_out;
    out.value = open;
    out.any = state.leaves_open;
    out.count = state.carried_items + this->n();
  }
  __device__ __forceinline__ void end_empty_call() const {
    if constexpr (is_chunk) this->pass_on();
    leave_count();
  }
  __device__ __forceinline__ void end_call() const { leave_count(); }
  __device__ __forceinline__ void leave_count() const {
    if (call.sink.count && threadIdx.x % 32 == 0) *call.sink.count = this->segment_count();
  }
};

}  // namespace lookback::gpu
