// Runs of equal neighbours as a value and a length each.
//
//   auto const runs = lookback::run_length_encode(on, in, values, lengths);
//   auto const runs = lookback::run_length_encode(on, in, values, lengths, offsets);   and where each begins
//   auto const runs = lookback::non_trivial_runs(on, in, offsets, lengths);            only those of two items or more
#pragma once
#include <algorithm>
#include <lookback/model/compaction.hpp>

namespace lookback {

namespace detail {

template <policy On, class T, class Length, class Equal, class... Columns>
void encode_runs(On const& on, input<elements<T>> const& in, Length* lengths, index_t* count, Equal const& equal,
                 columns<Columns...> const& firsts) {
  using items = unit_items<T, Length>;
  expects_reached(on, count, 1, "count");
  expects_runs_storable(on, in.items.arrays(), lengths, firsts, in.size.bound);
  scan_into(without_direction(on), in.size, source<items, runs<Equal>, Length>{{in.items.data}, {equal}, {}},
            segmented<plus<Length>>{}, per_segment<Length, as_it_is, Columns...>{lengths, count, {}, firsts});
}

}  // namespace detail

/// values[r] is the first item of run r, lengths[r] its number of items. Leaves the number of runs in *count, readable where `on`
/// runs.
///
///   in        n elements in memory: a range, or first(range, n)
///   values    at least n elements; may be exactly in (then reduce_then_scan is refused); any other overlap is refused
///   lengths   at least n integers, apart from in; n + 1 where a carry ends what is open. A run longer than they can tell wraps
///   equal     pure; called with neighbours only, the left one first
///   count     may be the very number that `in` is bounded by
///
/// Cost:   one pass: reads n, writes the runs; scratch O(tiles).
/// Throws: as select_if; right_to_left is refused.
/// Source: van den Hurk, Irregular Segmented Look-Back Scans in Accelerate, Utrecht 2022: a run is a segment, its length a sum of
/// ones.
template <policy On, in_memory In, writable_range Values, writable_range Lengths, class Equal = equal_to>
requires equality_of<Equal, item_value_t<items_t<In>>> && std::is_integral_v<value_t<Lengths>>
void run_length_encode_async(On const& on, In const& in, Values&& values, Lengths&& lengths, index_t* count, Equal equal = {}) {
  auto const from = detail::input_of(on, in, "in");
  auto const first = detail::output_of(on, values, "values");
  auto const length = detail::output_of(on, lengths, "lengths");
  detail::expects_room(first, from.size.bound), detail::expects_room_for_results(on, length, from.size.bound);
  using value = column<value_t<Values>, the_item>;
  detail::encode_runs(on, from, length.data, count, equal, columns<value>{{first.data, {}}, {}});
}
/// The same, and returns the number of runs: waits.
template <policy On, in_memory In, writable_range Values, writable_range Lengths, class Equal = equal_to>
requires equality_of<Equal, item_value_t<items_t<In>>> && std::is_integral_v<value_t<Lengths>> index_t
run_length_encode(On const& on, In const& in, Values&& values, Lengths&& lengths, Equal equal = {}) {
  return detail::wait_for_counts<1>(on, [&](index_t* count) { run_length_encode_async(on, in, values, lengths, count, equal); })[0];
}

/// With offsets[r], the place of run r's first item: at least n integers, apart from in.
template <policy On, in_memory In, writable_range Values, writable_range Lengths, writable_range Offsets, class Equal = equal_to>
requires equality_of<Equal, item_value_t<items_t<In>>> && std::is_integral_v<value_t<Lengths>> &&
    std::is_integral_v<value_t<Offsets>>
void run_length_encode_async(On const& on, In const& in, Values&& values, Lengths&& lengths, Offsets&& offsets, index_t* count,
                             Equal equal = {}) {
  auto const from = detail::input_of(on, in, "in");
  auto const first = detail::output_of(on, values, "values");
  auto const length = detail::output_of(on, lengths, "lengths");
  auto const place = detail::output_of(on, offsets, "offsets");
  detail::expects_room(first, from.size.bound), detail::expects_room_for_results(on, length, from.size.bound);
  detail::expects_room(place, from.size.bound);
  auto const in_whole = detail::place_payload<value_t<Offsets>>(on);
  using value = column<value_t<Values>, the_item>;
  using offset = column<value_t<Offsets>, std::remove_const_t<decltype(in_whole)>>;
  detail::encode_runs(on, from, length.data, count, equal, columns<value, offset>{{first.data, {}}, {{place.data, in_whole}, {}}});
}
template <policy On, in_memory In, writable_range Values, writable_range Lengths, writable_range Offsets, class Equal = equal_to>
requires equality_of<Equal, item_value_t<items_t<In>>> && std::is_integral_v<value_t<Lengths>> &&
    std::is_integral_v<value_t<Offsets>>
        index_t run_length_encode(On const& on, In const& in, Values&& values, Lengths&& lengths, Offsets&& offsets,
                                  Equal equal = {}) {
  return detail::wait_for_counts<1>(
      on, [&](index_t* count) { run_length_encode_async(on, in, values, lengths, offsets, count, equal); })[0];
}

namespace detail {

/// The length of a run from the places of its last and its first item, staged in this order.
struct length_of_run {
  template <class Place>
  LOOKBACK_FN Place operator()(index_t, Place const& last, Place const& first) const {
    return static_cast<Place>(last - first + 1);
  }
};

}  // namespace detail

/// Only runs of two or more: offsets[r] is the place of the first item of the r-th of them, lengths[r] its number of items. Leaves
/// how many there are in *count, readable where `on` runs.
///
///   in        n elements in memory: a range, or first(range, n)
///   offsets   integers, room for n / 2, apart from in
///   lengths   the same, of the same type, apart from in and offsets. What is longer than they can tell wraps
///   equal     as above; called a few times for each pair of neighbours
///
/// Cost:   one pass over in, and one over offsets and lengths; scratch O(tiles).
/// Throws: as select_if; right_to_left is refused.
template <policy On, in_memory In, writable_range Offsets, writable_range Lengths, class Equal = equal_to>
requires equality_of<Equal, item_value_t<items_t<In>>> && std::is_integral_v<value_t<Offsets>> &&
    std::is_same_v<value_t<Offsets>, value_t<Lengths>>
void non_trivial_runs_async(On const& on, In const& in, Offsets&& offsets, Lengths&& lengths, index_t* count, Equal equal = {}) {
  using place = value_t<Offsets>;
  auto const from = detail::input_of(on, in, "in");
  auto const first = detail::output_of(on, offsets, "offsets");
  auto const length = detail::output_of(on, lengths, "lengths");
  expects(from.size.bound >= 0, "the number of items is not negative");
  detail::expects_reached(on, count, 1, "count");
  index_t const most = from.size.bound / 2;
  expects_size(std::min(first.size, length.size), most, "offsets and lengths have room for n / 2 runs");
  auto const arrays = from.items.arrays();
  expects(!detail::overlap(first.data, length.data, most), "offsets and lengths do not overlap");
  expects(
      !detail::touches(arrays, from.size.bound, first.data, most) && !detail::touches(arrays, from.size.bound, length.data, most),
      "offsets and lengths do not overlap the input");
  auto const& forward = detail::without_direction(on);
  auto const ends = scratch_for(on, 2, std::type_identity<index_t>{});
  using edges = compact<2, place, detail::place_of_item<place>>;
  scan_into(forward, from.size, source<items_t<In>, runs<Equal, true>, int>{from.items, {equal}, {}}, ranks<2>{},
            edges{{first.data, length.data}, ends.data(), {false, false}, {}});
  // Places of last items become lengths. Nothing is dropped: this is a compaction because that leaves the count.
  input<beside<elements<place>, elements<place>>> const pairs{{{length.data}, {first.data}}, {most, ends.data()}};
  detail::compact_into<1>(forward, pairs.size, mapped(pairs, detail::first_that_holds<>{}).items, no_segments{}, {length.data},
                          {false}, detail::length_of_run{}, count);
}
/// The same, and returns how many there are: waits.
template <policy On, in_memory In, writable_range Offsets, writable_range Lengths, class Equal = equal_to>
requires equality_of<Equal, item_value_t<items_t<In>>> && std::is_integral_v<value_t<Offsets>> &&
    std::is_same_v<value_t<Offsets>, value_t<Lengths>>
        index_t non_trivial_runs(On const& on, In const& in, Offsets&& offsets, Lengths&& lengths, Equal equal = {}) {
  return detail::wait_for_counts<1>(on, [&](index_t* count) { non_trivial_runs_async(on, in, offsets, lengths, count, equal); })[0];
}

}  // namespace lookback
