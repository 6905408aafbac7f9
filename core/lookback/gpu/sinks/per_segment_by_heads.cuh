// The sink `per_segment` on the GPU where heads say where segments begin: one result for each. From left to right whatever the
// direction: the results are the same. Segments are numbered by the heads before them, which the look-back counts; a head ends the
// segment before it. By offsets: per_segment_by_offsets.cuh.
#pragma once
#include "../device/store_run.cuh"
#include "../tiles/folded_tiles.cuh"
#include "../tiles/gather_columns.cuh"

namespace lookback::gpu {

/// How the outputs of a tile with so many heads leave: single ones are stored by the threads that have them, few are gathered in a
/// place aside of the slots before their destination is known, more in the slot itself, side by side, or, where it has no room for
/// all, one column after the other.
enum class leaving { by_owners, from_aside, from_slot, in_turn };

// A head ends the segment before it. While a tile is reduced, what that segment has in the thread of its head is kept; the prefix
// of the tile is wanted by the first head of each thread alone.
template <class Parts, class Form, class Exchange>
struct per_head_work : folded_tiles<Parts, Form, true, Exchange> {
  using base = folded_tiles<Parts, Form, true, Exchange>;
  using saved = typename Form::saved;
  using base::call;
  using base::is_chunk;
  using base::N;
  using base::scan_warp;
  using base::state;
  using typename base::Items;
  using typename base::Out;
  using typename base::runs;
  using typename base::summary;
  using typename base::T;
  static constexpr bool has_aside = Form::aside_bytes > 0, sums_units = saved::sums_units,
                        has_columns = decltype(call.sink.firsts)::count > 0;
  /// Do results of every tile fit where they are gathered? Then nothing leaves in turn.
  static constexpr bool all_fit = Form::all_fit();
  static constexpr int barriers_in_turn = all_fit ? 0 : 2 * (1 + decltype(call.sink.firsts)::count);
  static_assert(2 + barriers_in_turn <= 16,
                "at most 6 columns of firsts where a tile's results can outgrow its items: a block has 16 barriers");
  static_assert(Form::may_take_offsets == false);

  struct held {
    runs items;
    gpu::run<T, sums_units ? 1 : N> ended;
    room<T> first;
  };

  /// Where the value of place 0 of the tile is kept.
  __device__ __forceinline__ int saved_at(int s, tile t) const {
    auto const arrays = call.from.items.arrays();
    int const at = this->slot(s) + base::lead;
    if constexpr (saved::over >= 0) return at + place_of_array<saved::over>(arrays, Form::tile_items, call.layout.pad, t.begin);
    else return at + (detail::slot_bytes_of_arrays(arrays, Form::tile_items, call.layout.pad) + 15) / 16 * 16;
  }
  __device__ __forceinline__ static T& saved_in(int saved_at, int place) {
    return *slot_memory_at<T>(saved_at + place * static_cast<int>(sizeof(T)));
  }
  __device__ __forceinline__ void reduce(int s, summary& mine) const {
    if constexpr (!Exchange::stores && !sums_units) return base::reduce(s, mine);  // nothing is kept for a scan
    tile const t = this->tile_in(s);
    int const place = threadIdx.x * N, items = this->items_of_thread(t);
    mine.heads = this->read_heads(s, t, place, items);
    room<T> total;
    if constexpr (sums_units) {
      int const last = mine.heads.highest();
      total.value = static_cast<T>(last > 0 ? items - last : items);
    } else {
      int const at = saved_at(s, t);
      auto const keep = [&](int j, T const& value) { saved_in(at, place + j) = value; };
      this->fold_items(s, t, place, items, mine.heads, total, keep, keeps_where_others_read());
    }
    this->fold_threads(items, mine, total);
  }
  /// Vectors that a thread reads askew hold words of its neighbours.
  __device__ __forceinline__ bool keeps_where_others_read() const {
    constexpr bool shares_words = N * sizeof(T) % 16 != 0;
    return saved::over >= 0 && (shares_words || call.layout.pad != 0);
  }
  /// A warp apart passes the barriers of reduce and scan.
  __device__ __forceinline__ void pass_reduce() const {
    if constexpr (Exchange::stores && !sums_units)
      if (keeps_where_others_read()) this->pass_items();
  }
  __device__ __forceinline__ void pass_scan(int parity) const {
    if (way_of(parity) != leaving::in_turn) return;
#pragma unroll
    for (int k = 0; k < barriers_in_turn; ++k) this->pass_items(k);
  }

