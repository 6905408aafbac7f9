// The order of strings of any lengths that lie in one array of characters.
//
//   lookback::sort_strings(on, characters, lookback::offsets(o), order);             string i is characters [o[i], o[i + 1])
//   lookback::sort_strings(on, characters, lookback::offsets(begins, ends), order);  or [begins[i], ends[i])
//   lookback::sort_strings(on, text, lookback::offsets(lines), order, lookback::terminated);   without the newline that ends each
//   lookback::sort_strings(on, characters, lookback::offsets(o), order, lookback::descending);
//
// Strings are sorted by seven characters at a time. Strings that have been equal so far are a segment, and a round sorts all
// segments at once by the next seven. What stands alone or has ended has found its place and takes part in no further round.
//
//   key       of every string: the next seven characters, and whether it goes on        generate
//   sort      keys with their strings, each segment by itself                           radix_sort
//   keep      strings that go on and have neighbours with the same key                  select_if
//   number    the new segment of each                                                   inclusive_scan
//   starts    where segments begin                                                      select_if
//   skip      a segment that a round did not split: what all of it have in common       segmented_reduce
//
// On a CPU one thread sorts few strings, and what a round leaves if it is few, without these passes (few_strings.hpp).
#pragma once
#include <algorithm>
#include <cstdint>
#include <limits>
#include <lookback/few_strings.hpp>
#include <lookback/observe.hpp>
#include <lookback/put_by_places.hpp>
#include <lookback/radix_sort.hpp>
#include <lookback/reduce_by_key.hpp>
#include <lookback/scan.hpp>
#include <lookback/select_if.hpp>
#include <lookback/strings_of.hpp>
#include <numeric>
#include <span>

namespace lookback {

/// The last character of every string is its end, a newline or a zero, and is not compared.
struct terminated_t {};
inline constexpr terminated_t terminated{};

namespace detail {

/// What a round has sorted: keys, and the segment that each belonged to, null where all are one.
struct sorted_strings {
  std::uint64_t const* keys;
  std::uint32_t const* segment;
  index_t n;

