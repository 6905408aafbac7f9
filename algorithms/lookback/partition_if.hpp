// Items of which a predicate holds apart from those of which it does not, in one pass.
//
//   auto const kept = lookback::partition_if(on, in, hot, cold, is_hot);   two outputs, both in order
//   auto const kept = lookback::partition_if(on, in, out, is_hot);         one output: the rejects from its end, in reverse
//   auto const kept = lookback::partition_if(on.with(lookback::stable), in, out, is_hot);   in order behind what is kept
#pragma once
#include <lookback/model/compaction.hpp>

namespace lookback {

/// Each item goes to the end of `kept` or of `rejected`, in order. Leaves how many went to each in counts[0] and counts[1],
/// readable where `on` runs.
///
///   kept, rejected   room for n elements each, of one type, apart from each other and from in; `kept` may begin where in begins
///   holds            pure; called one or several times for each item, by several workers at once
///   counts           one of them may be the very number that `in` is bounded by
///
/// Cost:   one pass: reads n, writes n elements; scratch O(tiles).
/// Throws: as select_if; right_to_left is refused.
/// Source: Merrill & Garland 2016, 5.
template <policy On, readable In, writable_range Kept, writable_range Rejected, class Predicate>
requires std::is_same_v<value_t<Kept>, value_t<Rejected>>
void partition_if_async(On const& on, In const& in, Kept&& kept, Rejected&& rejected, Predicate holds, index_t* counts) {
  auto const from = detail::input_of(on, in, "in");
  auto const a = detail::output_of(on, kept, "kept"), b = detail::output_of(on, rejected, "rejected");
  index_t const n = from.size.bound;
  detail::expects_room(a, n), detail::expects_room(b, n);
  expects(!detail::overlap(a.data, b.data, n), "the outputs of a partition do not overlap");
  detail::compact_into<2>(on, from.size, mapped(from, detail::first_that_holds<Predicate>{holds, {}}).items, no_segments{},
                          {a.data, b.data}, {false, false}, detail::payload(from.items, as_it_is{}), counts);
}
/// The same, and returns how many went to `kept`: waits.
template <policy On, readable In, writable_range Kept, writable_range Rejected, class Predicate>
requires std::is_same_v<value_t<Kept>, value_t<Rejected>> index_t partition_if(On const& on, In const& in, Kept&& kept,
                                                                               Rejected&& rejected, Predicate holds) {
  return detail::wait_for_counts<2>(on, [&](index_t* counts) { partition_if_async(on, in, kept, rejected, holds, counts); })[0];
}

/// By a predicate on the element of another array that lies beside the item: flags, say.
template <policy On, readable In, class Items, bool OnHost, writable_range Kept, writable_range Rejected, class Predicate>
requires std::is_same_v<value_t<Kept>, value_t<Rejected>>
void partition_if_async(On const& on, In const& in, stencil_of<Items, OnHost> const& other, Kept&& kept, Rejected&& rejected,
                        Predicate holds, index_t* counts) {
  auto const from = detail::input_of(on, in, "in");
  auto const a = detail::output_of(on, kept, "kept"), b = detail::output_of(on, rejected, "rejected");
  index_t const n = from.size.bound;
  detail::expects_room(a, n), detail::expects_room(b, n);
  expects(!detail::overlap(a.data, b.data, n), "the outputs of a partition do not overlap");
  auto const beside_them = detail::input_of(on, other.of, "stencil");
  expects_size(beside_them.size.bound, n, "a stencil has at least as many elements as there are items");
  auto const asked = mapped(beside_them, detail::first_that_holds<Predicate>{holds, {}}).items;
  detail::compact_into<2>(on, from.size, beside<items_t<In>, std::remove_const_t<decltype(asked)>>{from.items, asked},
                          no_segments{}, {a.data, b.data}, {false, false}, detail::payload(from.items, as_it_is{}), counts);
}
template <policy On, readable In, class Items, bool OnHost, writable_range Kept, writable_range Rejected, class Predicate>
requires std::is_same_v<value_t<Kept>, value_t<Rejected>> index_t partition_if(On const& on, In const& in,
                                                                               stencil_of<Items, OnHost> const& other, Kept&& kept,
                                                                               Rejected&& rejected, Predicate holds) {
  return detail::wait_for_counts<2>(on,
                                    [&](index_t* counts) { partition_if_async(on, in, other, kept, rejected, holds, counts); })[0];
}

/// To one output: what `holds` is true of from its front on, in order, the rest from out[n-1] towards the front, so in reverse,
/// where n is the bound of in's number. Out is apart from in. With `stable` the rest lies behind what is kept, in order; where
/// that is must be counted first, so that in is read twice, whatever the strategy. Everything else as above.
template <policy On, readable In, writable_range Out, class Predicate>
void partition_if_async(On const& on, In const& in, Out&& out, Predicate holds, index_t* counts) {
  auto const from = detail::input_of(on, in, "in");
  auto const to = detail::output_of(on, out, "out");
  index_t const n = from.size.bound;
  detail::expects_room(to, n);
  expects(!detail::touches(from.items.arrays(), to.data, n), "the single output of a partition does not overlap the input");
  auto const classes = mapped(from, detail::first_that_holds<Predicate>{holds, {}}).items;
  auto const moved = detail::payload(from.items, as_it_is{});
  if constexpr (is_stable<On>)
    detail::compact_into<2>(on.with(reduce_then_scan{}), from.size, classes, no_segments{}, {to.data, to.data}, {false, false},
                            moved, counts, true);
  else detail::compact_into<2>(on, from.size, classes, no_segments{}, {to.data, to.data + n}, {false, true}, moved, counts);
}
template <policy On, readable In, writable_range Out, class Predicate>
index_t partition_if(On const& on, In const& in, Out&& out, Predicate holds) {
  return detail::wait_for_counts<2>(on, [&](index_t* counts) { partition_if_async(on, in, out, holds, counts); })[0];
}

/// Three ways: to `first` if is_first, else to `second` if is_second, else to `rest`, all in order. Leaves three counts.
template <policy On, readable In, writable_range First, writable_range Second, writable_range Rest, class IsFirst, class IsSecond>
void partition_if_async(On const& on, In const& in, First&& first, Second&& second, Rest&& rest, IsFirst is_first,
                        IsSecond is_second, index_t* counts) {
  auto const from = detail::input_of(on, in, "in");
  auto const a = detail::output_of(on, first, "first"), b = detail::output_of(on, second, "second"),
             c = detail::output_of(on, rest, "rest");
  index_t const n = from.size.bound;
  detail::expects_room(a, n), detail::expects_room(b, n), detail::expects_room(c, n);
  expects(!detail::overlap(a.data, b.data, n) && !detail::overlap(a.data, c.data, n) && !detail::overlap(b.data, c.data, n),
          "the outputs of a partition do not overlap");
  detail::compact_into<3>(on, from.size, mapped(from, detail::first_that_holds<IsFirst, IsSecond>{is_first, {is_second, {}}}).items,
                          no_segments{}, {a.data, b.data, c.data}, {false, false, false}, detail::payload(from.items, as_it_is{}),
                          counts);
}
/// The same, and returns the three counts: waits.
template <policy On, readable In, writable_range First, writable_range Second, writable_range Rest, class IsFirst, class IsSecond>
std::array<index_t, 3> partition_if(On const& on, In const& in, First&& first, Second&& second, Rest&& rest, IsFirst is_first,
                                    IsSecond is_second) {
  return detail::wait_for_counts<3>(
      on, [&](index_t* counts) { partition_if_async(on, in, first, second, rest, is_first, is_second, counts); });
}

}  // namespace lookback
