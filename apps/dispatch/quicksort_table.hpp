// Sorts by comparisons of keys of one width, on any back end.
#pragma once
#include <lookback/quicksort.hpp>

#include "compaction_tables.hpp"
#include "quicksort_tables.hpp"

namespace lookback::dispatch {

/// Calls f with the textbook's option, or without.
template <class F>
void with_textbook(quicksort_request const& r, F&& f) {
  auto const note = [&r](round_left const& left) {
    if (r.rounds) r.rounds->push_back(left);
  };
  if (r.how == strategy::textbook) f(textbook_rounds{note});
  else f();
}

/// Inside of segments: keys alone, or the order alone.
template <class Bits, class On, class Less>
void quicksort_segments_of(On const& on, quicksort_request const& r, Less const& less) {
  auto const keys = items_at<Bits>(r.keys, r.n);
  if (r.keys_out) quicksort_copy(on, keys, room_at<Bits>(r.keys_out, r.n), less, *r.offsets);
  else argsort(on, keys, room_at<index_t>(r.indices, r.n), less, *r.offsets);
}

/// Keys alone, or keys with values. The order is opaque: it shall be asked, even where digits would do. Of keys alone in one array
/// equal ones may change places where that is allowed; elsewhere it would be twice as many kernels for little.
template <class Bits, class On>
void quicksort_of(On const& on, quicksort_request const& r) {
  auto const less = opaque(lower_rank<Bits>{key_rank_of<Bits>(r.type, r.order)});
  if (r.offsets) return quicksort_segments_of<Bits>(on, r, less);
  auto const keys = items_at<Bits>(r.keys, r.n);
  auto const keys_out = room_at<Bits>(r.keys_out, r.n);
  if (r.value_bytes == 0 && r.unstable && r.how != strategy::textbook) return quicksort_copy(on, keys, keys_out, less, unstable);
  with_textbook(r, [&](auto const&... options) {
    if (r.value_bytes == 0) return quicksort_copy(on, keys, keys_out, less, options...);
    with_width_of(r.value_bytes, [&]<class V>(V) {
      quicksort_copy(on, keys, items_at<V>(r.values, r.n), keys_out, room_at<V>(r.values_out, r.n), less, options...);
    });
  });
}

}  // namespace lookback::dispatch
