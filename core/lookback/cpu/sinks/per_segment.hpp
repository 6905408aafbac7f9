// The work of a scan with a `per_segment` sink. Both kinds go from left to right whatever the direction: the results are the same.
//
//   by heads   a segment is numbered by the heads before it, which the look-back counts
//   by ends    offsets and rows: a tile covers equal work on the path that merges items and segment ends, so that ten million
//              empty segments spread over all workers as items do. Source: Green, McColl, Bader, GPU Merge Path, ICS 2012.
#pragma once
#include <algorithm>
#include <type_traits>

#include "../../model/descriptor.hpp"
#include "../../model/tile.hpp"
#include "../simd/unit.hpp"
#include "columns.hpp"
#include "each.hpp"

namespace lookback::cpu::inline LOOKBACK_UNIT {

/// Of a run of tiles: the sum of the segment that it leaves open (absent: nothing scanned of it yet), and how many it ended.
template <class T>
struct open_segment {
  maybe<T> open;
  index_t ended;
  bool begins;    // the open one begins in the run: `open` is all of it
  bool complete;  // and nothing else of what comes before matters either
};

/// What is open after `later`, which begins nothing, if `before` was open: one of them, or both.
template <class Parts, class T>
maybe<T> joined(Parts const& parts, maybe<T> const& before, maybe<T> const& later) {
  if (!later.has) return before;
  maybe<T> const& left = before.has ? before : parts.initial;
  return left.has ? maybe<T>{static_cast<T>(parts.op(left.value, later.value))} : later;
}

template <class Parts, class Path>
class per_segment_work {
  using T = typename Parts::value_type;

 public:
  using aggregate = open_segment<T>;
  using prefix = open_segment<T>;
  using held = typename Path::held;
  static constexpr bool reduces_ahead = false;
  struct room {
    T* values;                        // a block of them, behind a pack: for what comes before the first
    typename Parts::result* results;  // of the segments that end in a tile; then a pack for what is stored beyond them
    std::uint32_t* places;            // of the heads of a block, and a pack
    std::uint64_t* words;
    std::byte* firsts;
  };
  struct nothing {};
  nothing second_pass(memory const&, maybe<prefix> const&) const { return {}; }
  void end_second_pass(nothing) const {}

  /// `open`: what an earlier chunk has of the segment that is open before the first item.
  per_segment_work(Parts const& parts, Path const& path, index_t items_per_tile, simd_level level, maybe<T> const& open)
      : parts_{parts}, path_{path}, open_{open}, items_{items_per_tile}, level_{level} {}

  index_t tiles() const { return tiles_of(path_.length(), items_); }
  index_t room_bytes() const {
    return values_bytes() + results_bytes() + places_bytes() + words_bytes() + column_bytes(parts_.sink.firsts, items_);
  }
  room room_at(std::byte* here) const {
    auto* const results = here + values_bytes();
    auto* const places = results + results_bytes();
    auto* const words = places + places_bytes();
    return {reinterpret_cast<T*>(here + most_pack_bytes), reinterpret_cast<typename Parts::result*>(results),
            reinterpret_cast<std::uint32_t*>(places), reinterpret_cast<std::uint64_t*>(words), words + words_bytes()};
  }

  maybe<prefix> first() const { return {prefix{open_, 0, false, false}}; }
  prefix combine(prefix const& before, aggregate const& a) const {
    index_t const ended = before.ended + a.ended;
    if (a.begins) return {a.open, ended, true, false};
    return {joined(parts_, before.open, a.open), ended, before.begins, false};
  }
  prefix combine(maybe<prefix> const& before, aggregate const& a) const { return before.has ? combine(before.value, a) : a; }

