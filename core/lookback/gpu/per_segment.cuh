// The sink `per_segment` on the GPU: one result for each segment. Both forms go from left to right whatever the direction: the
// results are the same.
//
//   by heads   segments are numbered by the heads before them, which the look-back counts; a head ends the segment before it,
//              whose value is gathered in the tile's slot and leaves with the others by one bulk store
//   by ends    offsets: tiles are cut along the path that merges items and ends; the tile is scanned in its slot, and every end
//              picks its value there. Empty segments cost their end and their result, no more.
#pragma once
#include "folded_tiles.cuh"
#include "gather_columns.cuh"
#include "store_run.cuh"

namespace lookback::gpu {

template <class Parts, class Form, pass Pass>
struct per_head_work : folded_tiles<Parts, Form, true, Pass> {
  using base = folded_tiles<Parts, Form, true, Pass>;
  using base::call;
  using base::N;
  using base::scan_warp;
  using base::state;
  using typename base::Out;
  using typename base::runs;
  using typename base::summary;
  using typename base::T;

  struct held {
    runs items;
  };
  /// Before barrier B: the items of this thread leave the slot, which will be overwritten.
  __device__ __forceinline__ void hold(int s, held& mine) const {
    tile const t = this->tile_in(s);
    if (this->items_of_thread(t) > 0) this->load_items(mine.items, s, t, threadIdx.x * N);
  }

  /// The results of a tile: they begin at out[first]; the first head of all ends no segment.
  struct results {
    index_t first;
    int skipped, count;
  };
  __device__ __forceinline__ results results_of(int parity) const {
    index_t const before = state.count_before;
    int const skipped = before == 0 ? 1 : 0;
    return {before - 1 + skipped, skipped, max(0, static_cast<int>(state.tile_heads[parity]) - skipped)};
  }

  __device__ __forceinline__ void scan(int s, int parity, summary const& mine, held const& holds) const {
    tile const t = this->tile_in(s);
    int const place = threadIdx.x * N, items = this->items_of_thread(t);
    results const r = results_of(parity);
    int const at = this->slot(s) + static_cast<int>(detail::phase_of(call.sink.out + r.first));
    int rank = static_cast<int>(state.heads_before[parity][scan_warp()]) + mine.heads_before - r.skipped;
    room<T> run;
    bool const has = this->before_thread(t, parity, mine, run);
    this->each_item_of(items, [&](int j, bool first) {
      bool const head = mine.heads.test(j);
      if (head) {
        if (rank >= 0) *slot_memory_at<Out>(at + rank * static_cast<int>(sizeof(Out))) = static_cast<Out>(call.sink.f(run.value));
        ++rank;
      }
      this->advance(run, first && !has, this->value(holds.items, t.begin + place, j), head);
    });
    // What is stored of first items: the first head of the tile is of segment number count_before.
    for_each_column<Form>(
        call.sink.firsts, this->slot(s), area_after<Form, Out>(0), state.count_before,
        static_cast<int>(state.heads_before[parity][scan_warp()]) + mine.heads_before, [&](char* to, auto const& column) {
          using value = typename std::remove_cvref_t<decltype(column)>::value_type;
#pragma unroll
          for (int j = 0; j < N; ++j)
            if (mine.heads.test(j)) {
              *reinterpret_cast<value*>(to) = static_cast<value>(holds.items.value(column.payload, t.begin + place + j, j));
              to += sizeof(value);
            }
        });
    if (items > 0 && t.begin + place + items == this->n()) {  // the last segment of all ends with the last item
      index_t const segments = state.count_before + state.tile_heads[parity];
      call.sink.out[segments - 1] = static_cast<Out>(call.sink.f(run.value));
      if (call.sink.count) *call.sink.count = segments;
    }
    ptx::fence_for_copy_engine();
  }

