// Sorts of keys of one type, on any back end.
#pragma once
#include "sort_tables.hpp"

namespace lookback::dispatch {

/// Calls f with the options of a request's direction, and those given.
template <class T, class F, class... More>
void with_direction(sort_request const& r, F&& f, More... more) {
  auto const by_direction = [&](auto... place_of_nan) {
    if (r.descending) f(descending, place_of_nan..., more...);
    else f(place_of_nan..., more...);
  };
  if constexpr (std::is_floating_point_v<T>)
    if (r.nan_first) return by_direction(nan_first);
  by_direction();
}

/// Calls f with the options that a request asks for. They say what the order is at run time: kernels do not depend on them, but for
/// bits of floating-point keys alone.
template <class T, class F>
void with_sort_options(sort_request const& r, F&& f) {
  with_method(r.how, [&](auto... method) {
    if (r.end_bit >= 0) with_direction<T>(r, f, bits{r.begin_bit, r.end_bit}, method...);
    else with_direction<T>(r, f, method...);
  });
}

/// Inside of segments: keys alone by all bits, or the order alone.
template <class T, class On>
void sort_segments_of(On const& on, sort_request const& r) {
  auto const keys = items_at<T>(r.keys, r.n);
  bits const compared{r.begin_bit, r.end_bit < 0 ? 8 * static_cast<int>(sizeof(T)) : r.end_bit};
  with_direction<T>(r, [&](auto... direction) {
    if (r.keys_out) radix_sort_copy(on, keys, room_at<T>(r.keys_out, r.n), *r.offsets, direction...);
    else argsort(on, keys, room_at<index_t>(r.indices, r.n), *r.offsets, compared, direction...);
  });
}

/// Keys alone, keys with values, or the order alone.
template <class T, class On>
void sort_of(On const& on, sort_request const& r) {
  if (r.offsets) return sort_segments_of<T>(on, r);
  auto const keys = items_at<T>(r.keys, r.n);
  auto const keys_out = room_at<T>(r.keys_out, r.n);
  with_sort_options<T>(r, [&](auto const&... options) {
    if (!r.keys_out) return argsort(on, keys, room_at<index_t>(r.indices, r.n), options...);
    if (r.value_bytes == 0) return radix_sort_copy(on, keys, keys_out, options...);
    with_width_of(r.value_bytes, [&]<class V>(V) {
      radix_sort_copy(on, keys, items_at<V>(r.values, r.n), keys_out, room_at<V>(r.values_out, r.n), options...);
    });
  });
}

/// Integers of one width.
template <class Signed, class On>
void sort_integers(On const& on, sort_request const& r) {
  if (is_signed_integer(r.type)) sort_of<Signed>(on, r);
  else sort_of<std::make_unsigned_t<Signed>>(on, r);
}

/// numbers[i] = i: the sum of as many ones.
struct one {
  LOOKBACK_FN index_t operator()(index_t) const { return 1; }
};
template <class On>
void number(On const& on, index_t* numbers, index_t n) {
  exclusive_scan(on, generate(n, one{}), room_at<index_t>(numbers, n), plus<index_t>{});
}

}  // namespace lookback::dispatch
