// Keeping some of the items, in order: by a predicate, by flags, by a predicate on another array; out of place and in place.
//
//   auto const kept = lookback::select_if(lookback::cpu::on(8), in, out, [](float x) { return x < 1; });
//   auto const left = lookback::select_if(lookback::gpu::on(stream), data, keep);                           in place
//   lookback::select_flagged(on, in, lookback::packed_flags(bits), out);
//   lookback::select_if_async(on, in, out, keep, count);   then first(out, {n, count}) is the input of the next call
#pragma once
#include <lookback/model/compaction.hpp>

namespace lookback {

/// One bit an item: item i stays if bit i % 8 of byte i / 8 is set. The range holds at least ceil(n / 8) bytes.
template <bool OnHost = false>
struct packed_flags {
  segments bits;
  template <contiguous Bytes>
  explicit packed_flags(Bytes const& bytes) : bits{head_bits(bytes)} {}
};
template <contiguous Bytes>
packed_flags(Bytes const&) -> packed_flags<detail::is_host_container<Bytes>>;

/// Keeps the items of which `keep` holds, in order, at the front of out. Leaves their number in *count, readable where `on` runs.
///
///   on     cpu::seq, cpu::on(threads), gpu::on(stream) ...; a GPU call only enqueues. right_to_left is refused.
///   in     n elements, or mapped(...), generate(...), first(...)
///   out    at least n elements, or into(...): what lies behind the kept ones is left as it is. May begin where in begins, if their
///          elements have one size (see the form in place); any other overlap is refused
///   keep   pure; called one or several times for each item, in any order, by several workers at once
///   count  may be the very number that `in` is bounded by
///
/// Cost:   one pass: reads n, writes the kept; scratch O(tiles). reduce_then_scan reads twice, and in place needs scratch for n.
/// Throws: invalid_argument; out_of_memory; device_error. What keep throws (cpu) comes through, with out part written.
/// Source: Merrill & Garland, Single-pass Parallel Prefix Scan with Decoupled Look-back, NVR-2016-002, 5.
template <policy On, readable In, writable Out, class Predicate>
void select_if_async(On const& on, In const& in, Out&& out, Predicate keep, index_t* count) {
  auto const from = detail::input_of(on, in, "in");
  auto const to = detail::output_of(on, out, "out");
  detail::expects_room(to, from.size.bound);
  detail::compact_into<1>(on, from.size, mapped(from, detail::first_that_holds<Predicate>{keep, {}}).items, no_segments{},
                          {to.data}, {false}, detail::payload(from.items, to.f), count);
}

/// The same, and returns the number kept: waits.
template <policy On, readable In, writable Out, class Predicate>
index_t select_if(On const& on, In const& in, Out&& out, Predicate keep) {
  return detail::wait_for_counts<1>(on, [&](index_t* count) { select_if_async(on, in, out, keep, count); })[0];
}

/// In place: the kept items move to the front of data, what lies behind them is unspecified up to where it was read, and holds no
/// byte of other memory.
///
/// Sound without a copy, because of the order in which a tile is read, published and stored. A tile tells how many items it keeps
/// only after all of it has been read into the worker's own memory. Its output begins at the number of items kept before it, which
/// is known only when every tile before it has told its own: they have all been read. And it ends before its own last item. So a
/// store touches only items that have been read.
template <policy On, writable_range Data, class Predicate>
void select_if_async(On const& on, Data&& data, Predicate keep, index_t* count) {
  select_if_async(on, data, data, keep, count);
}
template <policy On, writable_range Data, class Predicate>
index_t select_if(On const& on, Data&& data, Predicate keep) {
  return select_if(on, data, data, keep);
}

/// By a predicate on the element of another array that lies beside the item.
template <policy On, readable In, class Items, bool OnHost, writable Out, class Predicate>
void select_if_async(On const& on, In const& in, stencil_of<Items, OnHost> const& other, Out&& out, Predicate keep,
                     index_t* count) {
  auto const from = detail::input_of(on, in, "in");
  auto const to = detail::output_of(on, out, "out");
  detail::expects_room(to, from.size.bound);
  auto const beside_them = detail::input_of(on, other.of, "stencil");
  expects_size(beside_them.size.bound, from.size.bound, "a stencil has at least as many elements as there are items");
  auto const asked = mapped(beside_them, detail::first_that_holds<Predicate>{keep, {}}).items;
  detail::compact_into<1>(on, from.size, beside<items_t<In>, std::remove_const_t<decltype(asked)>>{from.items, asked},
                          no_segments{}, {to.data}, {false}, detail::payload(from.items, to.f), count);
}
template <policy On, readable In, class Items, bool OnHost, writable Out, class Predicate>
index_t select_if(On const& on, In const& in, stencil_of<Items, OnHost> const& other, Out&& out, Predicate keep) {
  return detail::wait_for_counts<1>(on, [&](index_t* count) { select_if_async(on, in, other, out, keep, count); })[0];
}

namespace detail {
template <policy On, class Items, class Out>
void select_marked(On const& on, input<Items> const& from, segments const& marks, Out const& to, index_t* count) {
  expects_room(to, from.size.bound);
  expects_reached(on, marks.data, marks.count, "flags");
  expects_size(marks.count, from.size.bound, "there is a flag for every item");
  compact_into<1>(on, from.size, from.items, marks, {to.data}, {false}, payload(from.items, to.f), count);
}
}  // namespace detail

/// By flags beside the items: elements of any arithmetic type, of which any non-zero keeps its item.
template <policy On, readable In, contiguous Flags, writable Out>
requires std::is_arithmetic_v<value_t<Flags>>
void select_flagged_async(On const& on, In const& in, Flags const& flags, Out&& out, index_t* count) {
  if constexpr (std::is_integral_v<value_t<Flags>> && sizeof(value_t<Flags>) == 1)
    detail::select_marked(on, detail::input_of(on, in, "in"), head_flags(detail::reached_range(on, flags, "flags")),
                          detail::output_of(on, out, "out"), count);
  else select_if_async(on, in, stencil(detail::reached_range(on, flags, "flags")), out, detail::is_set{}, count);
}
/// By packed flags: an eighth of a byte an item is read for them.
template <policy On, readable In, bool OnHost, writable Out>
void select_flagged_async(On const& on, In const& in, packed_flags<OnHost> const& flags, Out&& out, index_t* count) {
  detail::expects_no_host_container<On, OnHost>();
  detail::select_marked(on, detail::input_of(on, in, "in"), flags.bits, detail::output_of(on, out, "out"), count);
}
template <policy On, readable In, class Flags, writable Out>
index_t select_flagged(On const& on, In const& in, Flags const& flags, Out&& out) {
  return detail::wait_for_counts<1>(on, [&](index_t* count) { select_flagged_async(on, in, flags, out, count); })[0];
}

}  // namespace lookback