  __device__ __forceinline__ void store(int s, int parity) const {
    bool const alone = ptx::has_copy_engine();
    if (alone && threadIdx.x / 32 != moving_warp) return;
    results const r = results_of(parity);
    char* const begin = reinterpret_cast<char*>(call.sink.out + r.first);
    store_run<Out>(begin, begin + r.count * static_cast<int>(sizeof(Out)), slot_memory() + this->slot(s) + detail::phase_of(begin),
                   alone ? threadIdx.x % 32 : threadIdx.x, alone ? 32 : base::form::threads);
    store_columns<Form>(call.sink.firsts, this->slot(s), area_after<Form, Out>(0), state.count_before,
                        static_cast<int>(state.tile_heads[parity]), alone ? threadIdx.x % 32 : threadIdx.x,
                        alone ? 32 : base::form::threads);
    if (alone && threadIdx.x % 32 == 0) ptx::bulk_commit();
  }
  __device__ __forceinline__ void end_empty_call() const {
    if (call.sink.count) *call.sink.count = 0;
  }
  __device__ __forceinline__ void end_call() const {}
};

template <class Parts, class Form, pass Pass>
struct per_end_work : folded_tiles<Parts, Form, false, Pass> {
  using base = folded_tiles<Parts, Form, false, Pass>;
  using base::array_count;
  using base::call;
  using base::N;
  using base::state;
  using typename base::Op;
  using typename base::Out;
  using typename base::runs;
  using typename base::summary;
  using typename base::T;

  struct held {};
  __device__ __forceinline__ void hold(int, held&) const {}

  /// After barrier B: what is scanned takes the place of the items.
  __device__ __forceinline__ void scan(int s, int parity, summary const& mine, held const&) const {
    tile const t = this->tile_in(s);
    int const place = threadIdx.x * N, items = this->items_of_thread(t);
    room<T> run;
    bool const has = this->before_thread(t, parity, mine, run);
    gpu::run<T, N> scanned;
    if (items > 0) {
      runs staged;
      this->load_items(staged, s, t, place);
      this->each_item_of(items, [&](int j, bool first) {
        this->advance(run, first && !has, this->value(staged, t.begin + place, j), mine.heads.test(j));
        scanned.set(j, run.value);
      });
    }
    if (array_count > 0) __syncthreads();  // others still read where this thread will write
    int const at = this->slot(s) + place * static_cast<int>(sizeof(T));
    if (items == N) {
      scanned.store(at);
    } else {
      this->each_item([&](int j, bool) {
        if (j < items) *slot_memory_at<T>(at + j * static_cast<int>(sizeof(T))) = scanned.get(j);
      });
    }
    ptx::fence_for_copy_engine();  // the next copy into the slot comes after these
  }

  /// After barrier C: every end of the tile picks the value of its segment.
  __device__ __forceinline__ void store(int s, int) const {
    tile const t = this->tile_in(s);
    segments const& described = call.from.segments;
    offset_window const& w = this->window_of(s);
    auto const* const scanned = slot_memory_at<T const>(this->slot(s));
    int const items = static_cast<int>(t.end - t.begin);
    for (int k = threadIdx.x; k < w.count; k += base::form::threads) {
      int const end = detail::place_of(described, w, k, items);
      bool const empty = !(detail::staged_offset(described, w, k - 1) < detail::staged_offset(described, w, k));
      T const value = empty ? empty_value() : end > 0 ? scanned[end - 1] : state.before.value;
      call.sink.out[w.first - 1 + k] = static_cast<Out>(call.sink.f(value));
    }
  }
  __device__ __forceinline__ T empty_value() const {
    if constexpr (has_identity<Op>) return call.from.initial.has ? call.from.initial.value : static_cast<T>(Op::identity());
    else return call.from.initial.value;
  }
  __device__ __forceinline__ void end_empty_call() const {}
  __device__ __forceinline__ void end_call() const {
    if (call.sink.count) *call.sink.count = this->segment_count(call.from.segments);
  }
};

}  // namespace lookback::gpu