  LOOKBACK_FN bool is_head(index_t j) const {
    return j == 0 || keys[j] != keys[j - 1] || (segment && segment[j] != segment[j - 1]);
  }
  LOOKBACK_FN bool is_open(index_t j) const {
    return (keys[j] & 0xFF) == strings_of::goes_on && (!is_head(j) || (j + 1 < n && !is_head(j + 1)));
  }
};
/// Does string j take part in the next round? Stores it at its place, which is its own alone and may be stored again; `to` is null
/// where it lies there.
struct stays_open {
  sorted_strings sorted;
  std::uint32_t const *strings, *places;
  std::uint32_t* to;
  LOOKBACK_FN bool operator()(std::uint32_t j) const {
    if (to) LOOKBACK_STORE(to + places[j], strings[j]);
    return sorted.is_open(j);
  }
};
struct first_key {
  strings_of strings;
  LOOKBACK_FN std::uint64_t operator()(index_t i) const { return strings.key(i, 0); }
};
/// Neighbours in an order lie anywhere in the text: a CPU is told early what it will read of those to come.
struct next_key {
  strings_of of;
  std::uint32_t const *strings, *segment;
  index_t n;
  index_t const* depths;
  static constexpr index_t ahead = 16;
  LOOKBACK_FN std::uint64_t operator()(index_t j) const {
    if (index_t const k = j + ahead; k + ahead < n) {
      LOOKBACK_FETCH(of.place_in(of.bounds.begins, strings[k + ahead]));
      LOOKBACK_FETCH(of.place_in(of.bounds.ends, strings[k + ahead]));
      LOOKBACK_FETCH(of.place_of(strings[k], depths[segment[k]]));
    }
    return of.key(strings[j], depths[segment[j]]);
  }
};
struct begins_of_kept {
  sorted_strings sorted;
  std::uint32_t const* kept;
  LOOKBACK_FN std::uint32_t operator()(index_t i) const { return sorted.is_head(kept[i]) ? 1 : 0; }
};
/// Where a segment begins, and behind the last one.
struct begins_segment {
  std::uint32_t const* segment;
  index_t n;
  LOOKBACK_FN bool operator()(index_t j) const { return j == 0 || j == n || segment[j] != segment[j - 1]; }
};
struct common_with_left {
  strings_of of;
  std::uint32_t const *strings, *segment;
  string_segment const* segments;
  LOOKBACK_FN index_t operator()(index_t j) const {
    if (j == 0 || segment[j] != segment[j - 1]) return strings_of::equal;
    string_segment const& s = segments[segment[j]];
    return s.looks == 0 ? 0 : of.common(strings[j - 1], strings[j], s.depth, s.looks);
  }
};
struct common_of_segment {
  string_segment const* segments;
  LOOKBACK_FN index_t operator()(index_t s, index_t common) const {
    return common == strings_of::equal ? common : segments[s].depth + common;
  }
};
/// Segment s of the next round, which begins at starts[s] there. It looks ahead only if this round left a segment as it was.
struct next_segment {
  sorted_strings sorted;
  std::uint32_t const* kept;
  index_t const *starts, *starts_before, *depths;
  string_segment const* before;
  LOOKBACK_FN string_segment operator()(index_t s) const {
    index_t const j = kept[starts[s]], step = strings_of::step;
    if (!sorted.segment) return {step, sorted.keys[0] == sorted.keys[sorted.n - 1] ? first_looks : 0};
    index_t const was = sorted.segment[j];
    if (sorted.keys[starts_before[was]] != sorted.keys[starts_before[was + 1] - 1]) return {depths[was] + step, 0};
    bool const found_all = before[was].looks > 0 && depths[was] - before[was].depth >= before[was].looks;
    return {depths[was] + step, found_all ? 4 * before[was].looks : first_looks};
  }
};

template <class T, policy On>
auto some_scratch(On const& on, index_t n) {
  return scratch_for(on, n, std::type_identity<T>{});
}

/// Two arrays of scratch, of which one is read while the other is written.
template <class T, policy On>
struct scratch_pair {
  decltype(scratch_for(std::declval<On const&>(), index_t{}, std::type_identity<T>{})) one, another;
  T *now, *next;
  scratch_pair(On const& on, index_t n)
      : one{some_scratch<T>(on, n)}, another{some_scratch<T>(on, n)}, now{one.data()}, next{another.data()} {}
  void turn() { std::swap(now, next); }
};

template <class T>
std::span<T> span_of(T* data, index_t n) {
  return {data, static_cast<std::size_t>(n)};
}

/// One thread of a CPU sorts so few strings without passes (few_strings.hpp): all of them, or what a round has left. 256 take 0.4
/// to 0.9 of the time of passes; 16384 take 0.5 to 1.0, and 1.14 where a segment of thousands has different keys. Passes over so
/// few run on one thread, too.
inline constexpr index_t few_first = 256, few_left = 16384;

/// Stores the order of n <= few_first strings. Asks for no memory.
template <policy On, class Place>
void sort_few_strings(On const&, strings_of const& of, bool falls, index_t n, Place* order) {
  std::uint32_t strings[few_first];
  alignas(std::uint64_t) std::byte room[few_strings<On>::scratch_bytes(few_first)];
  std::iota(strings, strings + n, std::uint32_t{0});
  observe_way("one thread, a segment after the other", "there are few strings", 0, 0, 0, 0);
  few_strings<On>{of, falls, few_first, room}.sort(strings, n, 0);
  std::transform(strings, strings + n, order, place_as<Place>{});
}

/// Strings that a round has left open: kept[j] is the place of the j-th among the strings of the round. It lies at that place of
/// places, or at kept[j] itself in the first round, where there are none.
struct strings_left {
  std::uint32_t const *kept, *places;
  index_t n;
};
/// Leaves them in `order` in order, segment by segment: each is a run of neighbours there.
template <policy On>
void sort_few_left(On const& on, strings_of const& of, bool falls, sorted_strings const& sorted, strings_left const& left,
                   index_t const* depths, std::uint32_t* order) {
  auto const room = some_scratch<std::byte>(on, few_strings<On>::scratch_bytes(left.n));
  observe_way("one thread, a segment after the other", "a round has left few strings", 0, 0, 0, 0);
  few_strings<On> few{of, falls, left.n, room.data()};
  for (index_t j = 0, end = 0; j < left.n; j = end) {
    for (end = j + 1; end < left.n && !sorted.is_head(left.kept[end]);) ++end;
    index_t const at = left.kept[j], before = sorted.segment ? depths[sorted.segment[at]] : 0;
    few.sort(order + (left.places ? left.places[at] : at), end - j, before + static_cast<index_t>(strings_of::step));
  }
}

/// Leaves in `order` the n strings in order.
template <bool Falls, policy On>
void sort_strings_into(On const& on, strings_of const& of, index_t n, std::uint32_t* order) {
  auto const sort = [&](auto const& keys, auto const& strings, auto const&... segments) {
    if constexpr (Falls) radix_sort(on, keys, strings, descending, segments...);
    else radix_sort(on, keys, strings, segments...);
  };
  auto const counter = some_scratch<index_t>(on, 1);
  auto const make = [&](auto* out, index_t items, auto const& f) {
    select_if_async(on, generate(items, f), span_of(out, items), always{}, counter.data());
  };
  auto const key_room = some_scratch<std::uint64_t>(on, n);
  std::uint64_t* const keys = key_room.data();
  make(order, n, place_as<std::uint32_t>{});
  make(keys, n, first_key{of});
  sort(span_of(keys, n), span_of(order, n));

  auto const first_places = some_scratch<std::uint32_t>(on, n);
  sorted_strings sorted{keys, nullptr, n};
  auto const keep = [&](stays_open const& stays, std::uint32_t* out) {
    return select_if(on, generate(sorted.n, place_as<std::uint32_t>{}), span_of(out, sorted.n), stays);
  };
  index_t m = keep({sorted, nullptr, nullptr, nullptr}, first_places.data());
  if (m == 0) return;

  index_t const most = m / 2;
  auto const kept_room = some_scratch<std::uint32_t>(on, m);
  scratch_pair<std::uint32_t, On> strings(on, m), places(on, m), segment(on, m);
  scratch_pair<index_t, On> starts(on, most + 1);
  scratch_pair<string_segment, On> segments(on, most);
  auto const depth_room = some_scratch<index_t>(on, most);
  index_t* const depths = depth_room.data();
  std::uint32_t const *from_strings = order, *from_places = nullptr, *kept = first_places.data();
  while (m > 0) {
    if constexpr (!on_device<On>)
      if (m <= few_left) return sort_few_left(on, of, Falls, sorted, {kept, from_places, m}, depths, order);
    auto const take = [&](std::uint32_t* out, std::uint32_t const* from) {
      select_if_async(on, mapped(span_of(kept, m), item_of_place<std::uint32_t>{from}), span_of(out, m), always{}, counter.data());
    };
    auto const all = [&](auto* data) { return span_of(data, m); };
    take(strings.next, from_strings);
    if (from_places) take(places.next, from_places);
    else make(places.next, m, item_of_place<std::uint32_t>{kept});
    inclusive_scan(on, generate(m, begins_of_kept{sorted, kept}), all(segment.next), plus<std::uint32_t>{}, ~std::uint32_t{0});
    // Of m + 1 places no more than most + 1 are kept: a segment has two strings at least.
    index_t const number =
        select_if(on, generate(m + 1, place_as<index_t>{}), span_of(starts.next, m + 1), begins_segment{segment.next, m}) - 1;
    make(segments.next, number, next_segment{sorted, kept, starts.next, starts.now, depths, segments.now});
    strings.turn(), places.turn(), segment.turn(), starts.turn(), segments.turn();

    auto const bounds = span_of(starts.now, number + 1);
    segmented_reduce_async(on, generate(m, common_with_left{of, strings.now, segment.now, segments.now}), known_offsets(bounds),
                           into(span_of(depths, number), common_of_segment{segments.now}), counter.data(), minimum<index_t>{});
    make(keys, m, next_key{of, strings.now, segment.now, m, depths});
    sort(span_of(keys, m), all(strings.now), offsets(bounds));
    sorted = {keys, segment.now, m};
    kept = kept_room.data();
    from_strings = strings.now, from_places = places.now;
    m = keep({sorted, strings.now, places.now, order}, kept_room.data());
  }
}

/// In a build with assertions, and on a CPU: strings lie among the characters.
template <policy On>
void expects_strings([[maybe_unused]] On const& on, [[maybe_unused]] strings_of const& of) {
  if constexpr (asserts && !on_device<On>)
    for (index_t i = 0; i < of.bounds.count; ++i) {
      index_t const begin = offset_at(of.bounds.begins, i), end = offset_at(of.bounds.ends, i);
      expects(0 <= begin && begin <= end && end - of.not_compared <= of.total,
              "a string lies among the characters: 0 <= its begin <= its end <= their number");
    }
}

template <class Option>
inline constexpr bool is_string_option =
    is_segments<Option> || std::is_same_v<Option, descending_t> || std::is_same_v<Option, terminated_t>;

}  // namespace detail

/// order[k] is the number of the string that is k-th in order: by characters as unsigned bytes, a string before all that it begins.
/// Stable: equal strings by their numbers.
///
///   on          cpu::seq, cpu::on(threads), gpu::on(stream) ...; a GPU call waits twice in every round, and cannot be captured
///   characters  of all strings: any range of elements of one byte; zeros are characters like others
///   strings     offsets(o) of n + 1 positions, or offsets(begins, ends) of n each, in any order; strings may overlap
///   order       n of int32_t, uint32_t or int64_t, apart from everything; written only
///   options     terminated: the last character of each string is its end, and may lie just behind the characters; descending: the
///               last string first, and equal ones by their numbers, too
///
/// Offsets that are not in order or go beyond the characters give an unspecified order, but touch no other memory. Where NDEBUG is
/// not defined they throw invalid_argument (cpu).
///
/// Cost:   a sort of n keys of 8 bytes, and one in each round of those strings that are left: another string begins with all that
///         has been compared of them. A round compares 7 characters more. A beginning that a round has found to be common to a
///         segment is passed over, 64 characters at first, then four times as many: a megabyte takes 8 rounds, and so do equal
///         strings of a megabyte. Scratch: some 33 bytes for each string, and 80 for each that 7
///         characters do not tell from others. cpu: the calling thread alone sorts up to 256 strings, without scratch, and up to
///         16384 that a round has left, with 48 bytes more for each.
/// Throws: invalid_argument, where there are 2^32 strings or more, too; out_of_memory; device_error. right_to_left is refused.
/// Source: Bentley & Sedgewick, Fast Algorithms for Sorting and Searching Strings, 1997; McIlroy, Bostic & McIlroy, Engineering
///         Radix Sort, 1993. All segments advance together as in Blelloch, 1990.
template <policy On, contiguous Characters, class Strings, writable_range Order, class... Options>
requires detail::is_segments<Strings> &&
    (detail::is_string_option<Options>&&...) void sort_strings(On const& on, Characters const& characters, Strings const& strings,
                                                               Order&& order, Options const&... options) {
  static_assert(sizeof(value_t<Characters>) == 1, "characters have one byte");
  using given = detail::sort_options<Strings, Options...>;
  auto const from = detail::input_of(on, characters, "characters");
  auto const to = detail::output_of(on, order, "order");
  using place = std::remove_cvref_t<decltype(*to.data)>;
  static_assert(std::is_same_v<place, std::int32_t> || std::is_same_v<place, std::uint32_t> || std::is_same_v<place, std::int64_t>,
                "order is of std::int32_t, std::uint32_t or std::int64_t");
  auto const& forward = detail::without_direction(on);
  segment_bounds const bounds = given{{strings, options...}}.bounds(on);
  index_t const n = bounds.count, total = from.size.bound;
  expects_size(to.size, n, "order has room for every string");
  index_t const narrowest = std::numeric_limits<std::uint32_t>::max();
  expects(n <= narrowest, "there are fewer than 2^32 strings");
  expects(n == 0 || n - 1 <= static_cast<index_t>(std::numeric_limits<place>::max()), "order can name every string");
  expects(!detail::overlap(detail::bytes(from.items.data, total), detail::bytes(to.data, n)),
          "order does not overlap the characters");
  detail::expects_sortable(on, bounds, {{{to.data, n}, {to.data, n}, "order"}});
  detail::strings_of const of{reinterpret_cast<unsigned char const*>(from.items.data), total, bounds,
                              given::template has<terminated_t> ? 1 : 0};
  detail::expects_strings(on, of);
  if (n == 0) return;
  constexpr bool falls = given::template has<descending_t>;
  if constexpr (!detail::on_device<On>)
    if (n <= detail::few_first) return detail::sort_few_strings(on, of, falls, n, to.data);
  // By way of scratch: memory may be refused in any round, and nothing has been written then.
  auto const sorted = detail::some_scratch<std::uint32_t>(on, n);
  auto const counter = detail::some_scratch<index_t>(on, 1);
  detail::sort_strings_into<falls>(forward, of, n, sorted.data());
  select_if_async(on, mapped(detail::span_of(sorted.data(), n), detail::place_as<place>{}), order, detail::always{},
                  counter.data());
}

}  // namespace lookback