  [[gnu::noinline]] held hold(room const& r, index_t id, int) const { return path_.hold(parts_, r, id, items_, level_); }
  bool needs_prefix(held const&) const { return true; }
  rereading rereads() const {
    return columns_touch(parts_.arrays, parts_.sink.firsts, path_.n) ? rereading::never : rereading::freely;
  }
  [[gnu::noinline]] aggregate reduce(room const& r, held const& h) const { return path_.reduce(parts_, r, h, level_); }
  [[gnu::noinline]] void scan(room const& r, held const& h, maybe<prefix> const& before) const {
    prefix const from = before.has ? before.value : first().value;
    path_.scan(parts_, r, h, from, level_);
    // The first head of all ends no segment. Where an earlier chunk has left one open, its first item has been stored.
    index_t const first_of_all = h.t.id == 0 && !open_.has ? 1 : 0;
    index_t const begun = open_.has || first_of_all ? from.ended : from.ended + 1, heads = h.ended + first_of_all;
    put_columns<decltype(Parts::arrays)>(parts_.sink.firsts, r.firsts, items_, begun, heads,
                                         place_of_all(parts_.arrays, h.t, heads), level_, parts_.streaming);
  }
  maybe<prefix> serial(room const& r, held const& h, maybe<prefix> const& before) const {
    auto const a = reduce(r, h);
    scan(r, h, before);
    return {combine(before, a)};
  }

 private:
  static constexpr index_t most_pack_bytes = 64;
  static index_t values_bytes() {
    // By ends, packs beyond the last of a block are read, whatever is there.
    index_t const beyond = Path::stages_results ? 0 : 4 * most_pack_bytes;
    return most_pack_bytes + whole_lines(Path::template block_items<Parts>() * static_cast<index_t>(sizeof(T))) + beyond;
  }
  index_t results_bytes() const {
    index_t const results = Path::stages_results ? items_ * static_cast<index_t>(sizeof(typename Parts::result)) : 0;
    return whole_lines(results) + most_pack_bytes;
  }
  static index_t places_bytes() { return Path::stages_results ? Path::template block_items<Parts>() * 4 + most_pack_bytes : 0; }
  static index_t words_bytes() { return Path::stages_results ? whole_lines(Path::template block_items<Parts>() / 8) : 0; }

  Parts parts_;
  Path path_;
  maybe<T> open_;
  index_t items_;
  simd_level level_;
};

/// Segments that heads begin. All of a tile is folded and staged while it is read, but the result of the segment that was open
/// before it.
template <class Heads, class T>
struct path_by_heads {
  static constexpr bool stages_results = true;
  Heads heads;
  index_t n;
  bool goes_on;  // is a segment open before the first item

  /// Items that are folded at a time: what they are made of and what is made of them stays in the first-level cache.
  template <class Parts>
  static index_t block_items() {
    return marks_block(std::max<index_t>(detail::widest_of(decltype(Parts::arrays){}), sizeof(T)));
  }

  struct held {
    tile t;
    index_t ended;          // so many results are staged; room is left for the first, unless this is the first tile of all
    maybe<T> before_first;  // what that one has in this tile, if anything
    maybe<T> open;          // since the last head, or since the begin of the tile
    bool begins;            // is there a head
    bool goes_on;           // then the first head of all ends a segment, too
  };
  index_t length() const { return n; }

