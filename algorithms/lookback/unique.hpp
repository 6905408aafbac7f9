// The first item of every run of equal neighbours, in order; out of place and in place.
//
//   auto const runs = lookback::unique(lookback::gpu::on(stream), in, out);
//   auto const runs = lookback::unique(on, data, same_key);                   in place, equal by a predicate
#pragma once
#include <lookback/model/compaction.hpp>

namespace lookback {

/// Keeps the first item of each run. Leaves the number of runs in *count, readable where `on` runs.
///
///   in      n elements in memory: a range, or first(range, n)
///   out     at least n elements: may begin where in begins, if their elements have one size; any other overlap is refused
///   equal   pure; called with neighbours only, the left one first. It need not be transitive: each is compared with the one before
///           it, kept or not. With == a NaN begins a run of its own
///   count   may be the very number that `in` is bounded by
///
/// Cost:   one pass: reads n, writes the runs; scratch O(tiles).
/// Throws: as select_if; right_to_left is refused.
/// Source: Merrill & Garland 2016, 5. In place it is sound for the reason that select_if is; the one item left of a tile that is
/// read too is overwritten before by nothing but itself: only if every item before the tile is kept, and so stays where it is.
template <policy On, in_memory In, writable_range Out, class Equal = equal_to>
requires equality_of<Equal, item_value_t<items_t<In>>>
void unique_async(On const& on, In const& in, Out&& out, index_t* count, Equal equal = {}) {
  auto const from = detail::input_of(on, in, "in");
  auto const to = detail::output_of(on, out, "out");
  detail::expects_room(to, from.size.bound);
  detail::compact_into<1>(on, from.size, from.items, runs<Equal>{equal}, {to.data}, {false}, the_item{}, count);
}
/// The same, and returns the number of runs: waits.
template <policy On, in_memory In, writable_range Out, class Equal = equal_to>
requires equality_of<Equal, item_value_t<items_t<In>>> index_t unique(On const& on, In const& in, Out&& out, Equal equal = {}) {
  return detail::wait_for_counts<1>(on, [&](index_t* count) { unique_async(on, in, out, count, equal); })[0];
}

/// In place.
template <policy On, writable_range Data, class Equal = equal_to>
requires equality_of<Equal, value_t<Data>>
void unique_async(On const& on, Data&& data, index_t* count, Equal equal = {}) { unique_async(on, data, data, count, equal); }
template <policy On, writable_range Data, class Equal = equal_to>
requires equality_of<Equal, value_t<Data>> index_t unique(On const& on, Data&& data, Equal equal = {}) {
  return unique(on, data, data, equal);
}

/// Keeps of each run of equal keys the first key and the value beside it. Everything else as above; values and values_out are one
/// more pair of ranges of which the second may begin where the first does.
template <policy On, in_memory Keys, contiguous Values, writable_range KeysOut, writable_range ValuesOut, class Equal = equal_to>
requires equality_of<Equal, item_value_t<items_t<Keys>>>
void unique_by_key_async(On const& on, Keys const& keys, Values const& values, KeysOut&& keys_out, ValuesOut&& values_out,
                         index_t* count, Equal equal = {}) {
  auto const from = detail::input_of(on, keys, "keys");
  auto const of = detail::input_of(on, values, "values");
  auto const first = detail::output_of(on, keys_out, "keys_out");
  auto const to = detail::output_of(on, values_out, "values_out");
  detail::expects_reached(on, count, 1, "count");
  detail::expects_room(first, from.size.bound), detail::expects_room(to, from.size.bound);
  expects_size(of.size.bound, from.size.bound, "there is a value for every key");
  expects(!detail::overlap(first.data, to.data, from.size.bound), "the outputs of unique_by_key do not overlap");
  using items = beside<items_t<Keys>, items_t<Values>>;
  using value = column<value_t<ValuesOut>, detail::item_beside<1, items_t<Values>>>;
  compact<1, value_t<KeysOut>, the_item, value> const sink{{first.data}, count, {false}, {}, {{to.data, {of.items}}, {}}};
  items const both{from.items, of.items};
  expects(from.size.bound >= 0, "the number of items is not negative");
  expects(std::is_same_v<value_t<KeysOut>, item_value_t<items_t<Keys>>> ||
              !detail::touches(from.items.arrays(), first.data, from.size.bound),
          "keys_out may overlap keys only if both have the same element type");
  detail::expects_exact_or_apart(both.arrays(), first.data, from.size.bound);
  detail::expects_compactable(both.arrays(), sink.beside, from.size.bound);
  scan_into(detail::without_direction(on), from.size, source<items, runs<Equal>, int>{both, {equal}, {}}, ranks<1>{}, sink);
}
template <policy On, in_memory Keys, contiguous Values, writable_range KeysOut, writable_range ValuesOut, class Equal = equal_to>
requires equality_of<Equal, item_value_t<items_t<Keys>>> index_t unique_by_key(On const& on, Keys const& keys, Values const& values,
                                                                               KeysOut&& keys_out, ValuesOut&& values_out,
                                                                               Equal equal = {}) {
  return detail::wait_for_counts<1>(
      on, [&](index_t* count) { unique_by_key_async(on, keys, values, keys_out, values_out, count, equal); })[0];
}

/// In place.
template <policy On, writable_range Keys, writable_range Values, class Equal = equal_to>
requires equality_of<Equal, value_t<Keys>> index_t unique_by_key(On const& on, Keys&& keys, Values&& values, Equal equal = {}) {
  return unique_by_key(on, keys, values, keys, values, equal);
}

}  // namespace lookback
