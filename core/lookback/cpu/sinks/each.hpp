// The work of a scan with an `each` sink: what a strategy runs, tile by tile.
#pragma once
#include <algorithm>
#include <type_traits>

#include "../../error.hpp"
#include "../../model/descriptor.hpp"
#include "../../model/tile.hpp"
#include "../run/memory.hpp"
#include "../simd/simd.hpp"
#include "../simd/unit.hpp"
#include "heads.hpp"

namespace lookback::cpu::inline LOOKBACK_UNIT {

namespace detail {
/// Results of segments that are stored as they were reduced.
template <class Sink, class T>
inline constexpr bool stores_results = false;
template <class T, class... Columns>
inline constexpr bool stores_results<per_segment<T, as_it_is, Columns...>, T> = true;
}  // namespace detail

/// What the kernels need to know of a scan: the three parts, and which of them are arrays that packs can read and write.
template <class Items, class T, class Op, class Sink, bool Segmented>
struct each_parts {
  using value_type = T;
  using result = typename Sink::value_type;
  static constexpr bool is_segmented = Segmented;
  static constexpr bool reads_values = detail::are_elements<Items, T>;
  static constexpr bool stores_values = std::is_same_v<Sink, each<T, as_it_is>>;
  static constexpr bool stores_results = detail::stores_results<Sink, T>;
  static constexpr bool packs = is_vectorized<Op, T>;
  /// A sum of items is how many there are.
  static constexpr bool sums_units = are_unit_items<Items> && std::is_same_v<Op, plus<T>>;
  /// Items that are reduced or scanned at a time, in whole words of head bits: 16 KB of an array, 4 KB of what is evaluated or
  /// stored through a buffer, which then stays in the first-level cache.
  static constexpr index_t block_bytes = packs && reads_values && stores_values ? 16384 : 4096;
  static constexpr index_t block =
      std::max<index_t>(64, block_bytes / static_cast<index_t>(std::max(sizeof(T), sizeof(result))) / 64 * 64);

  Items items;
  arrays_t<Items> arrays;
  Op op;
  Sink sink;
  maybe<T> initial;
  bool reversed, streaming;
  maybe<T> empty{};  // the result of a segment without items

  /// The items, where they are in memory as they are.
  T const* values() const requires reads_values { return detail::elements_of(items); }
};

template <class Parts, class Heads>
class each_work {
  using T = typename Parts::value_type;

 public:
  struct aggregate {
    T value;
    bool complete;  // a segment starts in the tile: nothing before it matters any more
  };
  using prefix = T;
  static constexpr bool reduces_ahead = true;
  // Stores only over what the tile itself has read: a second pass needs nothing more.
  struct nothing {};
  nothing second_pass(memory const&, maybe<T> const&) const { return {}; }
  void end_second_pass(nothing) const {}

  /// What a worker keeps for itself.
  struct room {
    T* values;
    typename Parts::result* results;
    std::uint64_t* words[2];
  };
  /// A tile in the hands of a worker: what of it is still to be reduced, and the sum so far.
  struct held {
    tile t;
    std::uint64_t* words;
    index_t begin, end;
    maybe<T> total;
    bool starts_anew;  // at its first item scanned: it does not look back
    bool complete;
  };

  each_work(Parts const& parts, Heads const& heads, maybe<T> const& before, index_t n, index_t items_per_tile, simd_level level)
      : parts_{parts}, heads_{heads}, before_{before}, n_{n}, items_{items_per_tile}, level_{level} {}

  index_t tiles() const { return tiles_of(n_, items_); }
  index_t room_bytes() const {
    return rounded(Parts::block * sizeof(T)) + rounded(Parts::block * sizeof(typename Parts::result)) + 2 * words_bytes();
  }
  room room_at(std::byte* here) const {
    auto const take = [&](index_t bytes) { return here += bytes, here - bytes; };
    room r;
    r.values = reinterpret_cast<T*>(take(rounded(Parts::block * sizeof(T))));
    r.results = reinterpret_cast<typename Parts::result*>(take(rounded(Parts::block * sizeof(typename Parts::result))));
    for (auto& w : r.words) w = reinterpret_cast<std::uint64_t*>(take(words_bytes()));
    return r;
  }

  maybe<T> first() const { return before_; }
  T combine(T const& before, aggregate const& a) const {
    if (a.complete) return a.value;
    return static_cast<T>(parts_.reversed ? parts_.op(a.value, before) : parts_.op(before, a.value));
  }
  T combine(maybe<T> const& before, aggregate const& a) const { return before.has ? combine(before.value, a) : a.value; }

