// The sink `compact` on the GPU: every item goes to the end of one of k outputs. What a tile tells is how many items of each class
// it holds. Its items are read into registers before its prefix is known, gathered class by class in its own slot afterwards, and
// leave by one bulk store a class. Where the source has segments, their heads are marks: a marked item is of class 0.
//
// In place: a tile publishes its counts only after all of it has arrived on chip, and its output begins at a prefix that says that
// every tile before it has published. So a store touches only bytes that have been read (Merrill & Garland 2016, 5).
#pragma once
#include "../device/store_run.cuh"
#include "../protocol/counters.cuh"
#include "../tiles/class_sets.cuh"
#include "../tiles/gather_columns.cuh"
#include "../tiles/read_tiles.cuh"

namespace lookback::gpu {

template <int Classes, int Warps, int Slots>
struct compact_state : block_state<int, Slots, 1> {
  class_counts<Classes> warp_total[Warps];      // of tile i+1, in scan order of the warps
  class_counts<Classes> warp_before[2][Warps];  // of tiles i and i+1
  class_counts<Classes> tile_total[2];
  index_t before[Classes];  // items of each class before tile i
};

template <class Parts, class Form, class Exchange>
struct compact_work
    : read_tiles<Parts, typename Exchange::counts, Form, compact_state<Parts::sink_type::classes, Form::warps, Form::slots>> {
  static constexpr int classes = Parts::sink_type::classes;
  using base = read_tiles<Parts, typename Exchange::counts, Form, compact_state<classes, Form::warps, Form::slots>>;
  using counts = class_counts<classes>;
  using base::call;
  using base::has_segments;
  using base::is_chunk;
  using base::N;
  using base::order;
  using base::scan_warp;
  using base::state;
  using base::tile_count;
  using base::warps;
  using typename base::Out;
  using typename base::runs;
  using typename base::Segments;
  static_assert(classes == 1 || decltype(Parts::sink_type::beside)::count == 0, "columns stand beside one class");
  static_assert(!has_segments || classes == (is_ends_of_runs<Segments> ? 2 : 1),
                "what is marked is one class; first items of runs are class 0, last ones class 1");
  static_assert(classes <= 16, "compact has at most 16 classes: a pass over digits counts by another way");
  static_assert(Form::tile_items < 65536, "a class of a tile is counted in 16 bits");

  static constexpr bool few = classes <= 3;
  struct summary {
    counts before;  // of the threads before it in its warp
    std::conditional_t<few, class_masks<N, classes>, class_codes<N, classes>> items;
  };
  struct held {
    runs items;
  };

  /// Flags say of item 0 too whether it is marked; a run begins there.
  __device__ __forceinline__ void begin_call() const {
    if constexpr (std::is_same_v<Segments, segments>) state.continues = !is_keys(call.from.segments);
    else state.continues = false;
    if constexpr (is_chunk && has_segments) state.continues = state.continues || (call.carry_in && call.carry_in->any);
  }

  __device__ __forceinline__ void reduce(int s, summary& mine) const {
    tile const t = this->tile_in(s);
    int const place = threadIdx.x * N, items = this->items_of_thread(t);
    mine.items.clear();
    if constexpr (has_segments) {
      auto const marks = this->read_heads(s, t, place, items);
      auto first = marks, second = marks;
      if constexpr (is_ends_of_runs<Segments>) second = this->ends_of_runs(s, t, place, items, marks);
#pragma unroll
      for (int w = 0; w < marks.words; ++w) {
        if constexpr (is_ends_of_runs<Segments>) first.word[w] &= ~second.word[w], second.word[w] &= ~marks.word[w];
        mine.items.word[0][w] = first.word[w];
        if constexpr (classes == 2) mine.items.word[1][w] = second.word[w];
      }
    } else if (items == N) {
      runs staged;
      this->load_items(staged, s, t, place);
#pragma unroll
      for (int j = 0; j < N; ++j) mine.items.put(j, class_of(this->value(staged, t.begin + place, j)));
    } else {
      this->each_item_of_short_run(s, t, place, items, [&](int j, bool, int c) { mine.items.put_at(j, class_of(c)); });
    }
    counts const own = mine.items.counts();
    counts upto = own, total;
#pragma unroll
    for (int w = 0; w < counts::words; ++w) {
      upto.word[w] = sum_of_lanes_upto(own.word[w]);
      total.word[w] = __shfl_sync(all_lanes, upto.word[w], 31);
      mine.before.word[w] = order().reversed ? total.word[w] - upto.word[w] : upto.word[w] - own.word[w];
    }
    if (threadIdx.x % 32 == 31) state.warp_total[scan_warp()] = total;
  }

  /// Class `classes` is dropped: few classes have no bits for it.
  __device__ __forceinline__ static int class_of(int c) { return few || (c >= 0 && c < classes) ? c : -1; }

  __device__ __forceinline__ strided<typename Exchange::counts> descriptors_of(int c) const { return {this->tiles(), classes, c}; }

  __device__ __forceinline__ void publish_early(int s, int parity) const {
    index_t const id = state.tile[s];
    int const lane = threadIdx.x % 32;
    counts own;
    own.clear();
    if (lane < warps) own = state.warp_total[lane];
    counts const upto = warp_scan(own, add_counts<classes>{}, scan_order{false}, 0, 32);
    counts before, total;
#pragma unroll
    for (int w = 0; w < counts::words; ++w) before.word[w] = upto.word[w] - own.word[w];
    if (lane < warps) state.warp_before[parity][lane] = before;
    total = shuffle(upto, 31);
    if (lane < classes) Exchange::early(descriptors_of(lane), id, index_t{total.get(lane)}, id == 0);
    if (lane == 0) state.tile_total[parity] = total;
  }
  __device__ __forceinline__ void look_back_late(int s, int parity) const {
    index_t const id = state.tile[s];
    int const lane = threadIdx.x % 32;
    bool const helps = this->template helps_to_look_back<Exchange>();
    if (id == 0) {
      if (lane < classes && !helps) state.before[lane] = of_classes_before(lane);
      return;
    }
    counts const total = state.tile_total[parity];
    index_t const mine = Exchange::template before_of_each<classes>([this](int c) { return descriptors_of(c); }, id,
                                                                    this->template call_of_looker<Exchange>());
    if (lane >= classes || helps) return;
    Exchange::late(descriptors_of(lane), id, mine + total.get(lane));
    state.before[lane] = mine + of_classes_before(lane);
  }
  /// Where outputs lie behind each other: how many items all tiles have of the classes before class `c`, as the first pass found.
  __device__ __forceinline__ index_t of_classes_before(int c) const {
    index_t items = 0;
    if constexpr (Exchange::has_all_prefixes) {
      room<index_t> all;
      for (int before = 0; call.sink.stacked && before < c; ++before)
        descriptors_of(before).peek(tile_count() - 1, all), items += all.value;
    }
    return items;
  }
  __device__ __forceinline__ void end_empty_call() const {
    for (int c = 0; c < classes; ++c) call.sink.counts[c] = 0;
    if constexpr (is_chunk) this->pass_on();
  }

  /// Before barrier B: the items of this thread leave the slot, which will be overwritten.
  __device__ __forceinline__ void hold(int s, int, summary const&, held& mine) const {
    tile const t = this->tile_in(s);
    if (this->items_of_thread(t) > 0) this->load_items(mine.items, s, t, threadIdx.x * N);
  }

  /// Where one class of a tile goes and where it is gathered. Lane c of every warp has class c.
  struct destination {
    char* begin;
    int bytes, at;  // `at`: from the begin of the slot, at the phase of `begin`
  };
  __device__ __forceinline__ destination destination_of(int parity) const {
    int const lane = threadIdx.x % 32;
    destination d{nullptr, 0, 0};
    int room = 0;
    if (classes == 1 || lane < classes) {
      int const c = classes == 1 ? 0 : lane;
      int const count = state.tile_total[parity].get(c);
      Out* const end = call.sink.outputs[c];
      Out* const begin = call.sink.reversed[c] ? end - state.before[c] - count : end + state.before[c];
      d.begin = reinterpret_cast<char*>(begin);
      d.bytes = count * static_cast<int>(sizeof(Out));
      room = (phase_of(d.begin) + d.bytes + 15) & ~15;
    }
    int const upto = classes == 1 ? 0 : warp_scan(room, directed<plus<int>>{{}, false}, scan_order{false}, 0, 32) - room;
    d.at = upto + phase_of(d.begin);
    return d;
  }

  /// After barrier B: the items are gathered in the slot, class by class.
  __device__ __forceinline__ void scan(int s, int parity, summary const& mine, held const& holds) const {
    tile const t = this->tile_in(s);
    int const place = threadIdx.x * N;
    destination const d = destination_of(parity);
    int const lane = threadIdx.x % 32;
    bool const backwards = call.sink.reversed[classes == 1 ? 0 : min(lane, classes - 1)];
    constexpr int size = sizeof(Out);
    int const first = this->slot(s) + d.at + (backwards ? d.bytes - size : 0), step = backwards ? -size : size;
    counts rank = add_counts<classes>{}(mine.before, state.warp_before[parity][scan_warp()]);
    auto const put = [&](char* to, int j) {
      *reinterpret_cast<Out*>(to) = static_cast<Out>(holds.items.value(call.sink.payload, t.begin + place + j, j));
    };
    if constexpr (few) {
      // Items are put in memory order, from where the first of them goes: from right to left that is the last in scan order.
      char* to[classes];
      int by[classes];
#pragma unroll
      for (int c = 0; c < classes; ++c) {
        int const forwards = classes == 1 ? step : __shfl_sync(all_lanes, step, c);
        by[c] = order().reversed ? -forwards : forwards;
        to[c] = slot_memory() + (classes == 1 ? first : __shfl_sync(all_lanes, first, c)) +
                (rank.get(c) + (order().reversed ? mine.items.count(c) - 1 : 0)) * forwards;
      }
#pragma unroll
      for (int j = 0; j < N; ++j) {
#pragma unroll
        for (int c = 0; c < classes; ++c)
          if (mine.items.test(j, c)) put(to[c], j), to[c] += by[c];
      }
      if constexpr (classes == 1) {
        int const kept = state.tile_total[parity].get(0);
        for_each_column(call.sink.beside, this->slot(s), area_after<Out>(0, kept), kept, state.before[0], rank.get(0),
                        [&](char* at, auto const& column) {
                          using value = typename std::remove_cvref_t<decltype(column)>::value_type;
#pragma unroll
                          for (int j = 0; j < N; ++j)
                            if (mine.items.test(j, 0)) {
                              *reinterpret_cast<value*>(at) =
                                  static_cast<value>(holds.items.value(column.payload, t.begin + place + j, j));
                              at += sizeof(value);
                            }
                        });
      }
    } else {
      this->each_item([&](int j, bool) {
        int const c = mine.items.get(j), from = __shfl_sync(all_lanes, first, c & 31), by = __shfl_sync(all_lanes, step, c & 31);
        if (c >= 0) put(slot_memory() + from + rank.add(c) * by, j);
      });
    }
    ptx::fence_for_copy_engine();
  }

  /// After barrier C: the gathered classes leave.
  __device__ __forceinline__ void store(int s, int parity) const {
    auto const by = this->stores();
    if (!by.any) return;
    destination const mine = destination_of(parity);
#pragma unroll
    for (int c = 0; c < classes; ++c) {
      char* const begin = shuffle(mine.begin, c);
      int const bytes = shuffle(mine.bytes, c), at = shuffle(mine.at, c);
      store_run<Out>(begin, begin + bytes, slot_memory() + this->slot(s) + at, by.thread, by.threads);
    }
    if constexpr (classes == 1) {
      int const kept = state.tile_total[parity].get(0);
      store_columns(call.sink.beside, this->slot(s), area_after<Out>(0, kept), state.before[0], kept, by.thread, by.threads);
    }
    if (ptx::has_copy_engine() && by.thread == 0) ptx::bulk_commit();
  }
  /// By one warp of the last block, where there are tiles: the prefix of the last tile says how many items each class has. Not
  /// earlier: the counts may lie where the number of items does, and a late block still reads that.
  __device__ __forceinline__ void end_call() const {
    int const lane = threadIdx.x % 32;
    if (lane >= classes) return;
    room<index_t> all;
    descriptors_of(lane).peek(tile_count() - index_t{1}, all);
    call.sink.counts[lane] = all.value;
    if constexpr (is_chunk)
      if (lane == 0) leave_carry(all.value);
  }
  /// How many were kept up to here. Where outputs go over the input, the item at its edge is still there, or all are.
  __device__ __forceinline__ void leave_carry(index_t kept) const {
    if (!call.carry_out) return;
    auto& out = *call.carry_out;
    out.value = kept + (call.carry_in && call.carry_in->any ? call.carry_in->value : 0);
    out.any = true;
    out.count = state.carried_items + this->n();
    if constexpr (has_segments) this->leave_key(out.last_key);
  }
};

}  // namespace lookback::gpu
