// The work of results of segments by offsets that have the same bits on every run, thread count and SIMD level: floats in one fixed
// tree, version 1, which is the GPU's too (path_tile.hpp has its sizes).
//
//   tile      so many steps of the path that merges items and ends of segments, an end before the item at its position
//   thread    its items, one after the other, anew behind each with which a segment ends; the sum at such an item is its segment's
//   warp      what threads have behind their last end: Kogge-Stone, steps 1 2 4 8 16, no further back than the last end; what comes
//             before a thread is put before the first sum that ends in it
//   in a tile the same once more, of warps
//   tiles     P' = P op what a tile has, or, where a segment ends in it, the initial value op what it has behind the last end. The
//             first segment that ends in a tile is P op its sum, and P is the initial value, else what changes nothing, for one
//             that begins with the tile; every other one is the initial value op its sum
//
// One of the engine's tiles is several of the tree's. What it tells needs only what lies behind its last end, so that a tile is
// published before most of its items are looked at.
#pragma once
#include <algorithm>
#include <array>

#include "../../model/descriptor.hpp"
#include "../../model/path_tile.hpp"
#include "../simd/unit.hpp"
#include "per_segment.hpp"

namespace lookback::cpu::inline LOOKBACK_UNIT {

template <class Parts>
class reproducible_ends_work {
  using T = typename Parts::value_type;
  using tree = path_tile<decltype(Parts::arrays), T>;

 public:
  /// Most tiles of the tree in one of the engine's: what it tells is that many values.
  static constexpr int most = std::clamp(512 / static_cast<int>(sizeof(T)), 8, 64);
  struct aggregate {
    std::array<T, static_cast<std::size_t>(most)> of;  // of each tile of the tree; of a complete one only the prefix
    int number;
    bool complete;  // a segment ends in it
  };
  using prefix = T;
  static constexpr bool reduces_ahead = false;
  struct nothing {};
  nothing second_pass(memory const&, maybe<T> const&) const { return {}; }
  void end_second_pass(nothing) const {}

  struct room {
    T* values;              // of a warp
    T* sums;                // of a tile of the tree, and the result of a segment without items
    T* open;                // what each thread of a warp has behind its last end
    std::uint16_t* places;  // of the sums that are results
    std::uint8_t* marks;    // a byte for each sum
  };
  /// Its steps, and the segments that end on them.
  struct held {
    index_t begin, end;
    index_t first, last;
  };

  reproducible_ends_work(Parts const& parts, path_by_ends<segment_ends> const& path, int tiles_of_tree, simd_level level)
      : parts_{parts}, path_{path}, steps_{std::clamp(tiles_of_tree, 1, most) * index_t{tree::steps}}, level_{level} {}
  static constexpr index_t tree_steps = tree::steps;

  index_t tiles() const { return tiles_of(path_.length(), steps_); }
  index_t room_bytes() const { return values_bytes + sums_bytes + open_bytes + places_bytes + marks_bytes; }
  room room_at(std::byte* here) const {
    auto* const sums = here + values_bytes;
    auto* const open = sums + sums_bytes;
    auto* const places = open + open_bytes;
    return {reinterpret_cast<T*>(here), reinterpret_cast<T*>(sums), reinterpret_cast<T*>(open),
            reinterpret_cast<std::uint16_t*>(places), reinterpret_cast<std::uint8_t*>(places + places_bytes)};
  }

  maybe<T> first() const { return {}; }
  T combine(T before, aggregate const& a) const {
    if (a.complete) return a.of[0];
    for (int k = 0; k < a.number; ++k) before = op(before, a.of[static_cast<std::size_t>(k)]);
    return before;
  }
  T combine(maybe<T> const& before, aggregate const& a) const { return combine(before.has ? before.value : anew(), a); }

  [[gnu::noinline]] held hold(room const&, index_t id, int) const {
    tile const steps = tile_at(id, path_.length(), steps_);
    index_t const first = path_.ended_by(steps.begin);
    return {steps.begin, steps.end, first, std::max(first, path_.ended_by(steps.end))};
  }
  bool needs_prefix(held const&) const { return true; }
  rereading rereads() const { return rereading::freely; }

