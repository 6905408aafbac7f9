// The work of a scan with a `compact` sink. A tile is read once, into a private buffer; only then are its counts published, so
// that whoever stores over the input stores over what has been read: compaction in place is safe.
#pragma once
#include <algorithm>
#include <array>
#include <numeric>
#include <utility>

#include "../../model/descriptor.hpp"
#include "../../model/overlap.hpp"
#include "../../model/tile.hpp"
#include "../run/memory.hpp"
#include "../simd/simd.hpp"
#include "../simd/unit.hpp"
#include "columns.hpp"

namespace lookback::cpu::inline LOOKBACK_UNIT {

/// Ends: the marks are of first and last items of runs.
template <class Items, class Marks, class Sink, bool Ends = false>
struct compact_parts {
  using result = typename Sink::value_type;
  static constexpr int classes = Sink::classes;
  static constexpr bool marked = !std::is_same_v<Marks, no_segments>, marks_ends = Ends;
  using class_type = std::conditional_t<(classes < 256), std::uint8_t, std::uint16_t>;
  // One to three classes are staged in an area each, as large as the tile, so that items can be staged as they are read; more are
  // counted first and share one.
  static constexpr bool separate_areas = classes <= 3;

  Items items;
  arrays_t<Items> arrays;
  Marks marks;  // where there are any, a marked item is of class 0, and nobody asks the items
  Sink sink;
  bool reversed, streaming;
};

template <class Parts>
class compact_work {
  using result = typename Parts::result;
  using Sink = decltype(Parts::sink);
  static constexpr int classes = Parts::classes;

 public:
  struct aggregate {
    std::array<index_t, static_cast<std::size_t>(classes)> counts;
    static constexpr bool complete = false;
  };
  using prefix = aggregate;
  static constexpr bool reduces_ahead = false;

  struct room {
    result* staged;
    typename Parts::class_type* classes;
    std::uint64_t* words;
    std::byte* beside;
  };
  struct held {
    tile t;
    aggregate sum;
  };

  compact_work(Parts const& parts, index_t n, index_t items_per_tile, simd_level level)
      : parts_{parts}, n_{n}, items_{items_per_tile}, level_{level} {}

  index_t tiles() const { return tiles_of(n_, items_); }
  index_t room_bytes() const { return staged_bytes() + class_bytes() + words_bytes() + column_bytes(parts_.sink.beside, items_); }
  room room_at(std::byte* here) const {
    auto* const behind = here + staged_bytes();
    return {reinterpret_cast<result*>(here), reinterpret_cast<typename Parts::class_type*>(behind),
            reinterpret_cast<std::uint64_t*>(behind + class_bytes()), behind + class_bytes() + words_bytes()};
  }

  maybe<prefix> first() const { return {prefix{}}; }
  prefix combine(prefix before, aggregate const& a) const {
    for (std::size_t c = 0; c < classes; ++c) before.counts[c] += a.counts[c];
    return before;
  }
  prefix combine(maybe<prefix> const& before, aggregate const& a) const { return combine(before.value, a); }

  [[gnu::noinline]] held hold(room const& r, index_t id, int) const {
    held h{tile_at(id, n_, items_, parts_.reversed), {}};
    at_level(level_, [&](auto simd) {
      simd.gather(parts_, h.t, r, h.sum.counts.data());
      gather_columns(simd, parts_, parts_.sink.beside, h.t, r, r.beside, items_);
    });
    return h;
  }
  bool needs_prefix(held const&) const { return true; }
  rereading rereads() const { return in_place() ? rereading::never : rereading::freely; }
  aggregate reduce(room const&, held const& h) const { return h.sum; }
  [[gnu::noinline]] void scan(room const& r, held const& h, maybe<prefix> const& before) const {
    void const* const there = place_of_all(parts_.arrays, h.t, h.sum.counts[0]);
    result* from = r.staged;
    for (std::size_t c = 0; c < classes; ++c) {
      put(static_cast<int>(c), from, before.value.counts[c], h.sum.counts[c], there);
      from += Parts::separate_areas ? h.t.end - h.t.begin : h.sum.counts[c];
    }
    put_columns<decltype(Parts::arrays)>(parts_.sink.beside, r.beside, items_, before.value.counts[0], h.sum.counts[0], there,
                                         level_, parts_.streaming);
  }
  maybe<prefix> serial(room const& r, held const& h, maybe<prefix> const& before) const {
    scan(r, h, before);
    return {combine(before, h.sum)};
  }

