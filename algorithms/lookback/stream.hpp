// An array of any length, in bounded memory: reading, computing and writing at the same time.
//
//   lookback::stream(lookback::cpu::on(), read, lookback::chunked::inclusive_scan<int>(), write);
//   lookback::stream(lookback::cpu::on(), numbers, lookback::chunked::select_if<int>(is_even), write, lookback::memory(64 << 20));
//
//   read    std::size_t read(std::span<Item> room): fills `room` from its front, and returns how many items it has put there; less
//           than room.size() only at the end. On a thread of its own. Or a contiguous range, which is not copied
//   write   void write(std::span<Result const> results): in order, on a thread of its own. Or a contiguous range with room for all
//   verb    what is done with a chunk, below; it remembers what a later chunk needs, so that chunks give what one call would
#pragma once
#include <algorithm>
#include <concepts>
#include <cstddef>
#include <functional>
#include <limits>
#include <lookback/error.hpp>
#include <lookback/scan.hpp>
#include <memory>
#include <new>
#include <optional>
#include <ranges>
#include <span>
#include <string>
#include <type_traits>
#include <utility>

#include "select_if.hpp"
#include "stages.hpp"
#include "unique.hpp"

namespace lookback {

/// What a stream may take for the chunks that are on their way, in bytes.
struct memory {
  std::size_t bytes;
  explicit constexpr memory(std::size_t b) : bytes{b} {}
};

/// What a stream has done.
struct stream_report {
  index_t items = 0, results = 0;
  stage_times times;
};

namespace chunked {

/// What `stream` asks of a verb: verb(on, in, out) puts results of the chunk `in` into `out`, which has room for as many as there
/// are items, and returns those that are ready to be written: a part of `out`.
template <class Verb, class On>
concept verb = requires(Verb& v, On const& on, std::span<typename Verb::item const> in, std::span<typename Verb::result> out) {
  { v(on, in, out) } -> std::convertible_to<std::span<typename Verb::result const>>;
};

/// Scans by Op, from left to right; T is item, sum and result.
template <class T, class Op>
class scan_verb {
 public:
  using item = T;
  using result = T;
  scan_verb(Op op, bool exclusive, std::optional<T> initial) : op_{op}, exclusive_{exclusive}, initial_{initial} {}

  template <policy On>
  std::span<T const> operator()(On const& on, std::span<T const> in, std::span<T> out) {
    auto const here = on.with(carry<T>{&state_, &state_});  // its `in` is read before its `out` is written
    if (exclusive_) exclusive_scan(here, in, out, op_, *initial_);
    else if (initial_) inclusive_scan(here, in, out, op_, *initial_);
    else inclusive_scan(here, in, out, op_);
    return out.first(in.size());
  }

 private:
  Op op_;
  bool exclusive_;
  std::optional<T> initial_;  // a carry that has come takes its place
  carried<T> state_{};
};

/// out[i] = in[0] op ... op in[i].
template <class T, class Op = plus<T>>
auto inclusive_scan(Op op = {}) {
  return scan_verb<T, Op>(op, false, {});
}
/// out[i] = initial op in[0] op ... op in[i-1].
template <class T, class Op = plus<T>>
auto exclusive_scan(Op op = {}, T initial = Op::identity()) {
  return scan_verb<T, Op>(op, true, initial);
}

/// Items for which keep(item) holds, in order.
template <class T, class Keep>
class select_verb {
 public:
  using item = T;
  using result = T;
  explicit select_verb(Keep keep) : keep_{keep} {}

  template <policy On>
  std::span<T const> operator()(On const& on, std::span<T const> in, std::span<T> out) {
    return out.first(static_cast<std::size_t>(lookback::select_if(on, in, out, keep_)));
  }

 private:
  Keep keep_;
};
template <class T, class Keep>
auto select_if(Keep keep) {
  return select_verb<T, Keep>(keep);
}

/// The first item of every run of equal ones.
template <class T, class Equal>
class unique_verb {
  static_assert(std::is_default_constructible_v<T>, "items of a stream have a default constructor: rooms hold them");

 public:
  using item = T;
  using result = T;
  explicit unique_verb(Equal equal) : equal_{equal} {}

  template <policy On>
  std::span<T const> operator()(On const& on, std::span<T const> in, std::span<T> out) {
    auto const here = on.with(carry<index_t, T>{&state_, &state_});
    return out.first(static_cast<std::size_t>(lookback::unique(here, in, out, equal_)));
  }

 private:
  Equal equal_;
  carried<index_t, T> state_{};
};
template <class T, class Equal = equal_to>
auto unique(Equal equal = {}) {
  return unique_verb<T, Equal>(equal);
}

}  // namespace chunked

namespace detail {

template <class R>
concept span_like = std::ranges::contiguous_range<R> && std::ranges::sized_range<R>;

/// Chunks of what a function reads, or of an array.
template <class Item, class From>
class chunk_reader {
 public:
  chunk_reader(From& from, std::size_t chunk_items) : from_{from}, chunk_items_{chunk_items} {}
  static constexpr std::size_t bytes_an_item = sizeof(Item);  // of the memory of a stream
  static std::size_t most_tiles(From const&, std::size_t) { return std::numeric_limits<std::size_t>::max(); }
  std::unique_ptr<Item[]> room() const { return std::make_unique_for_overwrite<Item[]>(chunk_items_); }
  /// Empty at the end.
  std::span<Item const> next(Item* room) {
    if (ended_) return {};
    std::size_t const items = from_(std::span<Item>(room, chunk_items_));
    expects(items <= chunk_items_, "read() returns no more items than it was given room for");
    ended_ = items < chunk_items_;
    return {room, items};
  }

