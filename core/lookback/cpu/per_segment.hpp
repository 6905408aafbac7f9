// The work of a scan with a `per_segment` sink. Both kinds go from left to right whatever the direction: the results are the same.
//
//   by heads   a segment is numbered by the heads before it, which the look-back counts
//   by ends    offsets and rows: a tile covers equal work on the path that merges items and segment ends, so that ten million
//              empty segments spread over all workers as items do. Source: Green, McColl, Bader, GPU Merge Path, ICS 2012.
#pragma once
#include <algorithm>
#include <type_traits>

#include "../tile.hpp"
#include "columns.hpp"
#include "each.hpp"

namespace lookback::cpu {

/// Of a run of tiles: the sum of the segment that it leaves open (absent: nothing scanned of it yet), and how many it ended.
template <class T>
struct open_segment {
  maybe<T> open;
  index_t ended;
  bool begins;    // the open one begins in the run: `open` is all of it
  bool complete;  // and nothing else of what comes before matters either
};

template <class Parts, class Path>
class per_segment_work {
  using T = typename Parts::value_type;

 public:
  using aggregate = open_segment<T>;
  using prefix = open_segment<T>;
  using held = typename Path::held;
  static constexpr bool reduces_ahead = false;
  struct room {
    T* values;           // a block of them, behind a pack: for what comes before the first
    std::byte* results;  // of segments that have ended; then a pack for what is stored beyond them
    std::uint64_t* words;
    std::byte* firsts;
  };
  struct nothing {};
  nothing second_pass(memory const&, maybe<prefix> const&) const { return {}; }
  void end_second_pass(nothing) const {}

  per_segment_work(Parts const& parts, Path const& path, index_t items_per_tile, simd_level level)
      : parts_{parts}, path_{path}, items_{items_per_tile}, level_{level} {}

  index_t tiles() const { return tiles_of(path_.length(), items_); }
  index_t room_bytes() const { return values_bytes() + results_bytes() + words_bytes() + column_bytes(parts_.sink.firsts, items_); }
  room room_at(std::byte* here) const {
    auto* const results = here + values_bytes();
    auto* const words = results + results_bytes();
    return {reinterpret_cast<T*>(here + most_pack_bytes), results, reinterpret_cast<std::uint64_t*>(words), words + words_bytes()};
  }

  maybe<prefix> first() const { return {prefix{{}, 0, false, false}}; }
  prefix combine(prefix const& before, aggregate const& a) const {
    index_t const ended = before.ended + a.ended;
    if (a.begins) return {a.open, ended, true, false};
    if (!a.open.has) return {before.open, ended, before.begins, false};
    maybe<T> const& left = before.open.has ? before.open : parts_.initial;
    return {left.has ? maybe<T>{static_cast<T>(parts_.op(left.value, a.open.value))} : a.open, ended, before.begins, false};
  }
  prefix combine(maybe<prefix> const& before, aggregate const& a) const { return before.has ? combine(before.value, a) : a; }

  [[gnu::noinline]] held hold(room const& r, index_t id, int) const {
    index_t const block = marks_block(detail::bytes_of(parts_.arrays));
    return path_.hold(r.words, id, items_, block, level_, [&](tile const& part, std::uint64_t* words, index_t found) {
      at_level(level_, [&](auto simd) {
        room const here{r.values, r.results, words, r.firsts};
        gather_columns(simd, marked_items<decltype(parts_.arrays)>{parts_.arrays}, parts_.sink.firsts, part, here, r.firsts, items_,
                       found);
      });
    });
  }
  bool needs_prefix(held const&) const { return true; }
  [[gnu::noinline]] aggregate reduce(room const& r, held const& h) const {
    maybe<T> open = h.begins ? parts_.initial : maybe<T>{};
    bool const some = h.tail < h.t.end;
    at_level(level_, [&](auto simd) { simd.fold(parts_, r, h.tail, h.t.end, open); });
    return {some ? open : maybe<T>{}, h.ended, h.begins, Path::early && h.begins};
  }
  [[gnu::noinline]] void scan(room const& r, held const& h, maybe<prefix> const& before) const {
    prefix const from = before.has ? before.value : prefix{{}, 0, false, false};
    path_.scan(parts_, r, h, from, level_);
    // The first head of all ends no segment.
    index_t const begun = h.t.id == 0 ? 0 : from.ended + 1, heads = h.ended + (h.t.id == 0 ? 1 : 0);
    put_columns<decltype(Parts::arrays)>(parts_.sink.firsts, r.firsts, items_, begun, heads,
                                         place_of_all(parts_.arrays, h.t, heads), level_, parts_.streaming);
  }
  maybe<prefix> serial(room const& r, held const& h, maybe<prefix> const& before) const {
    auto const a = reduce(r, h);
    scan(r, h, before);
    return {combine(before, a)};
  }