  /// A second pass reads what the first has read: where it would store over it, it stores to scratch first.
  struct elsewhere {
    std::array<result*, static_cast<std::size_t>(classes)> outputs;
    std::array<bool, static_cast<std::size_t>(classes)> reversed;
    prefix total;
    scratch<result> staged;
    decltype(Sink::beside) beside;
    scratch<std::byte> staged_columns;
  };
  elsewhere second_pass(memory const& from, maybe<prefix> const& total) {
    index_t items = 0;
    for (index_t count : total.value.counts) items += count;
    bool const in_place = this->in_place();
    if (parts_.sink.stacked)
      for (std::size_t c = 1; c < classes; ++c) parts_.sink.outputs[c] = parts_.sink.outputs[c - 1] + total.value.counts[c - 1];
    auto const& beside = parts_.sink.beside;
    elsewhere redirected{
        {}, {}, total.value, {from, in_place ? items : 0}, beside, {from, in_place ? column_bytes(beside, items) : 0}};
    if (in_place) redirect_columns(parts_.sink.beside, redirected.staged_columns.data(), items);
    result* here = redirected.staged.data();
    for (std::size_t c = 0; here && c < classes; ++c) {
      redirected.outputs[c] = std::exchange(parts_.sink.outputs[c], here);
      redirected.reversed[c] = std::exchange(parts_.sink.reversed[c], false);
      here += total.value.counts[c];
    }
    return redirected;
  }
  void end_second_pass(elsewhere const& redirected) {
    result* from = redirected.staged.data();
    for (std::size_t c = 0; from && c < classes; ++c) {
      parts_.sink.outputs[c] = redirected.outputs[c], parts_.sink.reversed[c] = redirected.reversed[c];
      put(static_cast<int>(c), from, 0, redirected.total.counts[c], nullptr);
      from += redirected.total.counts[c];
    }
    if (!redirected.staged.data()) return;
    parts_.sink.beside = redirected.beside;
    index_t const items = std::accumulate(redirected.total.counts.begin(), redirected.total.counts.end(), index_t{0});
    put_columns<decltype(Parts::arrays)>(parts_.sink.beside, redirected.staged_columns.data(), items, 0, redirected.total.counts[0],
                                         nullptr, level_, parts_.streaming);
    streaming_fence();
  }

 private:
  bool in_place() const {
    bool touches = columns_touch(parts_.arrays, parts_.sink.beside, n_);
    for (int c = 0; c < classes; ++c) touches |= lookback::detail::touches(parts_.arrays, parts_.sink, c, n_);
    return touches;
  }
  index_t words_bytes() const { return Parts::marked ? whole_lines(items_ / 8 + 8) : 0; }
  index_t class_bytes() const { return whole_lines(items_ * static_cast<index_t>(sizeof(typename Parts::class_type))); }
  index_t staged_bytes() const {
    return whole_lines((Parts::separate_areas ? classes : 1) * items_ * static_cast<index_t>(sizeof(result)));
  }

  /// Items that go where they lie, `there`, are not stored (columns.hpp).
  void put(int c, result* from, index_t before, index_t count, void const* there) const {
    if (count == 0) return;
    if (parts_.sink.reversed[c]) {
      std::reverse(from, from + count);  // in the cache
      return copy_out(parts_.sink.outputs[c] - before - count, from, count, level_, parts_.streaming);
    }
    result* const to = parts_.sink.outputs[c] + before;
    if (!moves_items<result, decltype(Sink::payload), decltype(Parts::arrays)> || static_cast<void const*>(to) != there)
      copy_out(to, from, count, level_, parts_.streaming);
  }

  Parts parts_;
  index_t n_, items_;
  simd_level level_;
};

}  // namespace lookback::cpu::inline LOOKBACK_UNIT
