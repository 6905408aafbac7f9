// The work of a scan with a `scatter` sink: a stable split into up to 256 classes.
//
//   reduce   the classes of a tile are counted
//   scan     each item goes to the lines of its class in this worker's own cache; when these are full, they leave at once
//
// Lines are those of the output, four at a time: so all of a line is stored at one time, past the caches where the output is large.
// The first and the last lines of a class in a tile may be shared with another tile; of these, a worker stores its own items alone.
#pragma once
#include <algorithm>
#include <cstring>
#include <limits>

#include "../../model/descriptor.hpp"
#include "../../model/tile.hpp"
#include "../../sink.hpp"
#include "../run/memory.hpp"
#include "../simd/simd.hpp"
#include "../simd/unit.hpp"
#include "columns.hpp"
#include "items.hpp"

namespace lookback::cpu::inline LOOKBACK_UNIT {

/// Where the items of one array go, class by class, while a tile is stored. Lies in a room of `bytes` bytes.
template <class V, int Classes>
class scatter_lines {
  static constexpr index_t size = sizeof(V);
  // Four: memory takes neighbouring lines sooner than as many lines apart (1.6 instead of 2.3 ns an item of 4 bytes).
  static constexpr index_t line = 256;
  static constexpr bool divides_lines = size <= 32 && line % size == 0;
  static constexpr index_t per_line = divides_lines ? line / size : 1;
  struct state {
    index_t next[static_cast<std::size_t>(Classes)];  // place of the next item: in items, from the line that the output begins in
    index_t first[static_cast<std::size_t>(Classes)];
  };

 public:
  static constexpr index_t bytes = whole_lines(sizeof(state)) + (divides_lines ? Classes * line : 0);

  /// begin(c) is the place of the first item of class c.
  template <class Begin>
  scatter_lines(std::byte* room, V* out, bool streaming, Begin begin)
      : state_{reinterpret_cast<state*>(room)}, lines_{room + whole_lines(sizeof(state))}, out_{reinterpret_cast<std::byte*>(out)} {
    auto const address = reinterpret_cast<std::uintptr_t>(out);
    index_t ahead = 0;
    by_lines_ = divides_lines && address % size == 0;
    streaming_ = streaming;
    if (by_lines_) ahead = static_cast<index_t>(address % line) / size, out_ -= address % line;
    for (int c = 0; c < Classes; ++c) state_->next[c] = state_->first[c] = begin(c) + ahead;
  }

  /// value(i) of items [begin, end), whose classes are classes[0] and on; one that is none is passed over.
  template <bool Total, class Class, class Value>
  void put(index_t begin, index_t end, Class const* classes, Value value) {
    if (by_lines_) put_by_lines<Total>(begin, end, classes, value);
    else
      for (index_t i = begin; i < end; ++i)
        if (int const c = classes[i - begin]; Total || c < Classes) {
          V const x = value(i);
          std::memcpy(out_ + state_->next[c]++ * size, &x, sizeof x);
        }
  }

  /// Stores what lines hold that are not full.
  void finish() {
    if (!by_lines_) return;
    for (int c = 0; c < Classes; ++c) {
      index_t const next = state_->next[c], begin = next / per_line * per_line, from = std::max(begin, state_->first[c]);
      if (from < next)
        std::memcpy(out_ + from * size, lines_ + c * line + (from - begin) * size, static_cast<std::size_t>((next - from) * size));
    }
  }

 private:
  template <bool Total, class Class, class Value>
  void put_by_lines(index_t begin, index_t end, Class const* classes, Value value) {
    index_t* const next = state_->next;
    std::byte* const lines = lines_;
    for (index_t i = begin; i < end; ++i) {
      int const c = classes[i - begin];
      if (!Total && c >= Classes) continue;
      V const x = value(i);
      index_t const at = next[c]++, place = at & (per_line - 1);
      std::memcpy(lines + c * line + place * size, &x, sizeof x);
      if (place == per_line - 1) send(c, at - place);
    }
  }
  void send(int c, index_t begin) {
    index_t const first = state_->first[c];
    std::byte* const to = out_ + begin * size;
    std::byte const* const from = lines_ + c * line;
    if (first > begin) {
      index_t const skipped = (first - begin) * size;
      std::memcpy(to + skipped, from + skipped, static_cast<std::size_t>(line - skipped));
    } else if (streaming_)
      for (index_t k = 0; k < line; k += 64) stream_line(to + k, from + k);
    else std::memcpy(to, from, line);
  }