  /// `slot` is 0 or 1: the two tiles that a worker may hold at once.
  [[gnu::noinline]] held hold(room const& r, index_t id, int slot) const {
    tile const t = tile_at(id, n_, items_, parts_.reversed);
    held h{t, r.words[slot], t.begin, t.end, {}, false, false};
    if constexpr (Parts::is_segmented) {
      heads_.start_words(level_, t, h.words);
      auto const begins = [&](index_t i) { return (h.words[(i - t.begin) / 64] >> ((i - t.begin) % 64) & 1) != 0; };
      h.starts_anew = begins(parts_.reversed ? t.end - 1 : t.begin);
      index_t const start = start_of(h, parts_.reversed);
      if (start < 0) return h;
      h.complete = true, h.total = parts_.initial;
      if (parts_.reversed) h.end = start + 1;
      else h.begin = start;
    }
    return h;
  }
  bool needs_prefix(held const& h) const { return !h.starts_anew; }
  /// f(i) of the caller's may read what lies where out[i] is stored.
  rereading rereads() const {
    return lookback::detail::calls_user<decltype(parts_.items)> || detail::reads_from(parts_.arrays, parts_.sink.out)
               ? rereading::as_guest
               : rereading::freely;
  }

  /// Reduces what is left of `h`.
  aggregate reduce(room const& r, held& h) const {
    maybe<T> none;
    return run(r, {h.t.id, h.t.begin, h.t.begin}, h.words, none, h);
  }
  /// Scans and stores `h`; reduces what is left of `next` on the way.
  aggregate scan(room const& r, held const& h, maybe<T> before, held& next) const { return run(r, h.t, h.words, before, next); }
  void scan(room const& r, held const& h, maybe<T> before) const {
    held none = h;
    none.begin = none.end;
    maybe<T> running = before;
    kernel(r, h.t, h.words, running, none);
  }
  /// Puts `before` before every value of `h` that scan(.., {}) has stored, up to the first start.
  void propagate(held const& h, T const& before) const requires Parts::stores_values {
    T* const out = parts_.sink.out;
    index_t begin = h.t.begin, end = h.t.end;
    if constexpr (Parts::is_segmented) {
      index_t const start = start_of(h, !parts_.reversed);
      if (start >= 0) (parts_.reversed ? begin : end) = parts_.reversed ? start + 1 : start;
    }
    // An exclusive scan has nothing by itself for the first item of a tile.
    if (parts_.sink.exclusive) out[parts_.reversed ? --end : begin++] = before;
    for (index_t i = begin; i < end; ++i)
      out[i] = static_cast<T>(parts_.reversed ? parts_.op(out[i], before) : parts_.op(before, out[i]));
  }
  /// Scans and stores `h`, alone; returns what comes before the next tile.
  maybe<T> serial(room const& r, held& h, maybe<T> const& before) const {
    maybe<T> running = before;
    return maybe<T>{combine(before, run(r, h.t, h.words, running, h))};
  }

 private:
  static index_t rounded(std::size_t bytes) { return static_cast<index_t>((bytes + 63) / 64 * 64); }
  index_t words_bytes() const { return Parts::is_segmented ? rounded(static_cast<std::size_t>((items_ + 63) / 64 * 8)) : 0; }

  /// The first start in memory, or the last; -1 where there is none.
  index_t start_of(held const& h, bool first) const {
    index_t const words = (h.t.end - h.t.begin + 63) / 64;
    if (first) {
      for (index_t w = 0; w < words; ++w)
        if (h.words[w]) return h.t.begin + w * 64 + __builtin_ctzll(h.words[w]);
    } else {
      for (index_t w = words - 1; w >= 0; --w)
        if (h.words[w]) return h.t.begin + w * 64 + 63 - __builtin_clzll(h.words[w]);
    }
    return -1;
  }

  [[gnu::noinline]] void kernel(room const& r, tile const& t, std::uint64_t const* words, maybe<T>& before, held& next) const {
    at_level(level_, [&](auto simd) { simd.scan(parts_, t, r, words, before, next.begin, next.end, next.total); });
  }
  aggregate run(room const& r, tile const& t, std::uint64_t const* words, maybe<T>& before, held& next) const {
    kernel(r, t, words, before, next);
    return {next.total.value, next.complete};
  }

  Parts parts_;
  Heads heads_;
  maybe<T> before_;
  index_t n_, items_;
  simd_level level_;
};

}  // namespace lookback::cpu::inline LOOKBACK_UNIT