  __device__ __forceinline__ void publish_early(int s, int parity) const {
    base::publish_early(s, parity);
    if (threadIdx.x % 32 == 0) state.way[parity] = static_cast<std::uint8_t>(way_for(static_cast<int>(state.tile_heads[parity])));
  }
  __device__ __forceinline__ leaving way_for(int heads) const {
    if (heads * 64 <= Form::tile_items) return leaving::by_owners;
    int const bytes = bytes_gathered(heads);
    if (has_aside && bytes <= Form::aside_bytes) return leaving::from_aside;
    return all_fit || bytes <= call.layout.item_bytes ? leaving::from_slot : leaving::in_turn;
  }
  /// How the outputs of a tile leave, the same for all threads.
  __device__ __forceinline__ leaving way_of(int parity) const { return static_cast<leaving>(state.way[parity]); }
  __device__ __forceinline__ int bytes_gathered(int heads) const {
    int end = area_after<Out>(0, heads);
    for_each_column(call.sink.firsts, 0, end, heads, 0, 0, [&](char*, auto const& column) {
      end = area_after<typename std::remove_cvref_t<decltype(column)>::value_type>(end, heads);
    });
    return end;
  }

  /// Before barrier B: what will be gathered in the slot leaves it first. Few heads are gathered at once: only the first of the
  /// tile needs what comes before the tile.
  __device__ __forceinline__ void hold(int s, int parity, summary const& mine, held& holds) const {
    tile const t = this->tile_in(s);
    int const place = threadIdx.x * N, items = this->items_of_thread(t), first = mine.heads.lowest();
    if constexpr (!sums_units)
      if (first > 0 && first < N) holds.first.value = saved_in(saved_at(s, t), place + first);
    leaving const way = way_of(parity);
    if constexpr (has_aside)
      if (way == leaving::from_aside) return gather_aside(s, t, parity, mine, holds, first);
    if (items == 0 || way < leaving::from_slot) return;
    if constexpr (has_columns) this->load_items(holds.items, s, t, place);
    if constexpr (!sums_units) holds.ended.load(saved_at(s, t) + place * static_cast<int>(sizeof(T)));
  }
  /// What ends at the first head of this thread, `first`: all threads before it have a part.
  __device__ __forceinline__ void end_at_first(tile t, int parity, summary const& mine, held const& holds, int first,
                                               room<T>& run) const {
    bool const has = this->before_thread(t, parity, mine, run);
    if (first == 0) return;
    T own;
    if constexpr (sums_units) own = static_cast<T>(first);
    else own = holds.first.value;
    run.value = has ? static_cast<T>(this->op()(run.value, own)) : own;
  }
  __device__ __forceinline__ int rank_of_first(int parity, summary const& mine) const {
    return static_cast<int>(state.heads_before[parity][scan_warp()]) + mine.heads_before;
  }

  /// The number of the tile's first head among those of the call, which is where its first item goes.
  __device__ __forceinline__ index_t firsts_before(int parity) const { return state.count_before[parity] - this->open_before(); }
  /// The results of a tile: they begin at out[first]; the first head of all ends no segment if none was open.
  struct results {
    index_t first;
    int skipped, count;
  };
  __device__ __forceinline__ results results_of(int parity) const {
    index_t const before = state.count_before[parity];
    int const skipped = before == 0 ? 1 : 0;
    return {before - 1 + skipped, skipped, max(0, static_cast<int>(state.tile_heads[parity]) - skipped)};
  }

  __device__ __forceinline__ void scan(int s, int parity, summary const& mine, held const& holds) const {
    tile const t = this->tile_in(s);
    int const first = mine.heads.lowest(), rank = rank_of_first(parity, mine);
    leaving const way = way_of(parity);
    room<T> run;
    if constexpr (has_aside)
      if (way == leaving::from_aside) {
        if (first < N && rank == 0) put_first_of_tile(t, parity, mine, holds, first, run);
        return;
      }
    if (first < N) end_at_first(t, parity, mine, holds, first, run);
    if (way == leaving::by_owners) put_single(s, t, mine, run, first, state.count_before[parity] + rank);
    else if (way == leaving::from_slot) gather_all(s, t, parity, mine, holds, run, first, rank);
    else if constexpr (!all_fit) gather_in_turn(s, t, parity, mine, holds, run, first, rank);
    ptx::fence_for_copy_engine();
  }
  /// What is gathered aside is there at barrier B. Owners store behind B too and nobody waits for them, but threads that go on
  /// together are faster (docs/lab/gpu.md, Runs and results of segments by heads).
  __device__ __forceinline__ bool goes_on_together(int parity) const { return way_of(parity) != leaving::from_aside; }

