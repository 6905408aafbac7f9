// Sorts of keys of one type, on any back end.
#pragma once
#include "sort_tables.hpp"

namespace lookback::dispatch {

/// Calls f with the options that a request asks for. They say what the order is at run time: kernels do not depend on them, but for
/// bits of floating-point keys alone.
template <bool ByDigits, class T, class F>
void with_sort_options(sort_request const& r, F&& f) {
  with_method<ByDigits>(r.how, [&](auto... method) {
    auto const by_bits = [&](auto... more) {
      if (r.end_bit >= 0) f(bits{r.begin_bit, r.end_bit}, more...);
      else f(more...);
    };
    auto const by_direction = [&](auto... more) {
      if (r.descending) by_bits(descending, more...);
      else by_bits(more...);
    };
    if constexpr (std::is_floating_point_v<T>)
      if (r.nan_first) return by_direction(nan_first, method...);
    by_direction(method...);
  });
}

/// Keys alone, keys with values, or the order alone.
template <bool ByDigits, class T, class On>
void sort_of(On const& on, sort_request const& r) {
  auto const keys = items_at<T>(r.keys, r.n);
  auto const keys_out = room_at<T>(r.keys_out, r.n);
  with_sort_options<ByDigits, T>(r, [&](auto const&... options) {
    auto const with_values = [&]<class V>(V) {
      radix_sort_copy(on, keys, items_at<V>(r.values, r.n), keys_out, room_at<V>(r.values_out, r.n), options...);
    };
    if (!r.keys_out) return argsort(on, keys, room_at<index_t>(r.indices, r.n), options...);
    switch (r.value_bytes) {
      case 0:
        return radix_sort_copy(on, keys, keys_out, options...);
      case 1:
        return with_values(std::uint8_t{});
      case 2:
        return with_values(std::uint16_t{});
      case 4:
        return with_values(std::uint32_t{});
      default:
        return with_values(std::uint64_t{});
    }
  });
}

/// Integers of one width.
template <bool ByDigits, class Signed, class On>
void sort_integers(On const& on, sort_request const& r) {
  if (is_signed_integer(r.type)) sort_of<ByDigits, Signed>(on, r);
  else sort_of<ByDigits, std::make_unsigned_t<Signed>>(on, r);
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