  template <class Parts, class Room>
  held hold(Parts const& parts, Room const& r, index_t id, index_t items, simd_level level) const {
    using result = typename Parts::result;
    static_assert(
        std::is_trivially_copy_constructible_v<result> && std::is_trivially_destructible_v<result> && alignof(result) <= 64,
        "results of segments must be trivially copyable with an alignment of at most 64 bytes: they are copied as bytes");
    held h{tile_at(id, n, items), 0, {}, {}, false, goes_on};
    index_t const block = block_items<Parts>();
    for (index_t at = h.t.begin, found = 0; at < h.t.end; at += block) {
      tile const part{id, at, std::min(at + block, h.t.end)};
      heads.start_words(level, part, r.words);
      at_level(level, [&](auto simd) {
        index_t const count = simd.count_bits(r.words, part.end - at);
        bool const few = are_few(count, part.end - at);
        if (few || Parts::sums_units) simd.note_places(parts, part, r, few ? at + block : -1);
        gather_columns(simd, marked_items<decltype(parts.arrays)>{parts.arrays, few ? r.places : nullptr, count, block},
                       parts.sink.firsts, part, r, r.firsts, items, found);
        found += count;
        simd.fold_by_heads(parts, part, r, count, h);
      });
    }
    return h;
  }
  template <class Parts, class Room>
  open_segment<T> reduce(Parts const&, Room const&, held const& h, simd_level) const {
    return {h.open, h.ended, h.begins, false};  // the number of segments before a tile needs every tile before it
  }
  template <class Parts, class Room>
  void scan(Parts const& parts, Room const& r, held const& h, open_segment<T> const& before, simd_level level) const {
    if (h.ended == 0) return;
    if (h.t.id > 0 || goes_on)  // a tile before this one has said what is open: the initial value is in it
      r.results[0] = static_cast<typename Parts::result>(parts.sink.f(joined(parts, before.open, h.before_first).value));
    copy_out(parts.sink.out + before.ended, r.results, h.ended, level, parts.streaming);
  }
};

/// Segments whose ends are known: `ends(s)`, in [0, n], of `segments` segments.
template <class Ends>
struct path_by_ends {
  static constexpr bool stages_results = false;
  template <class Parts>
  static index_t block_items() {
    return Parts::block;
  }
  Ends ends;
  index_t n, segments;

  struct held {
    tile t;        // its items
    index_t tail;  // from here on the items belong to the segment that the tile leaves open
    index_t ended;
    bool begins;  // is the first item of that segment one of them
    index_t first_segment;
  };
  index_t length() const { return n + segments; }

  /// How many segments end on the first `steps` steps of the path: an end comes before the item at its position.
  index_t ended_by(index_t steps) const {
    if (steps == length()) return segments;
    index_t first = std::max<index_t>(0, steps - n - 1), last = std::min(steps, segments);
    while (first < last) {
      index_t const middle = first + (last - first) / 2;
      if (ends(middle) + middle + 1 <= steps) first = middle + 1;
      else last = middle;
    }
    return first;
  }
  template <class Parts, class Room>
  held hold(Parts const&, Room const&, index_t id, index_t items, simd_level) const {
    tile const steps = tile_at(id, length(), items);
    index_t const from = ended_by(steps.begin), to = std::max(from, ended_by(steps.end));
    index_t const begin = std::clamp<index_t>(steps.begin - from, 0, n), end = std::clamp(steps.end - to, begin, n);
    index_t const tail = to > from ? std::clamp(ends(to - 1), begin, end) : begin;
    return {{id, begin, end}, tail, to - from, to > from, from};
  }
  template <class Parts, class Room>
  auto reduce(Parts const& parts, Room const& r, held const& h, simd_level level) const {
    using T = typename Parts::value_type;
    maybe<T> open = h.begins ? parts.initial : maybe<T>{};
    bool const some = h.tail < h.t.end;
    if (some) at_level(level, [&](auto simd) { simd.fold(parts, r, h.tail, h.t.end, open); });
    return open_segment<T>{some ? open : maybe<T>{}, h.ended, h.begins, h.begins};
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
  row_order order;
  index_t operator()(index_t s) const {
    index_t const end = is_offsets(described) ? offset_at(described, s + 1) : (s + 1) * described.count;
    return std::clamp<index_t>(end, 0, n);
  }
  /// The same as they are stored, if they are so wide; nobody says that they are in [0, n].
  template <class Offset>
  Offset const* offsets() const {
    return static_cast<Offset const*>(described.data) + 1;
  }
};

/// The same of a chunk of the items, which begins at position `base` of the whole, for segments from number `first` on: those
/// before have ended before.
struct chunk_ends {
  segments described;
  index_t n, base, first;
  index_t operator()(index_t s) const { return std::clamp<index_t>(end(first + s), base, base + n) - base; }
  /// Where segment s of the whole ends.
  index_t end(index_t s) const { return is_offsets(described) ? offset_at(described, s + 1) : (s + 1) * described.count; }
};

}  // namespace lookback::cpu::inline LOOKBACK_UNIT