  state* state_;
  std::byte *lines_, *out_;
  bool by_lines_, streaming_;
};

/// Rooms for the lines of every column.
template <int Classes>
constexpr index_t line_bytes(columns<> const&) {
  return 0;
}
template <int Classes, class Column, class... Rest>
constexpr index_t line_bytes(columns<Column, Rest...> const& all) {
  return scatter_lines<typename Column::value_type, Classes>::bytes + line_bytes<Classes>(all.rest);
}

/// Classes that are asked for once: `note` finds those of items [begin, begin + count) and keeps them where `noted` finds them
/// again.
template <class F>
concept notes_classes = requires(F const& of, index_t i) {
  of.note(i, i);
  of.noted(i);
};

template <class Items, class Sink>
class scatter_work {
  using Out = typename Sink::value_type;
  static constexpr int classes = Sink::classes;
  static constexpr bool total = is_total_class<decltype(Sink::of)>;
  static constexpr index_t block = 512;  // items whose classes are told before they are moved
  using class_type = std::conditional_t<(classes < 256 || total), std::uint8_t, std::uint16_t>;
  static_assert(total || classes <= std::numeric_limits<class_type>::max());

 public:
  struct aggregate {
    std::uint32_t counts[static_cast<std::size_t>(classes)];
    static constexpr bool complete = false;
  };
  struct prefix {
    index_t counts[static_cast<std::size_t>(classes)];
  };
  static constexpr bool reduces_ahead = false;
  using room = std::byte*;
  using held = tile;

  scatter_work(Items const& items, Sink const& sink, index_t n, index_t items_per_tile, bool streaming)
      : items_{items},
        arrays_{items.arrays()},
        sink_{sink},
        n_{n},
        items_per_tile_{std::min<index_t>(items_per_tile, index_t{1} << 31)},
        streaming_{streaming} {}

  /// For who knows where to only when the classes are counted.
  void store_to(Out* out) { sink_.out = out; }

  index_t tiles() const { return tiles_of(n_, items_per_tile_); }
  index_t room_bytes() const {
    return class_bytes + std::max<index_t>(scatter_lines<Out, classes>::bytes + line_bytes<classes>(sink_.beside),
                                           2 * (classes + 1) * static_cast<index_t>(sizeof(std::uint32_t)));
  }
  room room_at(std::byte* here) const { return here; }

  maybe<prefix> first() const { return {prefix{}}; }
  prefix combine(prefix before, aggregate const& a) const {
    for (int c = 0; c < classes; ++c) before.counts[c] += a.counts[c];
    return before;
  }
  prefix combine(maybe<prefix> const& before, aggregate const& a) const { return combine(before.value, a); }

  held hold(room const&, index_t id, int) const { return tile_at(id, n_, items_per_tile_); }
  bool needs_prefix(held const&) const { return true; }
  rereading rereads() const { return rereading::freely; }

  [[gnu::noinline]] aggregate reduce(room const& r, held const& t) const {
    auto* const told = reinterpret_cast<class_type*>(r);
    // In two tables: where neighbours are of one class, an addition need not wait for the one before.
    auto* const even = reinterpret_cast<std::uint32_t*>(r + class_bytes);
    std::uint32_t* const odd = even + classes + 1;
    std::fill(even, even + 2 * (classes + 1), 0u);
    for (index_t begin = t.begin; begin < t.end; begin += block) {
      index_t const count = std::min(block, t.end - begin);
      if constexpr (notes_classes<decltype(Sink::of)>) sink_.of.note(begin, count);
      auto const* const each = classes_of(begin, count, told);
      index_t i = 0;
      for (; i + 1 < count; i += 2) ++even[each[i]], ++odd[each[i + 1]];
      if (i < count) ++even[each[i]];
    }
    aggregate a;
    for (int c = 0; c < classes; ++c) a.counts[c] = even[c] + odd[c];
    return a;
  }
  [[gnu::noinline]] void scan(room const& r, held const& t, maybe<prefix> const& before) const {
    auto* const told = reinterpret_cast<class_type*>(r);
    auto const place = [&](int c) { return sink_.starts[c] + before.value.counts[c]; };
    std::byte* const lines = r + class_bytes;
    scatter_lines<Out, classes> items{lines, sink_.out, streaming_, place};
    scan_columns(t, told, items, sink_.beside, lines + scatter_lines<Out, classes>::bytes, place, [](auto&&...) {});
  }
  maybe<prefix> serial(room const& r, held const& t, maybe<prefix> const& before) const {
    aggregate const a = reduce(r, t);
    scan(r, t, before);
    return {combine(before, a)};
  }