 private:
  From& from_;
  std::size_t chunk_items_;
  bool ended_ = false;
};
template <class Item, span_like From>
class chunk_reader<Item, From> {
 public:
  chunk_reader(From& from, std::size_t chunk_items) : rest_{from}, chunk_items_{chunk_items} {}
  static constexpr std::size_t bytes_an_item = 0;
  static std::size_t most_tiles(From const& from, std::size_t tile) { return (std::ranges::size(from) + tile - 1) / tile; }
  static std::unique_ptr<Item[]> room() { return nullptr; }
  std::span<Item const> next(Item*) {
    auto const some = rest_.first(std::min(rest_.size(), chunk_items_));
    rest_ = rest_.subspan(some.size());
    return some;
  }

 private:
  std::span<Item const> rest_;
  std::size_t chunk_items_;
};

template <class Result, class To>
void write_chunk(To& to, index_t, std::span<Result const> results) {
  to(results);
}
template <class Result, span_like To>
void write_chunk(To& to, index_t done, std::span<Result const> results) {
  expects_size(static_cast<index_t>(std::ranges::size(to)), done + static_cast<index_t>(results.size()),
               "the output of a stream has room for every result");
  std::copy(results.begin(), results.end(), std::ranges::data(to) + done);
}

template <class From, class To>
void expects_exact_or_disjoint([[maybe_unused]] From const& from, [[maybe_unused]] To const& to) {
  if constexpr (span_like<From> && span_like<To>) {
    auto const bytes_of = [](auto const& range) {
      return std::as_bytes(std::span(std::ranges::data(range), std::ranges::size(range)));
    };
    auto const in = bytes_of(from), out = bytes_of(to);
    std::less<> const before;
    bool const apart = !before(in.data(), out.data() + out.size()) || !before(out.data(), in.data() + in.size());
    bool const exact = in.data() == out.data() && sizeof(*std::ranges::data(from)) == sizeof(*std::ranges::data(to));
    expects(apart || exact, "the output of a stream is its input, or does not overlap it");
  }
}

}  // namespace detail

/// Runs `verb` on everything that `from` has, chunk by chunk, and gives the results to `to`.
///
///   from, to   two arrays may be exactly one; any other overlap is refused
///   verb       is copied: it begins anew in every call
///   most       bytes for the chunks that are on their way; at least four chunks of a tile of the engine are
///
/// Cost:   one call of the engine a chunk; the time of the slowest of reading, computing and writing where there are enough cores.
/// Throws: invalid_argument for arrays that overlap, an array `to` that is too short, or a policy with another direction than
///         left_to_right; out_of_memory; and what `from`, `to` or an operator threw, when all stages have ended: `to` was then
///         given the results of all chunks before, in order, unless it threw itself. Floats have the bits of one call of a scan:
///         chunks are cut at multiples of the engine's tiles.
template <policy On, class From, class Verb, class To>
requires chunked::verb<Verb, On> stream_report stream(On const& on, From&& from, Verb verb, To&& to,
                                                      memory most = memory(std::size_t{16} << 20)) {
  static_assert(!detail::on_device<On>, "a stream runs on the CPU: give it cpu::on() or cpu::seq");
  static_assert(std::is_same_v<typename On::carry_type, no_carry>, "a stream has a carry of its own");
  expects(on.direction == left_to_right, "a stream runs from left to right");
  using item = typename Verb::item;
  using result = typename Verb::result;
  struct slot {
    std::unique_ptr<item[]> room;
    std::unique_ptr<result[]> results;
    std::span<item const> in;
    std::span<result const> out;
  };
  constexpr std::size_t number = 4;
  using reader_type = detail::chunk_reader<item, std::remove_reference_t<From>>;
  auto const tile = static_cast<std::size_t>(tile_items(on, static_cast<index_t>(std::max(sizeof(item), sizeof(result)))));
  std::size_t const tiles = most.bytes / (number * (sizeof(result) + reader_type::bytes_an_item)) / tile;
  std::size_t const chunk_items = std::max<std::size_t>(std::min(tiles, reader_type::most_tiles(from, tile)), 1) * tile;
  detail::expects_exact_or_disjoint(from, to);
  reader_type reader(from, chunk_items);
  slot slots[number];
  try {
    for (auto& one : slots) one.room = reader.room(), one.results = std::make_unique_for_overwrite<result[]>(chunk_items);
  } catch (std::bad_alloc const&) {
    throw out_of_memory("lookback: cannot allocate the chunks of a stream, of " + std::to_string(chunk_items) + " items each");
  }
  stream_report report;
  report.times = run_stages(
      std::span(slots),
      [&](slot& one) {
        one.in = reader.next(one.room.get());
        report.items += static_cast<index_t>(one.in.size());
        return !one.in.empty();
      },
      [&](slot& one) { one.out = verb(on, one.in, std::span<result>(one.results.get(), chunk_items)); },
      [&](slot& one) {
        if (one.out.empty()) return;
        detail::write_chunk(to, report.results, one.out);
        report.results += static_cast<index_t>(one.out.size());
      });
  return report;
}

}  // namespace lookback