  /// The heads of this thread from `first` on, one after the other: calls put(j) at each, with run the value that ends there.
  template <class Put>
  __device__ __forceinline__ void each_head(int s, tile t, summary const& mine, room<T>& run, int first, Put&& put) const {
    auto rest = mine.heads;
    int const saved = sums_units ? 0 : saved_at(s, t);
    for (int j = first; j < N;) {
      put(j);
      rest.drop_lowest();
      int const next = rest.lowest();
      if constexpr (sums_units) run.value = static_cast<T>(next - j);
      else if (next < N) run.value = saved_in(saved, static_cast<int>(threadIdx.x) * N + next);
      j = next;
    }
  }
  template <class Payload>
  __device__ __forceinline__ auto payload_of(Payload const& payload, int s, tile t, int j) const {
    return value_at(payload, call.from.items.arrays(), this->slot(s) + base::lead, Form::tile_items, call.layout.pad, t.begin,
                    static_cast<int>(threadIdx.x) * N + j);
  }
  /// Single heads: from the slot to memory. The first one of the thread is number `number` of all.
  __device__ __forceinline__ void put_single(int s, tile t, summary const& mine, room<T>& run, int first, index_t number) const {
    each_head(s, t, mine, run, first, [&](int j) {
      if (number > 0) call.sink.out[number - 1] = static_cast<Out>(call.sink.f(run.value));
      for_each_column_alone(call.sink.firsts, [&](auto const& column) {
        using value = typename std::remove_cvref_t<decltype(column)>::value_type;
        column.out[number - this->open_before()] = static_cast<value>(payload_of(column.payload, s, t, j));
      });
      ++number;
    });
  }
  /// Few heads: from the slot to where they are gathered aside, result r of the tile at place r.
  __device__ __forceinline__ void gather_aside(int s, tile t, int parity, summary const& mine, held const& holds, int first) const {
    if (first < N) {
      int const rank = rank_of_first(parity, mine), size = static_cast<int>(sizeof(Out));
      room<T> run;
      if (rank > 0) end_at_first(t, parity, mine, holds, first, run);
      int to = call.layout.aside_at + rank * size;
      gathered_places<decltype(call.sink.firsts)> firsts;
      firsts.begin_at(area_after<Out>(call.layout.aside_at, static_cast<int>(state.tile_heads[parity])),
                      static_cast<int>(state.tile_heads[parity]), rank);
      bool known = rank > 0;
      each_head(s, t, mine, run, first, [&](int j) {
        if (known) *slot_memory_at<Out>(to) = static_cast<Out>(call.sink.f(run.value));
        known = true;
        to += size;
        firsts.put(call.sink.firsts, [&](auto const& payload) { return payload_of(payload, s, t, j); });
      });
    }
    ptx::fence_for_copy_engine();  // nobody reads the slot any more: the next copy into it comes after these
  }
  __device__ __forceinline__ void put_first_of_tile(tile t, int parity, summary const& mine, held const& holds, int first,
                                                    room<T>& run) const {
    index_t const before = state.count_before[parity];
    if (before == 0) return;  // the first head of all ends no segment
    end_at_first(t, parity, mine, holds, first, run);
    call.sink.out[before - 1] = static_cast<Out>(call.sink.f(run.value));
  }
  __device__ __forceinline__ void store_aside(int parity) const {
    index_t const before = state.count_before[parity];
    int const heads = static_cast<int>(state.tile_heads[parity]);
    auto const* const results = slot_memory_at<Out const>(call.layout.aside_at);
    for (int k = static_cast<int>(threadIdx.x) + 1; k < heads; k += Form::threads) call.sink.out[before - 1 + k] = results[k];
    store_by_threads(call.sink.firsts, area_after<Out>(call.layout.aside_at, heads), firsts_before(parity), heads, Form::threads);
  }

