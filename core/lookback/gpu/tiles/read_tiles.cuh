// How a thread reads its items, and where segments begin among them, from the slot that holds the tile.
#pragma once
#include "item_tiles.cuh"

namespace lookback::gpu {

template <class Parts, class Tiles, class Form, class State>
struct read_tiles : item_tiles<Parts, Tiles, Form, State> {
  using base = item_tiles<Parts, Tiles, Form, State>;
  using base::call;
  using base::global_begin;
  using base::has_segments;
  using base::is_chunk;
  using base::lead;
  using base::memory_warp;
  using base::N;
  using base::n;
  using base::order;
  using base::room_of;
  using base::slot;
  using base::state;
  using base::sync_items;
  using base::takes_offsets;
  using base::window;
  using typename base::form;
  using typename base::heads_type;
  using typename base::Key;
  using typename base::runs;
  using typename base::Segments;
  using typename base::T;

  // ---- heads

  __device__ __forceinline__ heads_type read_heads(int s, tile t, int place, int items) const {
    Segments const& described = call.from.segments;
    int const region = slot(s) + call.layout.item_bytes;
    index_t const first = t.begin + order().reversed;
    heads_type heads;
    if constexpr (is_runs<Segments>) {
      heads = heads_of_runs(s, t, place, items);
      return order().reversed ? ends_of_runs(s, t, place, items, heads) : heads;
    } else if constexpr (std::is_same_v<Segments, segments>) {
      switch (described.kind) {
        case segment_kind::flags8:
          heads = detail::read_flags<N>(region + phase_of(static_cast<char const*>(described.data) + t.begin),
                                        place + order().reversed);
          break;
        case segment_kind::bits:
          heads = detail::read_bits<N>(region + phase_of(static_cast<char const*>(described.data) + t.begin / 8),
                                       place + order().reversed);
          break;
        case segment_kind::rows:
          heads = detail::row_heads<N>(described.count, first + place + global_begin());
          break;
        case segment_kind::offsets32:
        case segment_kind::offsets64:
          heads = among_offsets(s, t, place, items);
          break;
        default:
          heads = by_ballot(described, region, first, place);
      }
    } else {
      heads = by_ballot(described, region, first, place);
    }
    heads.keep(items);
    if (order().reversed) {
      if (t.end == n() && place < n() - t.begin && n() - t.begin <= place + N)
        heads.put(static_cast<int>(n() - t.begin) - 1 - place, !state.continues || edge_key_differs());
    } else if (t.begin == 0 && place == 0) {
      if (!state.continues) heads.put(0, true);
      else if (edge_key_differs()) heads.put(0, true);
    }
    return heads;
  }
  /// All threads that have items; the bitmap is zero, before and after.
  __device__ __forceinline__ heads_type among_offsets(int s, tile t, int place, int items) const {
    heads_type heads{};
    if constexpr (takes_offsets) {
      segments const& described = call.from.segments;
      offset_window const& w = window();
      if (w.at != not_staged) {
        if (w.count == 0) return heads;
        detail::set_staged_heads(described, w, static_cast<int>(t.end - t.begin), call.layout.bitmap_at, threadIdx.x,
                                 form::threads);
        sync_items();
        heads = detail::read_bits<N>(call.layout.bitmap_at, place);
        __syncwarp();
        auto* const mine = slot_memory_at<std::uint32_t>(call.layout.bitmap_at) + memory_warp() * N;
        for (int v = threadIdx.x % 32; v < N; v += 32) mine[v] = 0;
      } else if (items > 0) {
        detail::each_head(described, w, place, place + items, [&](int at) { heads.put(at - place, true); });
      }
    }
    return heads;
  }
  /// The items with which runs end, if `heads` are those with which they begin.
  __device__ __forceinline__ heads_type ends_of_runs(int s, tile t, int place, int items, heads_type const& heads) const {
    auto const keys = call.from.items.arrays();
    using key = std::remove_cvref_t<decltype(*keys.data)>;
    heads_type ends;
#pragma unroll
    for (int w = 0; w < heads.words; ++w)
      ends.word[w] = __funnelshift_r(heads.word[w], w + 1 < heads.words ? heads.word[w + 1] : 0, 1);
    if (items == 0) return ends;
    bool last = true;
    if (index_t const right = t.begin + place + items; right < n()) {
      int const at = slot(s) + lead + phase_of(keys.data + t.begin), size = sizeof(key);
      key const& mine = *slot_memory_at<key const>(at + (place + items - 1) * size);
      last = !call.from.segments.equal(mine,
                                       right < t.end ? *slot_memory_at<key const>(at + (place + items) * size) : keys.data[right]);
    }
    ends.put(items - 1, last);
    return ends;
  }
  /// In memory order, whatever the direction.
  __device__ __forceinline__ heads_type heads_of_runs(int s, tile t, int place, int items) const {
    auto const keys = call.from.items.arrays();
    using key = std::remove_cvref_t<decltype(*keys.data)>;
    constexpr int size = sizeof(key);
    int const at = slot(s) + lead + phase_of(keys.data + t.begin) + place * size;
    auto const differ = [&](key const& a, key const& b) { return !call.from.segments.equal(a, b); };
    bool const has_left = t.begin + place > 0;
    // Does the first item of all begin a run?
    auto const begins = [&](key const& first) {
      if constexpr (is_chunk)
        if (state.continues) return differ(call.carry_in->last_key, first);
      return true;
    };
    heads_type heads{};
    if (items == N) {
      gpu::run<key, N> mine;
      mine.load(at);
      if (has_left ? differ(*slot_memory_at<key const>(at - size), mine.get(0)) : begins(mine.get(0))) heads.word[0] |= 1;
#pragma unroll
      for (int j = 1; j < N; ++j)
        if (differ(mine.get(j - 1), mine.get(j))) heads.word[j / 32] |= 1u << j % 32;
    } else {
#pragma unroll 1
      for (int j = 0; j < items; ++j)
        heads.put(j, j > 0 || has_left
                         ? differ(*slot_memory_at<key const>(at + (j - 1) * size), *slot_memory_at<key const>(at + j * size))
                         : begins(*slot_memory_at<key const>(at)));
    }
    return heads;
  }
  __device__ __forceinline__ heads_type by_ballot(Segments const& described, int region, index_t first, int place) const {
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
    } else if constexpr (std::is_same_v<Segments, segments> && std::is_same_v<Key, any_key>) {
      if (is_keys(call.from.segments)) return !detail::same_key(call.from.segments, edge, call.carry_in->last_key);
    } else if constexpr (std::is_same_v<Segments, segments> && std::is_arithmetic_v<Key> && !std::is_same_v<Key, char>) {
      if (is_keys(call.from.segments)) return !(static_cast<Key const*>(call.from.segments.data)[edge] == call.carry_in->last_key);
    }
    return false;
  }
  /// The key that the next chunk compares with.
  __device__ __forceinline__ void leave_key(Key& key) const {
    index_t const edge = order().reversed ? 0 : n() - 1;
    if constexpr (is_runs<Segments>) {
      if constexpr (is_chunk) key = call.from.items.arrays().data[edge];
    } else if constexpr (is_key_segments<Segments>) {
      if constexpr (std::is_same_v<Key, std::remove_cvref_t<decltype(*call.from.segments.data)>>)
        key = call.from.segments.data[edge];
    } else if constexpr (std::is_same_v<Segments, segments> && std::is_same_v<Key, any_key>) {
      if (is_keys(call.from.segments)) detail::keep_key(call.from.segments, edge, key);
    } else if constexpr (std::is_same_v<Segments, segments> && std::is_arithmetic_v<Key> && !std::is_same_v<Key, char>) {
      if (is_keys(call.from.segments)) key = static_cast<Key const*>(call.from.segments.data)[edge];
    }
  }

