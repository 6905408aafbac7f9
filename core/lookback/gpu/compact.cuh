// The sink `compact` on the GPU: every item goes to the end of one of k outputs. What a tile tells is how many items of each class
// it holds. Its items are read into registers before its prefix is known, gathered class by class in its own slot afterwards, and
// leave by one bulk store a class. Where the source has segments, their heads are marks: a marked item is of class 0.
//
// In place: a tile publishes its counts only after all of it has arrived on chip, and its output begins at a prefix that says that
// every tile before it has published. So a store touches only bytes that have been read (Merrill & Garland 2016, 5).
#pragma once
#include "counters.cuh"
#include "look_back.cuh"
#include "staged_tiles.cuh"
#include "store_run.cuh"

namespace lookback::gpu {

/// One 16-bit counter for each of k classes, two a word.
template <int Classes>
struct class_counts {
  static constexpr int words = (Classes + 1) / 2;
  std::uint32_t word[words];
  __device__ __forceinline__ void clear() {
#pragma unroll
    for (int w = 0; w < words; ++w) word[w] = 0;
  }
  /// Counts one more of class c, any number; returns how many there were. Others than classes are not counted.
  __device__ __forceinline__ int add(int c) {
    if constexpr (Classes == 1) {
      int const before = static_cast<int>(word[0]);
      word[0] += c == 0;
      return before;
    } else {
      int const shift = c % 2 * 16;
      std::uint32_t here = 0;
#pragma unroll
      for (int w = 0; w < words; ++w) {
        here = c / 2 == w ? word[w] : here;
        word[w] += (c / 2 == w && c < Classes ? 1u : 0u) << shift;
      }
      return static_cast<int>(here >> shift & 0xffff);
    }
  }
  __device__ __forceinline__ int get(int c) const {  // a run-time class
    if constexpr (Classes == 1) return static_cast<int>(word[0]);
    std::uint32_t here = 0;
#pragma unroll
    for (int w = 0; w < words; ++w) here = c / 2 == w ? word[w] : here;
    return static_cast<int>(here >> c % 2 * 16 & 0xffff);
  }
};
template <int Classes>
struct add_counts {
  __device__ __forceinline__ class_counts<Classes> operator()(class_counts<Classes> a, class_counts<Classes> const& b) const {
#pragma unroll
    for (int w = 0; w < class_counts<Classes>::words; ++w) a.word[w] += b.word[w];
    return a;
  }
};

/// The class of each item of a thread, in registers.
template <int N, int Classes>
struct class_codes {
  static constexpr int bits = Classes < 2 ? 1 : Classes < 4 ? 2 : Classes < 8 ? 3 : Classes < 16 ? 4 : 5;
  static constexpr int per_word = 32 / bits, words = (N + per_word - 1) / per_word;
  std::uint32_t word[words];
  __device__ __forceinline__ void clear() {
#pragma unroll
    for (int w = 0; w < words; ++w) word[w] = 0;
  }
  // Stored so that 0 is "dropped": what was never put is dropped.
  __device__ __forceinline__ void put(int j, int c) {
    word[j / per_word] |= static_cast<std::uint32_t>(c + 1) << j % per_word * bits;
  }
  __device__ __forceinline__ int get(int j) const {
    return static_cast<int>(word[j / per_word] >> j % per_word * bits & ((1u << bits) - 1)) - 1;
  }
};

template <int Classes, int Warps, int Slots>
struct compact_state : block_state<int, Slots, 1> {
  class_counts<Classes> warp_total[Warps];      // of tile i+1, in scan order of the warps
  class_counts<Classes> warp_before[2][Warps];  // of tiles i and i+1
  class_counts<Classes> tile_total[2];
  index_t before[Classes];  // items of each class before tile i
};

template <class Parts, class Form, pass Pass>
struct compact_work
    : staged_tiles<Parts, count_descriptors, Form, compact_state<Parts::sink_type::classes, Form::warps, Form::slots>> {
  static constexpr int classes = Parts::sink_type::classes;
  using base = staged_tiles<Parts, count_descriptors, Form, compact_state<classes, Form::warps, Form::slots>>;
  using counts = class_counts<classes>;
  using base::call;
  using base::has_segments;
  using base::N;
  using base::order;
  using base::scan_warp;
  using base::state;
  using base::tile_count;
  using base::warps;
  using typename base::Out;
  using typename base::runs;
  using typename base::Segments;
  static_assert(!has_segments || classes <= 2, "what is marked is class 0, the rest class 1");
  static_assert(classes <= 16, "compact has at most 16 classes: a pass over digits counts by another way");
  static_assert(Form::tile_items < 65536, "a class of a tile is counted in 16 bits");

  struct summary {
    counts before;  // of the threads before it in its warp
    class_codes<N, classes> codes;
  };
  struct held {
    runs items;
  };

  /// Flags say of item 0 too whether it is marked; a run begins there.
  __device__ __forceinline__ void begin_call() const {
    if constexpr (std::is_same_v<Segments, segments>) state.continues = !is_keys(call.from.segments);
    else state.continues = false;
  }

  __device__ __forceinline__ void reduce(int s, summary& mine) const {
    tile const t = this->tile_in(s);
    int const place = threadIdx.x * N, items = this->items_of_thread(t);
    counts own;
    own.clear();
    mine.codes.clear();
    if constexpr (has_segments) {
      auto const marks = this->read_heads(s, t, place, items);
      if constexpr (classes == 1) {
        own.word[0] = static_cast<std::uint32_t>(marks.count());
#pragma unroll
        for (int w = 0; w < marks.words; ++w) mine.codes.word[w] = marks.word[w];
      } else {
        this->each_item_of(items, [&](int j, bool) {
          int const c = marks.test(j) ? 0 : 1;
          own.add(c);
          mine.codes.put(j, c);
        });
      }
    } else if (items > 0) {
      runs staged;
      this->load_items(staged, s, t, place);
      this->each_item_of(items, [&](int j, bool) {
        int const c = this->value(staged, t.begin + place, j);
        if (c < 0 || c >= classes) return;
        own.add(c);
        mine.codes.put(j, c);
      });
    }
    counts const total = warp_scan(own, add_counts<classes>{}, order(), 0, 32);
#pragma unroll
    for (int w = 0; w < counts::words; ++w) mine.before.word[w] = total.word[w] - own.word[w];
    if (order().lane() == 31) state.warp_total[scan_warp()] = total;
  }

  __device__ __forceinline__ strided<count_descriptors> told(int c) const { return {this->tiles(), classes, c}; }

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
    if (Pass != pass::scan_from_prefixes && lane < classes)
      told(lane).publish(id, id == 0 ? status::prefix : status::aggregate, total.get(lane));
    if (lane == 0) state.tile_total[parity] = total;
    if (Pass != pass::reduce_only && id == 0) leave_counts(id, 0, total);
  }
  __device__ __forceinline__ void look_back_late(int s, int parity) const {
    index_t const id = state.tile[s];
    int const lane = threadIdx.x % 32;
    if (id == 0) {
      if (lane < classes) state.before[lane] = 0;
      return;
    }
    counts const total = state.tile_total[parity];
    index_t mine = 0;
    if constexpr (Pass == pass::scan_from_prefixes) {
      room<index_t> before;
      if (lane < classes) told(lane).peek(id - 1, before), mine = before.value;
    } else {
#pragma unroll(classes <= 4 ? classes : 1)
      for (int c = 0; c < classes; ++c) {
        index_t const before = look_back<index_t>(told(c), id, directed<plus<index_t>>{{}, false});
        if (lane == c) mine = before;
      }
      if (lane < classes) told(lane).publish(id, status::prefix, mine + total.get(lane));
    }
    if (lane < classes) state.before[lane] = mine;
    leave_counts(id, mine, total);
  }
  /// The last tile knows how many there are: lane c has `before` of class c.
  __device__ __forceinline__ void leave_counts(index_t id, index_t before, counts const& total) const {
    int const lane = threadIdx.x % 32;
    if (id == tile_count() - index_t{1} && lane < classes) call.sink.counts[lane] = before + total.get(lane);
  }
  __device__ __forceinline__ void end_empty_call() const {
    for (int c = 0; c < classes; ++c) call.sink.counts[c] = 0;
  }

