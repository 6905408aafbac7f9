// What a back end is asked for that sorts, by digits or by comparisons: `sort_into(on, job)`.
#pragma once
#include "../segments.hpp"
#include "../sink.hpp"
#include "../source.hpp"
#include "comparison_order.hpp"
#include "radix_order.hpp"

namespace lookback {

/// Segment s is items [begins[s], ends[s]): offsets of 4 or 8 bytes. They need not touch; they do not overlap. Items of no segment
/// stay where they are.
struct segment_bounds {
  lookback::segments begins, ends;
  index_t count;
};

/// Values that go where their items go: n of them, one of each item. `out` is `in`, or apart from everything.
template <class V>
struct values_beside {
  using value_type = V;
  static constexpr bool is_generated = false;
  V const* in;
  V* out;
};
/// The place that each item had, as I: written, never read.
template <class I>
struct places_beside {
  using value_type = I;
  static constexpr bool is_generated = true;
  I* out;
};

/// One stable sort. Every item is in memory; `out` is `in` or apart from everything, or null, where only what is beside the items
/// is asked for: then the items stay as they are.
///   order     radix_order, or comparison_order
///   beside    any number of values_beside, places_beside
///   segments  no_segments, or segment_bounds
template <class T, class Order, class Beside, class Segments = no_segments>
struct sort_job {
  using item_type = T;
  using order_type = Order;
  lookback::size size;
  T const* in;
  T* out;
  Order order;
  Beside beside;  // columns<...>
  Segments segments{};
};

}  // namespace lookback