  // ---- items

  __device__ __forceinline__ void load_items(runs& items, int s, tile t, int place) const {
    items.load(call.from.items.arrays(), slot(s) + lead, room_of(t), call.layout.pad, t.begin, place);
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
  /// The same for a thread of `items` items.
  template <class Step>
  __device__ __forceinline__ void each_item_of(int items, Step&& step) const {
    if (items == N) return each_item(step);
    int const last = items - 1;
    bool const reversed = order().reversed;
    each_item([&](int j, bool) {
      if (j <= last) step(j, j == (reversed ? last : 0));
    });
  }
  /// The same for the one thread of a call whose run is short, straight from the slot: step(j, first, x).
  template <class Step>
  __device__ __forceinline__ void each_item_of_short_run(int s, tile t, int place, int items, Step&& step) const {
#pragma unroll 1
    for (int k = 0; k < items; ++k) {
      int const j = order().reversed ? items - 1 - k : k;
      step(j, k == 0,
           static_cast<T>(value_at(call.from.items, call.from.items.arrays(), slot(s) + lead, room_of(t), call.layout.pad, t.begin,
                                   place + j)));
    }
  }
  __device__ __forceinline__ T value(runs const& items, index_t begin, int j) const {
    return static_cast<T>(items.value(call.from.items, begin + j, j));
  }
};

}  // namespace lookback::gpu