  /// Before barrier B: the items of this thread leave the slot, which will be overwritten.
  __device__ __forceinline__ void hold(int s, held& mine) const {
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
      room = (static_cast<int>(detail::phase_of(d.begin)) + d.bytes + 15) & ~15;
    }
    int const upto = classes == 1 ? 0 : warp_scan(room, directed<plus<int>>{{}, false}, scan_order{false}, 0, 32) - room;
    d.at = upto + static_cast<int>(detail::phase_of(d.begin));
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
    this->each_item([&](int j, bool) {
      int const c = mine.codes.get(j);
      int from = first, by = step;
      if constexpr (classes > 1) from = __shfl_sync(all_lanes, first, c & 31), by = __shfl_sync(all_lanes, step, c & 31);
      if (c < 0) return;
      Out const x = static_cast<Out>(holds.items.value(call.sink.payload, t.begin + place + j, j));
      *slot_memory_at<Out>(from + rank.add(c) * by) = x;
    });
    ptx::fence_for_copy_engine();
  }

  /// After barrier C: the gathered classes leave.
  __device__ __forceinline__ void store(int s, int parity) const {
    bool const alone = ptx::has_copy_engine();
    if (alone && threadIdx.x / 32 != moving_warp) return;
    destination const mine = destination_of(parity);
#pragma unroll
    for (int c = 0; c < classes; ++c) {
      char* const begin = shuffle(mine.begin, c);
      int const bytes = shuffle(mine.bytes, c), at = shuffle(mine.at, c);
      store_run<Out>(begin, begin + bytes, slot_memory() + this->slot(s) + at, alone ? threadIdx.x % 32 : threadIdx.x,
                     alone ? 32 : base::form::threads);
    }
    if (alone && threadIdx.x % 32 == 0) ptx::bulk_commit();
  }
  __device__ __forceinline__ void end_call() const {}
};

}  // namespace lookback::gpu
