// An array of any length, in bounded memory: reading, computing and writing at the same time.
//
//   lookback::stream(lookback::cpu::on(), read, lookback::chunked::inclusive_scan<int>(), write);
//   lookback::stream(lookback::gpu::on(stream), read, lookback::chunked::inclusive_scan<int>(), write);
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
#include <cstdint>
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

/// What `stream` asks of a verb: verb(on, in, out, count) puts results of the chunk `in` to the front of `out`, which has room for
/// as many as there are items.
///   item, result    of the chunks
///   carry_type      carry<T, Key>: `on` has what the chunk before has left, or nothing, and room for what this one leaves;
///                   no_carry if it leaves nothing
///   counts          if true, *count, readable where `on` runs, is how many results there are; else they are as many as the items
template <class Verb, class On>
concept verb = requires(Verb const& v, On const& on, std::span<typename Verb::item const> in, std::span<typename Verb::result> out,
                        index_t* count) {
  v(on, in, out, count);
  typename Verb::carry_type;
  { Verb::counts } -> std::convertible_to<bool>;
};

/// Scans by Op, from left to right; T is item, sum and result.
template <class T, class Op>
struct scan_verb {
  using item = T;
  using result = T;
  using carry_type = carry<T>;
  static constexpr bool counts = false;
  Op op;
  bool exclusive;
  std::optional<T> initial;  // a carry that has come takes its place

  template <policy On>
  void operator()(On const& on, std::span<T const> in, std::span<T> out, index_t*) const {
    if (exclusive) exclusive_scan(on, in, out, op, *initial);
    else if (initial) inclusive_scan(on, in, out, op, *initial);
    else inclusive_scan(on, in, out, op);
  }
};

/// out[i] = in[0] op ... op in[i].
template <class T, class Op = plus<T>>
auto inclusive_scan(Op op = {}) {
  return scan_verb<T, Op>{op, false, {}};
}
/// out[i] = initial op in[0] op ... op in[i-1].
template <class T, class Op = plus<T>>
auto exclusive_scan(Op op = {}, T initial = Op::identity()) {
  return scan_verb<T, Op>{op, true, initial};
}

/// Items for which keep(item) holds, in order.
template <class T, class Keep>
struct select_verb {
  using item = T;
  using result = T;
  using carry_type = no_carry;
  static constexpr bool counts = true;
  Keep keep;

  template <policy On>
  void operator()(On const& on, std::span<T const> in, std::span<T> out, index_t* count) const {
    select_if_async(on, in, out, keep, count);
  }
};
template <class T, class Keep>
auto select_if(Keep keep) {
  return select_verb<T, Keep>{keep};
}

/// The first item of every run of equal ones.
template <class T, class Equal>
struct unique_verb {
  static_assert(std::is_default_constructible_v<T>, "items of a stream have a default constructor: rooms hold them");
  using item = T;
  using result = T;
  using carry_type = carry<index_t, T>;
  static constexpr bool counts = true;
  Equal equal;

