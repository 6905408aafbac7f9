// Scans that start anew at every segment. Segments are described by head_flags, head_bits, offsets, keys or rows_of.
//
//   lookback::inclusive_segmented_scan(on, values, lookback::head_flags(heads), out);
#pragma once
#include "scan.hpp"
#include "segments.hpp"

namespace lookback {

namespace detail {

inline void expects_described(segments const& s, index_t n) {
  if (s.kind == segment_kind::rows) return;
  if (is_offsets(s)) expects(s.count >= 1, "offsets hold at least one position");
  else expects(s.count >= n, "there is a flag, a bit or a key for every item");
}
template <class Key, class Equal>
void expects_described(key_segments<Key, Equal> const& s, index_t n) {
  expects(s.count >= n, "there is a key for every item");
}

}  // namespace detail

/// out[i] = in[s] op ... op in[i], s the item at which the segment of i begins. A segment begins at item 0 and at every head, in
/// memory order whatever the direction; from right to left out[i] = in[i] op ... op in[e-1], e the end of the segment.
///
///   in, out, op   as for inclusive_scan;  segments   head_flags, head_bits, offsets, keys, rows_of; apart from out
///
/// Cost:   one pass: the plain scan's and the description's bytes. Tiles that hold a head do not wait for their predecessors.
/// Throws: as inclusive_scan, and invalid_argument if the description is shorter than in. Offsets that decrease or leave [0, n]
///         are never followed out of bounds; what is stored then is unspecified.
/// Source: van den Hurk, Irregular Segmented Look-Back Scans in Accelerate, Utrecht 2022.
template <policy On, readable In, segmentation Segments, writable Out, class Op = plus<item_value_t<items_t<In>>>>
void inclusive_segmented_scan(On const& on, In const& in, Segments const& segments, Out&& out, Op op = {}) {
  using T = accumulator_t<Op, item_value_t<items_t<In>>>;
  detail::expects_described(segments, as_input(in).size.bound);
  detail::scan_each(on, as_input(in), segments, as_output(out), segmented<Op>{op}, maybe<T>{}, false);
}

/// The same with an initial value before the first item of every segment.
template <policy On, readable In, segmentation Segments, writable Out, class Op, class T>
void inclusive_segmented_scan(On const& on, In const& in, Segments const& segments, Out&& out, Op op, T const& initial) {
  using A = accumulator_t<Op, item_value_t<items_t<In>>>;
  detail::expects_described(segments, as_input(in).size.bound);
  detail::scan_each(on, as_input(in), segments, as_output(out), segmented<Op>{op}, maybe<A>{static_cast<A>(initial)}, false);
}

/// out[i] = initial op in[s] op ... op in[i-1]; the first item scanned of every segment gets `initial`.
template <policy On, readable In, segmentation Segments, writable Out, class Op, class T>
void exclusive_segmented_scan(On const& on, In const& in, Segments const& segments, Out&& out, Op op, T const& initial) {
  using A = accumulator_t<Op, item_value_t<items_t<In>>>;
  detail::expects_described(segments, as_input(in).size.bound);
  detail::scan_each(on, as_input(in), segments, as_output(out), segmented<Op>{op}, maybe<A>{static_cast<A>(initial)}, true);
}

/// The same from the operator's identity.
template <policy On, readable In, segmentation Segments, writable Out, class Op = plus<item_value_t<items_t<In>>>>
void exclusive_segmented_scan(On const& on, In const& in, Segments const& segments, Out&& out, Op op = {}) {
  static_assert(has_identity<Op>, "an exclusive scan needs an initial value or an operator with identity()");
  exclusive_segmented_scan(on, in, segments, out, op, Op::identity());
}

}  // namespace lookback
