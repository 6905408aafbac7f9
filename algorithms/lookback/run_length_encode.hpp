// Runs of equal neighbours as a value and a length each.
//
//   auto const runs = lookback::run_length_encode(on, in, values, lengths);
//   auto const runs = lookback::run_length_encode(on, in, values, lengths, offsets);   and where each begins
#pragma once
#include <lookback/compaction.hpp>

namespace lookback {

namespace detail {

template <policy On, class T, class Length, class Equal, class... Columns>
void encode_runs(On const& on, input<elements<T>> const& in, Length* lengths, index_t* count, Equal const& equal,
                 columns<Columns...> const& firsts) {
  using items = counted_items<T, Length>;
  expects_runs_storable<On>(in.items.arrays(), lengths, firsts, in.size.bound);
  scan_into(on.with(left_to_right), in.size, source<items, runs<Equal>, Length>{{in.items.data}, {equal}, {}},
            segmented<plus<Length>>{}, per_segment<Length, as_it_is, Columns...>{lengths, count, {}, firsts});
}

}  // namespace detail

/// values[r] is the first item of run r, lengths[r] its number of items. Leaves the number of runs in *count, readable where `on`
/// runs.
///
///   in        n elements in memory: a range, or first(range, n)
///   values    at least n elements; may be exactly in (then reduce_then_scan is refused); any other overlap is refused
///   lengths   at least n integers, apart from in. A run longer than they can tell wraps
///   equal     pure; called with neighbours only, the left one first
///
/// Cost:   one pass: reads n, writes the runs; scratch O(tiles).
/// Throws: as select_if.
/// Source: van den Hurk, Irregular Segmented Look-Back Scans in Accelerate, Utrecht 2022: a run is a segment, its length a sum of
/// ones.
template <policy On, in_memory In, writable_range Values, writable_range Lengths, class Equal = equal_to>
requires equality_of<Equal, item_value_t<items_t<In>>> && std::is_integral_v<value_t<Lengths>>
void run_length_encode_async(On const& on, In const& in, Values&& values, Lengths&& lengths, index_t* count, Equal equal = {}) {
  auto const from = as_input(in);
  auto const first = as_output(values);
  auto const length = as_output(lengths);
  detail::expects_room(first, from.size.bound), detail::expects_room(length, from.size.bound);
  using value = column<value_t<Values>, the_item>;
  detail::encode_runs(on, from, length.data, count, equal, columns<value>{{first.data, {}}, {}});
}
/// The same, and returns the number of runs: waits.
template <policy On, in_memory In, writable_range Values, writable_range Lengths, class Equal = equal_to>
requires equality_of<Equal, item_value_t<items_t<In>>> && std::is_integral_v<value_t<Lengths>> index_t
run_length_encode(On const& on, In const& in, Values&& values, Lengths&& lengths, Equal equal = {}) {
  return detail::counted<1>(on, [&](index_t* count) { run_length_encode_async(on, in, values, lengths, count, equal); })[0];
}

/// With offsets[r], the place of run r's first item: at least n integers, apart from in.
template <policy On, in_memory In, writable_range Values, writable_range Lengths, writable_range Offsets, class Equal = equal_to>
requires equality_of<Equal, item_value_t<items_t<In>>> && std::is_integral_v<value_t<Lengths>> &&
    std::is_integral_v<value_t<Offsets>>
void run_length_encode_async(On const& on, In const& in, Values&& values, Lengths&& lengths, Offsets&& offsets, index_t* count,
                             Equal equal = {}) {
  auto const from = as_input(in);
  auto const first = as_output(values);
  auto const length = as_output(lengths);
  auto const place = as_output(offsets);
  detail::expects_room(first, from.size.bound), detail::expects_room(length, from.size.bound);
  detail::expects_room(place, from.size.bound);
  using value = column<value_t<Values>, the_item>;
  using offset = column<value_t<Offsets>, detail::place_of_item<value_t<Offsets>>>;
  detail::encode_runs(on, from, length.data, count, equal, columns<value, offset>{{first.data, {}}, {{place.data, {}}, {}}});
}
template <policy On, in_memory In, writable_range Values, writable_range Lengths, writable_range Offsets, class Equal = equal_to>
requires equality_of<Equal, item_value_t<items_t<In>>> && std::is_integral_v<value_t<Lengths>> &&
    std::is_integral_v<value_t<Offsets>>
        index_t run_length_encode(On const& on, In const& in, Values&& values, Lengths&& lengths, Offsets&& offsets,
                                  Equal equal = {}) {
  return detail::counted<1>(on,
                            [&](index_t* count) { run_length_encode_async(on, in, values, lengths, offsets, count, equal); })[0];
}

}  // namespace lookback