  /// Where the classes begin, once all are counted: classes + 1 places.
  static void starts_of(prefix const& all, index_t* starts) {
    starts[0] = 0;
    for (int c = 0; c < classes; ++c) starts[c + 1] = starts[c] + all.counts[c];
  }
  int second_pass(memory const&, maybe<prefix> const&) const { return 0; }
  void end_second_pass(int) const {}

 private:
  static constexpr index_t class_bytes = whole_lines(block * static_cast<index_t>(sizeof(class_type)));

  /// An int in [0, classes]; the last is none.
  template <class F, class X>
  static class_type class_of(F const& of, X const& x) {
    int const c = of(x);
    if constexpr (total) return static_cast<class_type>(c);
    else return static_cast<class_type>(static_cast<unsigned>(c) < static_cast<unsigned>(classes) ? c : classes);
  }
  /// The classes of `count` items from `begin` on: at `told`, or where they have been noted.
  class_type const* classes_of(index_t begin, index_t count, class_type* told) const {
    if constexpr (notes_classes<decltype(Sink::of)>) return sink_.of.noted(begin);
    else {
      // Here, so that the compiler need not ask whether a class that is stored changes them.
      auto const items = items_;
      auto const arrays = arrays_;
      auto const of = sink_.of;
      auto const class_at = [=](index_t i) { return class_of(of, value_at(items, arrays, i)); };
      index_t i = 0;
      for (constexpr index_t some = 64; i + some <= count; i += some) {
        class_type few[some];  // as many as the compiler can do side by side, where nothing else lies
        for (index_t k = 0; k < some; ++k) few[k] = class_at(begin + i + k);
        std::memcpy(told + i, few, sizeof few);
      }
      for (; i < count; ++i) told[i] = class_at(begin + i);
      return told;
    }
  }

  /// One pair of lines and payload after the other is opened; then all are filled, a block of items at a time.
  template <class Place, class Others>
  void scan_columns(tile const& t, class_type* told, scatter_lines<Out, classes>& items, columns<> const&, std::byte*, Place const&,
                    Others const& others) const {
    auto const from = items_;
    auto const arrays = arrays_;
    for (index_t begin = t.begin; begin < t.end; begin += block) {
      index_t const end = std::min(begin + block, t.end);
      auto const* const each = classes_of(begin, end - begin, told);
      items.template put<total>(begin, end, each, [=](index_t i) { return static_cast<Out>(value_at(from, arrays, i)); });
      others([&](auto& lines, auto const& payload) {
        lines.template put<total>(begin, end, each, [&](index_t i) { return value_at(payload, arrays, i); });
      });
    }
    items.finish();
    others([](auto& lines, auto const&) { lines.finish(); });
  }
  template <class Column, class... Rest, class Place, class Others>
  void scan_columns(tile const& t, class_type* told, scatter_lines<Out, classes>& items, columns<Column, Rest...> const& all,
                    std::byte* here, Place const& place, Others const& others) const {
    using V = typename Column::value_type;
    scatter_lines<V, classes> lines{here, all.first.out, streaming_, place};
    auto const payload = [&](index_t i, auto const&... x) { return static_cast<V>(all.first.payload(i, x...)); };
    scan_columns(t, told, items, all.rest, here + scatter_lines<V, classes>::bytes, place, [&](auto const& f) {
      others(f);
      f(lines, payload);
    });
  }

  Items items_;
  arrays_t<Items> arrays_;
  Sink sink_;
  index_t n_, items_per_tile_;
  bool streaming_;
};

}  // namespace lookback::cpu::inline LOOKBACK_UNIT