  __device__ __forceinline__ void gather_results(int s, int parity, summary const& mine, held const& holds, room<T> const& run,
                                                 int first, int rank) const {
    results const r = results_of(parity);
    int const at = this->slot(s) + phase_of(call.sink.out + r.first);
    char* to = slot_memory() + at + (rank - r.skipped) * static_cast<int>(sizeof(Out));
    if (first < N && rank >= r.skipped) *reinterpret_cast<Out*>(to) = static_cast<Out>(call.sink.f(run.value));
    auto others = mine.heads;
    others.drop_lowest();
    int last = first;
#pragma unroll
    for (int j = 1; j < N; ++j)
      if (others.test(j)) {
        T value;
        if constexpr (sums_units) value = static_cast<T>(j - last);
        else value = holds.ended.get(j);
        to += sizeof(Out);
        *reinterpret_cast<Out*>(to) = static_cast<Out>(call.sink.f(value));
        last = j;
      }
  }
  template <class Column>
  __device__ __forceinline__ void gather_firsts(Column const& column, char* to, tile t, summary const& mine,
                                                held const& holds) const {
    using value = typename Column::value_type;
#pragma unroll
    for (int j = 0; j < N; ++j)
      if (mine.heads.test(j)) {
        *reinterpret_cast<value*>(to) =
            static_cast<value>(holds.items.value(column.payload, t.begin + static_cast<int>(threadIdx.x) * N + j, j));
        to += sizeof(value);
      }
  }
  __device__ __forceinline__ void gather_all(int s, tile t, int parity, summary const& mine, held const& holds, room<T> const& run,
                                             int first, int rank) const {
    gather_results(s, parity, mine, holds, run, first, rank);
    int const heads = static_cast<int>(state.tile_heads[parity]);
    for_each_column(call.sink.firsts, this->slot(s), area_after<Out>(0, heads), heads, firsts_before(parity), rank,
                    [&](char* to, auto const& column) { gather_firsts(column, to, t, mine, holds); });
  }
  __device__ __forceinline__ void gather_in_turn(int s, tile t, int parity, summary const& mine, held const& holds,
                                                 room<T> const& run, int first, int rank) const {
    auto const by = this->stores();
    int barrier = 0;
    auto const store_then_wait = [&](auto* begin, int count) {
      ptx::fence_for_copy_engine();
      this->sync_items(barrier++);
      if (by.any) store_area(begin, count, this->slot(s), by);
      if (ptx::has_copy_engine() && by.any && by.thread == 0) ptx::bulk_commit(), ptx::bulk_wait_read<0>();
      this->sync_items(barrier++);
    };
    results const r = results_of(parity);
    gather_results(s, parity, mine, holds, run, first, rank);
    store_then_wait(call.sink.out + r.first, r.count);
    int const heads = static_cast<int>(state.tile_heads[parity]);
    // Each in the area at the begin of the slot.
    for_each_column_alone(call.sink.firsts, [&](auto const& column) {
      char* const to = slot_memory() + this->slot(s) + phase_of(column.out + firsts_before(parity)) +
                       rank * static_cast<int>(sizeof(*column.out));
      gather_firsts(column, to, t, mine, holds);
      store_then_wait(column.out + firsts_before(parity), heads);
    });
  }

  /// `count` elements to `begin` from the area at `area`.
  template <class Element>
  __device__ __forceinline__ static void store_area(Element* out, int count, int area, typename base::storing by) {
    char* const begin = reinterpret_cast<char*>(out);
    store_run<Element>(begin, begin + count * static_cast<int>(sizeof(Element)), slot_memory() + area + phase_of(begin), by.thread,
                       by.threads);
  }
  /// Each column by another warp: what one warp does alone the others wait for.
  __device__ __forceinline__ void store(int s, int parity) const {
    leaving const way = way_of(parity);
    if constexpr (has_aside)
      if (way == leaving::from_aside) return store_aside(parity);
    if (way != leaving::from_slot) return;
    results const r = results_of(parity);
    int const heads = static_cast<int>(state.tile_heads[parity]), from = this->slot(s);
    bool const alone = ptx::has_copy_engine();
    int const thread = threadIdx.x, threads = alone ? 32 : Form::threads;
    if (thread < threads) store_area(call.sink.out + r.first, r.count, from, {true, thread, threads});
    store_columns(call.sink.firsts, from, area_after<Out>(0, heads), firsts_before(parity), heads, thread, threads,
                  alone ? Form::threads : 0);
    if (alone && threadIdx.x % 32 == 0) ptx::bulk_commit();
  }
  __device__ __forceinline__ void end_empty_call() const {
    index_t ended = 0;
    if constexpr (is_chunk) {
      if (!call.carry_out && call.carry_in && call.carry_in->any)
        call.sink.out[ended++] = static_cast<Out>(call.sink.f(call.carry_in->value));
      this->pass_on();
    }
    if (call.sink.count) *call.sink.count = ended;
  }
  /// By one warp of the last block, where there are tiles: as for compact, not before every block has read the number of items.
  __device__ __forceinline__ void end_call() const {
    if (!call.sink.count || threadIdx.x % 32 != 0) return;
    room<typename base::Published> all;
    this->tiles().peek(this->tile_count() - index_t{1}, all);
    *call.sink.count = all.value.count - (is_chunk && call.carry_out ? 1 : 0);
  }
};

}  // namespace lookback::gpu