 private:
  index_t words_bytes() const { return whole_lines(items_); }
  static constexpr index_t most_pack_bytes = 64;
  static index_t values_bytes() { return most_pack_bytes + whole_lines(Parts::block * static_cast<index_t>(sizeof(T))); }
  // Two blocks of results; lengths are made of places of heads, 4 bytes each behind them.
  static index_t results_bytes() {
    constexpr index_t result = 2 * static_cast<index_t>(sizeof(typename Parts::result)) + (Parts::counts ? 4 : 0);
    return whole_lines(Parts::block * result) + most_pack_bytes;
  }

  Parts parts_;
  Path path_;
  index_t items_;
  simd_level level_;
};

/// Segments that heads begin.
template <class Heads>
struct path_by_heads {
  static constexpr bool early = false;  // the number of segments before a tile needs every tile before it
  Heads heads;
  index_t n;

  struct held {
    tile t;
    index_t tail;  // from here on the items belong to the segment that the tile leaves open
    index_t ended;
    bool begins;  // is its first item one of them
  };
  index_t length() const { return n; }

  /// Finds the heads of a tile, block by block; gather(part, words, found) takes what it wants of a block while it is near.
  template <class Gather>
  held hold(std::uint64_t* words, index_t id, index_t items, index_t block, simd_level level, Gather gather) const {
    tile const t = tile_at(id, n, items);
    held h{t, t.begin, 0, false};
    for (index_t at = t.begin; at < t.end; at += block) {
      tile const part{id, at, std::min(at + block, t.end)};
      auto* const here = words + (at - t.begin) / 64;
      heads.start_words(level, part, here);
      gather(part, here, h.ended);
      for (index_t w = 0; w * 64 < part.end - at; ++w) {
        if (here[w] == 0) continue;
        h.ended += __builtin_popcountll(here[w]);
        h.tail = at + w * 64 + 63 - __builtin_clzll(here[w]), h.begins = true;
      }
    }
    if (id == 0) --h.ended;  // item 0 ends no segment
    return h;
  }
  template <class Parts, class Room, class Prefix>
  void scan(Parts const& parts, Room const& r, held const& h, Prefix const& before, simd_level level) const {
    auto open = before.open;
    at_level(level, [&](auto simd) { simd.fold_by_heads(parts, h.t, r, r.words, open, before.ended); });
  }
};

/// Segments whose ends are known: `ends(s)`, in [0, n], of `segments` segments.
template <class Ends>
struct path_by_ends {
  static constexpr bool early = true;
  Ends ends;
  index_t n, segments;

  struct held {
    tile t;  // its items
    index_t tail, ended;
    bool begins;
    index_t first_segment;
  };
  index_t length() const { return n + segments; }

  /// How many segments end on the first `steps` steps of the path: an end comes before the item at its position.
  index_t ended_by(index_t steps) const {
    index_t first = std::max<index_t>(0, steps - n - 1), last = std::min(steps, segments);
    while (first < last) {
      index_t const middle = first + (last - first) / 2;
      if (ends(middle) + middle + 1 <= steps) first = middle + 1;
      else last = middle;
    }
    return first;
  }
  template <class Gather>
  held hold(std::uint64_t*, index_t id, index_t items, index_t, simd_level, Gather) const {
    tile const steps = tile_at(id, length(), items);
    index_t const from = ended_by(steps.begin), to = std::max(from, ended_by(steps.end));
    index_t const begin = std::clamp<index_t>(steps.begin - from, 0, n), end = std::clamp(steps.end - to, begin, n);
    index_t const tail = to > from ? std::clamp(ends(to - 1), begin, end) : begin;
    return {{id, begin, end}, tail, to - from, to > from, from};
  }
  template <class Parts, class Room, class Prefix>
  void scan(Parts const& parts, Room const& r, held const& h, Prefix const& before, simd_level level) const {
    at_level(level, [&](auto simd) { simd.fold_by_ends(parts, h, r, ends, before.open); });
  }
};

/// ends(s) of an offsets description, or of rows. Never leaves [0, n], whatever the offsets say.
struct segment_ends {
  segments described;
  index_t n;
  index_t operator()(index_t s) const {
    index_t const end = is_offsets(described) ? offset_at(described, s + 1) : (s + 1) * described.count;
    return std::clamp<index_t>(end, 0, n);
  }
};

}  // namespace lookback::cpu