  [[gnu::noinline]] aggregate reduce(room const& r, held const& h) const {
    aggregate a;
    a.number = 0, a.complete = false;
    index_t step = h.begin;
    auto const add = [&](T const& value) {
      if (a.complete) a.of[0] = op(a.of[0], value);
      else a.of[static_cast<std::size_t>(a.number++)] = value;
    };
    if (h.first < h.last) {  // the tile of the tree where the last end lies
      index_t const last = h.last - 1;
      step = std::clamp(path_.ends(last) + last, h.begin, h.end - 1) / tree_steps * tree_steps;
      tile const t = items_of(step, ended_by(step, h.first, h.last), h.last);
      index_t const end = std::clamp(path_.ends(last), t.begin, t.end) - t.begin;
      int const warp = static_cast<int>(std::max<index_t>(end - 1, 0) / tree::warp_items);
      add(published_value(true, fold(r, t, 1, last, anew(), warp, false, true)));
      a.complete = true;
      step += tree_steps;
    }
    for (; step < h.end; step += tree_steps) {
      tile const t = items_of(step, h.last, h.last);
      add(published_value(step == 0, fold(r, t, 0, h.last, anew(), 0, false, true)));
      a.complete |= step == 0;
    }
    return a;
  }
  [[gnu::noinline]] void scan(room const& r, held const& h, maybe<T> const& before) const {
    T running = before.has ? before.value : anew();
    index_t first = h.first;
    for (index_t step = h.begin; first < h.last; step += tree_steps) {
      index_t const end = std::min(step + tree_steps, h.end);
      index_t const room_for = std::min(h.last, first + tree_steps);  // of offsets that decrease there might be more
      index_t const last = end == h.end ? room_for : ended_by(end, first, room_for);
      tile const t = items_of(step, first, last);
      int const ends = static_cast<int>(last - first);
      auto const open = fold(r, t, ends, first, running, 0, true, last < h.last);
      if (ends > 0 || step == 0) running = published_value(true, open);
      else running = op(running, published_value(false, open));
      first = last;
    }
  }
  maybe<T> serial(room const& r, held const& h, maybe<T> const& before) const {
    auto const a = reduce(r, h);
    scan(r, h, before);
    return {combine(before, a)};
  }

 private:
  static constexpr index_t lines(index_t items) { return (items * static_cast<index_t>(sizeof(T)) + 63) / 64 * 64; }
  static constexpr index_t values_bytes = lines(tree::warp_items), sums_bytes = lines(tree::steps + 1), open_bytes = lines(33),
                           places_bytes = (tree::steps * 2 + 63) / 64 * 64, marks_bytes = (tree::steps + 128) / 64 * 64;

  T op(T const& earlier, T const& later) const { return static_cast<T>(parts_.op(earlier, later)); }
  /// What a segment begins with that has no item yet.
  T anew() const {
    using op_type = std::remove_const_t<decltype(Parts::op)>;
    if constexpr (has_neutral<op_type>) return parts_.initial.has ? parts_.initial.value : neutral<op_type>();
    else return parts_.empty.value;
  }
  T published_value(bool begun, maybe<T> const& open) const {
    if (!open.has) return anew();
    return begun && parts_.initial.has ? op(parts_.initial.value, open.value) : open.value;
  }

  /// path_.ended_by(steps), which lies in [first, last], near.
  index_t ended_by(index_t steps, index_t first, index_t last) const {
    while (first < last) {
      index_t const middle = first + (last - first) / 2;
      if (path_.ends(middle) + middle + 1 <= steps) first = middle + 1;
      else last = middle;
    }
    return first;
  }
  /// Of the tile of the tree that begins at `step`, where segments [first, last) end.
  tile items_of(index_t step, index_t first, index_t last) const {
    index_t const end = std::min(step + tree_steps, path_.length());
    index_t const from = std::clamp<index_t>(step - first, 0, path_.n);
    return {step / tree_steps, from, std::clamp(end - last, from, path_.n)};
  }
  maybe<T> fold(room const& r, tile const& t, int ends, index_t first, T const& before, int warp, bool stores, bool wanted) const {
    auto const by = [&](auto const* offsets) {
      return at_level(level_, [&](auto simd) {
        return simd.template fold_path_tile<tree>(parts_, r, t, offsets + first, ends, first, before, warp, stores, wanted);
      });
    };
    if (path_.ends.described.kind == segment_kind::offsets32) return by(path_.ends.template offsets<std::int32_t>());
    return by(path_.ends.template offsets<std::int64_t>());
  }

  Parts parts_;
  path_by_ends<segment_ends> path_;
  index_t steps_;
  simd_level level_;
};

}  // namespace lookback::cpu::inline LOOKBACK_UNIT
