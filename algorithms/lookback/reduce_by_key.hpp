// One result for every run of equal keys, or for every segment.
//
//   auto const runs = lookback::reduce_by_key(on, keys, values, keys_out, sums);
//   lookback::segmented_reduce(on, values, lookback::offsets(rows), sums, lookback::maximum<float>{}, 0.0f);
//   lookback::inclusive_scan_by_key(on, keys, values, out);
#pragma once
#include <lookback/model/compaction.hpp>
#include <lookback/segmented_scan.hpp>

namespace lookback {

namespace detail {
/// How many segments n items may have: by offsets and rows, how many there are.
template <policy On>
index_t most_segments(On const& on, segments const& s, index_t n) {
  if (is_offsets(s)) return s.count - 1;
  return (s.kind == segment_kind::rows ? (n + s.count - 1) / s.count : n) + left_open(on);
}
template <policy On, class Key, class Equal>
index_t most_segments(On const& on, key_segments<Key, Equal> const&, index_t n) {
  return n + left_open(on);
}
/// Keys of a known type travel with the values, as in reduce_by_key: a tile of both is staged at once.
template <policy On, class Items, class Key, class Equal, class T, class Op, class Sink>
void reduce_runs(On const& on, input<Items> const& values, key_segments<Key, Equal> const& keys, maybe<T> const& initial,
                 Op const& op, Sink const& sink) {
  using both = beside<elements<Key>, Items>;
  scan_into(on, values.size, source<both, runs<Equal>, T>{{{keys.data}, values.items}, {keys.equal}, initial}, op, sink);
}
}  // namespace detail

/// keys_out[r] is the first key of run r, values_out[r] the reduction of its values. Leaves the number of runs in *count, readable
/// where `on` runs.
///
///   keys        n elements in memory: a range, or first(range, n)
///   values      n elements, or mapped(...), generate(...)
///   keys_out    at least n elements; may be exactly keys (then reduce_then_scan is refused); any other overlap is refused
///   values_out  at least n elements (n + 1 where a carry ends what is open), or into(...), apart from keys and values
///   op          associative, need not commute; its value_type, where it has one, is what is accumulated, else the values' type
///   equal       pure; called with neighbours only, the left one first
///   count       may be the very number that keys are bounded by
///
/// With `reproducible` floats have the same bits on every run and for any number of threads, on one back end.
///
/// Cost:   one pass: reads n keys and values, writes the runs; scratch O(tiles).
/// Throws: as select_if; right_to_left is refused.
/// Source: van den Hurk, Irregular Segmented Look-Back Scans in Accelerate, Utrecht 2022; Merrill & Garland 2016, 5.
template <policy On, in_memory Keys, readable Values, writable_range KeysOut, writable ValuesOut, class Op = plus<>,
          class Equal = equal_to>
requires equality_of<Equal, item_value_t<items_t<Keys>>>
void reduce_by_key_async(On const& on, Keys const& keys, Values const& values, KeysOut&& keys_out, ValuesOut&& values_out,
                         index_t* count, Op op = {}, Equal equal = {}) {
  using T = detail::accumulated_t<Op, Values>;
  auto const from = detail::input_of(on, keys, "keys");
  auto const of = detail::input_of(on, values, "values");
  auto const first = detail::output_of(on, keys_out, "keys_out");
  auto const to = detail::output_of(on, values_out, "values_out");
  auto const with = detail::operator_on<Values>(op);
  detail::expects_reached(on, count, 1, "count");
  detail::expects_room(first, from.size.bound), detail::expects_room_for_results(on, to, from.size.bound);
  expects_size(of.size.bound, from.size.bound, "there is a value for every key");
  using items = beside<items_t<Keys>, items_t<Values>>;
  using key = column<value_t<KeysOut>, the_item>;
  using out = std::remove_reference_t<decltype(*to.data)>;
  columns<key> const firsts{{first.data, {}}, {}};
  items const both{from.items, of.items};
  detail::expects_runs_storable(on, both.arrays(), to.data, firsts, from.size.bound);
  scan_into(detail::without_direction(on), from.size, source<items, runs<Equal>, T>{both, {equal}, {}},
            segmented<std::remove_const_t<decltype(with)>>{with},
            per_segment<out, decltype(to.f), key>{to.data, count, to.f, firsts});
}
/// The same, and returns the number of runs: waits.
template <policy On, in_memory Keys, readable Values, writable_range KeysOut, writable ValuesOut, class Op = plus<>,
          class Equal = equal_to>
requires equality_of<Equal, item_value_t<items_t<Keys>>> index_t reduce_by_key(On const& on, Keys const& keys, Values const& values,
                                                                               KeysOut&& keys_out, ValuesOut&& values_out,
                                                                               Op op = {}, Equal equal = {}) {
  return detail::wait_for_counts<1>(
      on, [&](index_t* count) { reduce_by_key_async(on, keys, values, keys_out, values_out, count, op, equal); })[0];
}

/// out[s] is the reduction of segment s. By offsets and rows every segment has a result, an empty one the initial value, else the
/// identity; by flags, bits and keys segments are numbered as they come. Leaves their number in *count, which may be null.
///
///   values    n elements, or mapped(...), generate(...)
///   segments  head_flags, head_bits, offsets (known_offsets), keys or rows_of, of n items
///   out       room for every segment, or into(...), apart from values: for flags, bits and keys n elements, and one more where a
///             carry ends what is open
///   initial   what is reduced before the first item of every segment
///
/// With `reproducible` floats by offsets have the same bits on every run, thread count, SIMD level and back end: they depend on
/// what is read and on the widths of its types, and on nothing else (core/README.md); where items or sums have more than 16 bytes,
/// that needs GPU code for sm_90 to sm_110 alone, and is refused by any other. By rows, flags, bits and keys as in
/// reduce_by_key.
template <policy On, readable In, reducible_segmentation Described, writable Out, class Op, class T>
void segmented_reduce_async(On const& on, In const& values, Described const& described, Out&& out, index_t* count, Op op,
                            maybe<T> initial) {
  using A = detail::accumulated_t<Op, In>;
  auto const from = detail::input_of(on, values, "values");
  auto const to = detail::output_of(on, out, "out");
  auto const with = detail::operator_on<In>(op);
  expects(from.size.bound >= 0, "the number of items is not negative");
  using Segments = detail::without_container_t<Described>;
  Segments const& segments = detail::segments_of(on, described);
  detail::expects_described(segments, from.size.bound);
  detail::expects_reached(on, count, 1, "count");
  index_t const most = detail::most_segments(on, segments, from.size.bound);
  expects_size(to.size, most, "out has room for every segment");
  using result = std::remove_reference_t<decltype(*to.data)>;
  detail::expects_apart(segments, to.data, most);
  expects(!detail::touches(from.items.arrays(), from.size.bound, to.data, most), "out does not overlap the values");
  maybe<A> const before = initial.has ? detail::initially<A>(initial.value) : maybe<A>{};
  auto const& forward = detail::without_direction(on);
  segmented<std::remove_const_t<decltype(with)>> const restarting{with};
  per_segment<result, decltype(to.f)> const sink{to.data, count, to.f};
  if constexpr (is_key_segments<Segments>) detail::reduce_runs(forward, from, segments, before, restarting, sink);
  else scan_into(forward, from.size, source<items_t<In>, Segments, A>{from.items, segments, before}, restarting, sink);
}
template <policy On, readable In, reducible_segmentation Segments, writable Out, class Op = plus<>>
void segmented_reduce_async(On const& on, In const& values, Segments const& segments, Out&& out, index_t* count, Op op = {}) {
  segmented_reduce_async(on, values, segments, out, count, op, maybe<detail::accumulated_t<Op, In>>{});
}
/// The same, and returns the number of segments: waits.
template <policy On, readable In, reducible_segmentation Segments, writable Out, class Op = plus<>>
index_t segmented_reduce(On const& on, In const& values, Segments const& segments, Out&& out, Op op = {}) {
  return detail::wait_for_counts<1>(on, [&](index_t* count) { segmented_reduce_async(on, values, segments, out, count, op); })[0];
}
template <policy On, readable In, reducible_segmentation Segments, writable Out, class Op, class T>
index_t segmented_reduce(On const& on, In const& values, Segments const& segments, Out&& out, Op op, T const& initial) {
  return detail::wait_for_counts<1>(
      on, [&](index_t* count) { segmented_reduce_async(on, values, segments, out, count, op, maybe<T>{initial}); })[0];
}

/// A scan that begins anew where a key differs from its left neighbour: the segmented scan by keys.
template <policy On, contiguous Keys, readable In, writable Out, class Op = plus<>>
void inclusive_scan_by_key(On const& on, Keys const& by, In const& values, Out&& out, Op op = {}) {
  inclusive_segmented_scan(on, values, keys(detail::reached_range(on, by, "keys")), out, op);
}
template <policy On, contiguous Keys, readable In, writable Out, class Op, class T>
void exclusive_scan_by_key(On const& on, Keys const& by, In const& values, Out&& out, Op op, T const& initial) {
  exclusive_segmented_scan(on, values, keys(detail::reached_range(on, by, "keys")), out, op, initial);
}
/// The same from the operator's identity.
template <policy On, contiguous Keys, readable In, writable Out, class Op = plus<>>
void exclusive_scan_by_key(On const& on, Keys const& by, In const& values, Out&& out, Op op = {}) {
  exclusive_segmented_scan(on, values, keys(detail::reached_range(on, by, "keys")), out, op);
}

}  // namespace lookback