  template <policy On>
  void operator()(On const& on, std::span<T const> in, std::span<T> out, index_t* count) const {
    unique_async(on, in, out, count, equal);
  }
};
template <class T, class Equal = equal_to>
auto unique(Equal equal = {}) {
  return unique_verb<T, Equal>{equal};
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
  static constexpr bool needs_room = true;
  static std::size_t most_tiles(From const&, std::size_t) { return std::numeric_limits<std::size_t>::max(); }
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
  static constexpr bool needs_room = false;
  static std::size_t most_tiles(From const& from, std::size_t tile) { return (std::ranges::size(from) + tile - 1) / tile; }
  /// Where they are, or, of a call that reads elsewhere, in `room`.
  std::span<Item const> next(Item* room) {
    auto const some = rest_.first(std::min(rest_.size(), chunk_items_));
    rest_ = rest_.subspan(some.size());
    if (!room) return some;
    std::copy(some.begin(), some.end(), room);
    return {room, some.size()};
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

/// What a call that is cut into chunks is given with its chunk number k, if anything goes from chunk to chunk.
template <class On>
On const& with_carry(On const& on, no_carry, std::uint64_t) {
  return on;
}
template <class On, class T, class Key>
auto with_carry(On const& on, carry<T, Key> states, std::uint64_t k) {
  return on.with(carry<T, Key>{k == 0 ? nullptr : states.in, states.out});
}
template <class Carry>
struct state_of_chunks {
  static Carry states() { return {}; }
};
template <class T, class Key>
struct state_of_chunks<carry<T, Key>> {
  carried<T, Key> state{};
  carry<T, Key> states() { return {&state, &state}; }  // `in` is read before `out` is written
};

/// Chunks on their way through calls that run in host memory.
template <class On, class Verb>
class host_flow {
  using item = typename Verb::item;
  using result = typename Verb::result;

 public:
  static constexpr bool fetches = false;            // results are there behind run()
  static constexpr bool runs_on_what_it_is = true;  // and reads where the items are
  static constexpr std::size_t slots = 4;
  static constexpr std::size_t most_bytes = std::size_t{16} << 20;

  host_flow(On const& on, Verb verb, std::size_t items, bool needs_room) : on_{on}, verb_{std::move(verb)}, items_{items} {
    for (auto& one : slot_) {
      if (needs_room) one.room = std::make_unique_for_overwrite<item[]>(items);
      one.results = std::make_unique_for_overwrite<result[]>(items);
    }
  }
  item* room(std::size_t s) const { return slot_[s].room.get(); }
  void run(std::size_t s, std::span<item const> in) {
    auto& one = slot_[s];
    one.count = static_cast<index_t>(in.size());
    verb_(with_carry(on_, state_.states(), chunks_++), in, std::span<result>(one.results.get(), items_), &one.count);
  }
  std::span<result const> results(std::size_t s) const {
    return {slot_[s].results.get(), static_cast<std::size_t>(slot_[s].count)};
  }

 private:
  struct slot {
    std::unique_ptr<item[]> room;
    std::unique_ptr<result[]> results;
    index_t count = 0;
  };
  On on_;
  Verb verb_;
  std::size_t items_;
  slot slot_[slots];
  state_of_chunks<typename Verb::carry_type> state_;
  std::uint64_t chunks_ = 0;
};

/// The flow of a policy; a back end whose memory is another has one of its own (gpu/streams.cuh).
template <class On, class Verb>
struct flow_of {
  using type = host_flow<On, Verb>;
};
template <on_device On, class Verb>
struct flow_of<On, Verb> {
  using type = decltype(chunk_flow_of(std::declval<On const&>(), std::type_identity<Verb>{}));
};

}  // namespace detail

/// Runs `verb` on everything that `from` has, chunk by chunk, and gives the results to `to`.
///
///   from, to   two arrays may be exactly one; any other overlap is refused. They and the functions are the host's
///   verb       is copied
///   most       bytes for the chunks that are on their way; at least four chunks of a tile of the engine are (six on a GPU). Unless
///              it is said 16 MB, and for a GPU 384 MB: so much memory of the host is pinned, and as much of the device allocated
///
/// Cost:   one call of the engine a chunk; the time of the slowest of reading, computing and writing where there are enough cores,
///         and for a GPU of the copies to and from it, which run at the same time.
/// Throws: invalid_argument for arrays that overlap, an array `to` that is too short, or a policy with another direction than
///         left_to_right; out_of_memory; and what `from`, `to` or an operator threw, when all stages have ended: `to` was then
///         given the results of all chunks before, in order, unless it threw itself. Floats have the bits of one call of a scan (of
///         a GPU with `reproducible`): chunks are cut at multiples of the engine's tiles.
template <policy On, class From, class Verb, class To>
requires chunked::verb<Verb, On> stream_report stream(On const& on, From&& from, Verb verb, To&& to,
                                                      std::optional<memory> most = {}) {
  static_assert(std::is_same_v<typename On::carry_type, no_carry>, "a stream has a carry of its own");
  expects(on.direction == left_to_right, "a stream runs from left to right");
  using item = typename Verb::item;
  using result = typename Verb::result;
  using flow_type = typename detail::flow_of<On, Verb>::type;
  using reader_type = detail::chunk_reader<item, std::remove_reference_t<From>>;
  constexpr bool needs_room = reader_type::needs_room || !flow_type::runs_on_what_it_is;
  struct slot {
    std::size_t number;
    std::span<item const> in;
    std::span<result const> out;
  };
  auto const tile = static_cast<std::size_t>(tile_items(on, static_cast<index_t>(std::max(sizeof(item), sizeof(result)))));
  std::size_t const bytes_an_item = sizeof(result) + (needs_room ? sizeof(item) : 0);
  std::size_t const tiles = most.value_or(memory(flow_type::most_bytes)).bytes / (flow_type::slots * bytes_an_item) / tile;
  std::size_t const chunk_items = std::max<std::size_t>(std::min(tiles, reader_type::most_tiles(from, tile)), 1) * tile;
  detail::expects_exact_or_disjoint(from, to);
  reader_type reader(from, chunk_items);
  auto const make_flow = [&] {
    try {
      return std::make_unique<flow_type>(on, std::move(verb), chunk_items, needs_room);
    } catch (std::bad_alloc const&) {
      throw out_of_memory("lookback: cannot allocate the chunks of a stream, of " + std::to_string(chunk_items) + " items each");
    }
  };
  auto const flow = make_flow();
  slot slots[flow_type::slots];
  for (std::size_t s = 0; s < flow_type::slots; ++s) slots[s].number = s;
  stream_report report;
  auto const fill = [&](slot& one) {
    one.in = reader.next(flow->room(one.number));
    report.items += static_cast<index_t>(one.in.size());
    return !one.in.empty();
  };
  auto const fetch = [&](slot& one) { one.out = flow->results(one.number); };
  auto const drain = [&](slot& one) {
    if (one.out.empty()) return;
    detail::write_chunk(to, report.results, one.out);
    report.results += static_cast<index_t>(one.out.size());
  };
  if constexpr (flow_type::fetches) {
    report.times = run_stages(
        std::span(slots), fill, [&](slot& one) { flow->run(one.number, one.in); }, fetch, drain);
  } else {
    report.times = run_stages(
        std::span(slots), fill, [&](slot& one) { flow->run(one.number, one.in), fetch(one); }, drain);
  }
  return report;
}

}  // namespace lookback
