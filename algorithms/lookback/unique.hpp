// The first item of every run of equal neighbours, in order; out of place and in place.
//
//   auto const runs = lookback::unique(lookback::gpu::on(stream), in, out);
//   auto const runs = lookback::unique(on, data, same_key);                   in place, equal by a predicate
#pragma once
#include <lookback/compaction.hpp>

namespace lookback {

template <class Equal, class T>
concept equality_of = requires(Equal const& equal, T const& x) {
  static_cast<bool>(equal(x, x));
};

/// Keeps the first item of each run. Leaves the number of runs in *count, readable where `on` runs.
///
///   in      n elements in memory: a range, or first(range, n)
///   out     at least n elements: may begin where in begins, if their elements have one size; any other overlap is refused
///   equal   pure; called with neighbours only, the left one first. It need not be transitive: each is compared with the one before
///           it, kept or not. With == a NaN begins a run of its own
///   count   may be the very number that `in` is bounded by
///
/// Cost:   one pass: reads n, writes the runs; scratch O(tiles).
/// Throws: as select_if.
/// Source: Merrill & Garland 2016, 5. In place it is sound for the reason that select_if is; the one item left of a tile that is
/// read too is overwritten before by nothing but itself: only if every item before the tile is kept, and so stays where it is.
template <policy On, in_memory In, writable_range Out, class Equal = equal_to>
requires equality_of<Equal, item_value_t<items_t<In>>>
void unique_async(On const& on, In const& in, Out&& out, index_t* count, Equal equal = {}) {
  auto const from = as_input(in);
  auto const to = as_output(out);
  detail::expects_room(to, from.size.bound);
  detail::compact_into<1>(on, from.size, from.items, runs<Equal>{equal}, {to.data}, {false}, the_item{}, count);
}
/// The same, and returns the number of runs: waits.
template <policy On, in_memory In, writable_range Out, class Equal = equal_to>
requires equality_of<Equal, item_value_t<items_t<In>>> index_t unique(On const& on, In const& in, Out&& out, Equal equal = {}) {
  return detail::counted<1>(on, [&](index_t* count) { unique_async(on, in, out, count, equal); })[0];
}

/// In place.
template <policy On, writable_range Data, class Equal = equal_to>
requires equality_of<Equal, value_t<Data>>
void unique_async(On const& on, Data&& data, index_t* count, Equal equal = {}) { unique_async(on, data, data, count, equal); }
template <policy On, writable_range Data, class Equal = equal_to>
requires equality_of<Equal, value_t<Data>> index_t unique(On const& on, Data&& data, Equal equal = {}) {
  return unique(on, data, data, equal);
}

}  // namespace lookback
