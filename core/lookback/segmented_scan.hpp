// Scans that start anew at every segment. Segments are described by head_flags, head_bits, offsets, keys or rows_of.
//
//   lookback::inclusive_segmented_scan(on, values, lookback::head_flags(heads), out);
#pragma once
#include "model/call.hpp"
#include "model/segment_initials.hpp"
#include "scan.hpp"
#include "segments.hpp"

namespace lookback {

namespace detail {

inline void expects_described(segments const& s, index_t n) {
  if (s.kind == segment_kind::rows) return;
  if (is_offsets(s)) {
    expects(s.count >= 1, "offsets hold at least one position");
    expects(s.kind == segment_kind::offsets64 || n < index_t{1} << 31, "4-byte offsets describe fewer than 2^31 items");
  } else expects_size(s.count, n, "there is a flag, a bit or a key for every item");
}
template <class Key, class Equal>
void expects_described(key_segments<Key, Equal> const& s, index_t n) {
  expects_size(s.count, n, "there is a key for every item");
}

/// One initial value per segment, `initials` of them. Offsets and rows tell the segment of an item by its position; what begins
/// segments one by one is counted.
template <class T, policy On, class Items, class Described, class Out, class F, class Op, class Initials>
void scan_after_initials(On const& on, input<Items> const& in, Described const& described, output<Out, F> const& out, Op const& op,
                         Initials const& initials, bool exclusive) {
  static_assert(std::is_same_v<decltype(On::carry), no_carry>, "a carry cannot be combined with an initial value per segment");
  auto const from = input_of(on, initials, "initials");
  initial_values<T, value_t<Initials>> const values{from.items.data, from.size.bound};
  index_t const n = in.size.bound;
  using Segments = without_container_t<Described>;
  Segments const& segments = segments_of(on, described);
  expects_described(segments, n);
  expects_size(values.count, least_initials(segments, n), "there is an initial value for every segment");
  expects(!overlap({values.data, values.count}, {out.data, n}), "out does not overlap the initial values");
  expects_apart(segments, out.data, n);
  expects(!on.is_reproducible || !std::is_floating_point_v<T>,
          "reproducible is not combined with an initial value per segment for floating-point items");
  if constexpr (std::is_same_v<Segments, lookback::segments>) {
    if (is_offsets(segments) || segments.kind == segment_kind::rows) {
      using operation = from_initials<Op, T, value_t<Initials>>;
      using result = without_position<T, value_t<Initials>, F>;
      return scan_each(on, input<items_with_position<Items, T>>{{in.items}, in.size}, segments,
                       output<Out, result>{out.data, out.size, {segments, values, out.f}},
                       segmented<operation>{{op, segments, values}}, maybe<numbered<T>>{only_number<T>(-1)}, exclusive);
    }
  }
  starts_of<Segments> const starts{segments, in.size, on.direction == right_to_left};
  using result = after_initial<Op, T, Segments, value_t<Initials>, F>;
  scan_each(on, input<items_with_starts<Items, T, Segments>>{{in.items, starts}, in.size}, no_segments{},
            output<Out, result>{out.data, out.size, {op, starts, values, exclusive, out.f}},
            counting_starts<Op, T>{op, starts.reversed}, maybe<numbered<T>>{only_number<T>(0)}, exclusive);
}

/// One scan of segments: what every form comes to that has no array of initial values.
template <policy On, readable In, class Described, writable Out, class Op>
void scan_segments(On const& on, In const& in, Described const& described, Out&& out, Op const& op,
                   maybe<accumulated_t<Op, In>> const& initial, bool exclusive) {
  auto const from = input_of(on, in, "in");
  auto const to = output_of(on, out, "out");
  auto const with = operator_on<In>(op);
  auto const& segments = segments_of(on, described);
  expects_described(segments, from.size.bound);
  scan_each(on, from, segments, to, segmented<std::remove_const_t<decltype(with)>>{with}, initial, exclusive);
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
template <policy On, readable In, segmentation Segments, writable Out, class Op = plus<>>
void inclusive_segmented_scan(On const& on, In const& in, Segments const& segments, Out&& out, Op op = {}) {
  detail::scan_segments(on, in, segments, out, op, {}, false);
}

/// The same with an initial value before the first item of every segment.
template <policy On, readable In, segmentation Segments, writable Out, class Op, class T>
void inclusive_segmented_scan(On const& on, In const& in, Segments const& segments, Out&& out, Op op, T const& initial) {
  detail::scan_segments(on, in, segments, out, op, detail::initially<detail::accumulated_t<Op, In>>(initial), false);
}

/// The same with initials[k] before the first item of segment k (after its last, from right to left).
///
///   initials   as many elements as there are segments, readable where `on` runs, apart from out; segments are numbered in memory
///              order, empty ones of offsets too, whose values nobody asks for. Should there be fewer than segments, the nearest
///              is taken: nothing is read out of bounds.
///
/// Cost:   one pass over values that are 8 bytes wider than the accumulator (which has at most 56 bytes on a GPU), by the operator
///         as a user's: no SIMD. Offsets: O(log m) reads at each of m segments. Flags, bits and keys: the description is read
///         item by item, not staged, and op is applied once more per item.
/// Throws: as inclusive_segmented_scan, and invalid_argument if there are fewer initial values than offsets or rows name segments
///         (flags, bits, keys: none), if out overlaps them, or if floats are asked to be `reproducible`. No carry.
/// Source: Blelloch, Prefix Sums and Their Applications, CMU-CS-90-190 (the lifted operator); van den Hurk 2022.
template <policy On, readable In, segmentation Segments, writable Out, class Op, class Initials>
requires initials_for<Initials, detail::accumulated_t<Op, In>>
void inclusive_segmented_scan(On const& on, In const& in, Segments const& segments, Out&& out, Op op, Initials const& initials) {
  detail::scan_after_initials<detail::accumulated_t<Op, In>>(on, detail::input_of(on, in, "in"), segments,
                                                             detail::output_of(on, out, "out"), detail::operator_on<In>(op),
                                                             initials, false);
}

/// out[i] = initial op in[s] op ... op in[i-1]; the first item scanned of every segment gets `initial`.
template <policy On, readable In, segmentation Segments, writable Out, class Op, class T>
void exclusive_segmented_scan(On const& on, In const& in, Segments const& segments, Out&& out, Op op, T const& initial) {
  detail::scan_segments(on, in, segments, out, op, detail::initially<detail::accumulated_t<Op, In>>(initial), true);
}

/// The same with one initial value per segment, as in inclusive_segmented_scan.
template <policy On, readable In, segmentation Segments, writable Out, class Op, class Initials>
requires initials_for<Initials, detail::accumulated_t<Op, In>>
void exclusive_segmented_scan(On const& on, In const& in, Segments const& segments, Out&& out, Op op, Initials const& initials) {
  detail::scan_after_initials<detail::accumulated_t<Op, In>>(
      on, detail::input_of(on, in, "in"), segments, detail::output_of(on, out, "out"), detail::operator_on<In>(op), initials, true);
}

/// The same from the operator's identity.
template <policy On, readable In, segmentation Segments, writable Out, class Op = plus<>>
void exclusive_segmented_scan(On const& on, In const& in, Segments const& segments, Out&& out, Op op = {}) {
  if constexpr (detail::expects_identity<Op, In>())
    exclusive_segmented_scan(on, in, segments, out, op, known_operator_t<Op, item_value_t<items_t<In>>>::identity());
}

}  // namespace lookback
