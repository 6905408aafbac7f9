// The work of a scan with a `compact` sink. A tile is read once, into a private buffer; only then are its counts published, so
// that whoever stores over the input stores over what has been read: compaction in place is safe.
#pragma once
#include <algorithm>
#include <array>
#include <cstring>
#include <utility>

#include "../overlap.hpp"
#include "../tile.hpp"
#include "memory.hpp"
#include "simd.hpp"

namespace lookback::cpu {

template <class Items, class Marks, class Sink>
struct compact_parts {
  using result = typename Sink::value_type;
  static constexpr int classes = Sink::classes;
  static constexpr bool marked = !std::is_same_v<Marks, no_segments>;
  static constexpr bool moves_items = std::is_same_v<std::remove_cvref_t<decltype(Sink::payload)>, the_item>;
  using class_type = std::conditional_t<(classes < 256), std::uint8_t, std::uint16_t>;
  static constexpr bool moves_lanes = detail::is_lane<result>;

  Items items;
  arrays_t<Items> arrays;
  Marks marks;  // where there are any, a marked item is of class 0, and nobody asks the items
  Sink sink;
  bool reversed, streaming;
};

template <class Parts>
class compact_work {
  using result = typename Parts::result;
  static constexpr int classes = Parts::classes;

 public:
  struct aggregate {
    std::array<index_t, classes> counts;
    static constexpr bool complete = false;
  };
  using prefix = aggregate;
  static constexpr bool reduces_ahead = false;

  struct room {
    result* staged;
    typename Parts::class_type* classes;
    std::uint64_t* words;
  };
  struct held {
    tile t;
    aggregate sum;
  };

  compact_work(Parts const& parts, index_t n, index_t items_per_tile, simd_level level)
      : parts_{parts}, n_{n}, items_{items_per_tile}, level_{level} {}

  index_t tiles() const { return tiles_of(n_, items_); }
  index_t room_bytes() const { return staged_bytes() + class_bytes() + (Parts::marked ? rounded(items_ / 8 + 8) : 0); }
  room room_at(std::byte* here) const {
    auto* const behind = here + staged_bytes();
    return {reinterpret_cast<result*>(here), reinterpret_cast<typename Parts::class_type*>(behind),
            reinterpret_cast<std::uint64_t*>(behind + class_bytes())};
  }

  maybe<prefix> first() const { return {prefix{}}; }
  prefix combine(prefix before, aggregate const& a) const {
    for (std::size_t c = 0; c < classes; ++c) before.counts[c] += a.counts[c];
    return before;
  }
  prefix combine(maybe<prefix> const& before, aggregate const& a) const { return combine(before.value, a); }

  held hold(room const& r, index_t id, int) const {
    held h{tile_at(id, n_, items_, parts_.reversed), {}};
    at_level(level_, [&](auto simd) { simd.gather(parts_, h.t, r, h.sum.counts.data()); });
    return h;
  }
  bool needs_prefix(held const&) const { return true; }
  aggregate reduce(room const&, held const& h) const { return h.sum; }
  void scan(room const& r, held const& h, maybe<prefix> const& before) const {
    if (stays(h, before.value)) return;
    result const* from = r.staged;
    for (std::size_t c = 0; c < classes; ++c) {
      put(static_cast<int>(c), from, before.value.counts[c], h.sum.counts[c]);
      from += h.sum.counts[c];
    }
  }
  maybe<prefix> serial(room const& r, held const& h, maybe<prefix> const& before) const {
    scan(r, h, before);
    return {combine(before, h.sum)};
  }

  /// A second pass reads what the first has read: where it would store over it, it stores to scratch first.
  struct elsewhere {
    std::array<result*, classes> outputs;
    std::array<bool, classes> reversed;
    prefix total;
    scratch<result> kept;
  };
  elsewhere second_pass(memory const& from, maybe<prefix> const& total) {
    index_t items = 0;
    for (index_t count : total.value.counts) items += count;
    bool in_place = false;
    for (int c = 0; c < classes; ++c) in_place |= lookback::detail::touches(parts_.arrays, parts_.sink, c, n_);
    elsewhere apart{{}, {}, total.value, {from, in_place ? items : 0}};
    result* here = apart.kept.data();
    for (std::size_t c = 0; here && c < classes; ++c) {
      apart.outputs[c] = std::exchange(parts_.sink.outputs[c], here);
      apart.reversed[c] = std::exchange(parts_.sink.reversed[c], false);
      here += total.value.counts[c];
    }
    return apart;
  }
  void end_second_pass(elsewhere const& apart) {
    result const* from = apart.kept.data();
    for (std::size_t c = 0; from && c < classes; ++c) {
      parts_.sink.outputs[c] = apart.outputs[c], parts_.sink.reversed[c] = apart.reversed[c];
      put(static_cast<int>(c), from, 0, apart.total.counts[c]);
      from += apart.total.counts[c];
    }
  }

 private:
  static index_t rounded(index_t bytes) { return (bytes + 63) / 64 * 64; }
  index_t class_bytes() const { return rounded(items_ * static_cast<index_t>(sizeof(typename Parts::class_type))); }
  /// Is the tile already where it belongs? It is not stored again: the tile after it may be comparing its first item with our last.
  bool stays(held const& h, prefix const& before) const {
    if constexpr (Parts::moves_items && classes == 1)
      return static_cast<void const*>(parts_.arrays.data) == parts_.sink.outputs[0] && !parts_.reversed &&
             before.counts[0] == h.t.begin && h.sum.counts[0] == h.t.end - h.t.begin;
    return false;
  }
  // A pack beyond the last item: compression stores whole packs.
  index_t staged_bytes() const { return rounded(items_ * static_cast<index_t>(sizeof(result))) + 64; }

  void put(int c, result const* from, index_t before, index_t count) const {
    if (count == 0) return;
    if (parts_.sink.reversed[c]) {
      result* to = parts_.sink.outputs[c] - before;
      for (index_t k = 0; k < count; ++k) *--to = from[k];
      return;
    }
    result* const to = parts_.sink.outputs[c] + before;
    index_t const bytes = count * static_cast<index_t>(sizeof(result));
    if (parts_.streaming) at_level(level_, [&](auto simd) { simd.stream_bytes(to, from, bytes); });
    else std::memcpy(static_cast<void*>(to), from, static_cast<std::size_t>(bytes));
  }

  Parts parts_;
  index_t n_, items_;
  simd_level level_;
};

}  // namespace lookback::cpu
