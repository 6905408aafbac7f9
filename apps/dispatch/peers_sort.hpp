// What the CPU's peers of sorts share: their types, and the order that they are given.
#pragma once
#include <cstring>

#include "arena.hpp"
#include "peer_tables.hpp"

namespace lookback::dispatch {

/// Keys alone, by all of their bits, NaNs last; perhaps inside of segments.
inline bool has_keys_alone(sort_request const& r) {
  return r.keys_out && !r.values && !r.indices && r.end_bit < 0 && !r.nan_first && size_of(r.type) >= 4;
}
inline bool sorts_keys(sort_request const& r) { return has_keys_alone(r) && !r.offsets; }
inline bool sorts_segments(sort_request const& r) { return has_keys_alone(r) && r.offsets; }

/// NaNs behind everything: plain `<` is no order of them.
template <bool Descending>
struct key_order {
  template <class T>
  bool operator()(T const& a, T const& b) const {
    bool const before = Descending ? b < a : a < b;
    if constexpr (std::is_floating_point_v<T>) return before || (b != b && a == a);
    else return before;
  }
};

/// Copies the keys to their output, and calls f(first, last, order) there.
template <class F>
void sort_copy(place const& on, sort_request const& r, F&& f) {
  copy_in_arena(on, r.keys_out, r.keys, static_cast<std::size_t>(r.n) * size_of(r.type));
  with_wide_type(r.type, [&]<class T>() {
    auto* const first = static_cast<T*>(r.keys_out);
    if (r.descending) f(first, first + r.n, key_order<true>{});
    else f(first, first + r.n, key_order<false>{});
  });
}

/// The same for every segment; each_of(count, g) calls g(segment) for all.
template <class EachOf, class F>
void sort_segments_copy(place const& on, sort_request const& r, EachOf const& each_of, F&& f) {
  sort_copy(on, r, [&](auto* all, auto*, auto order) {
    each_of(r.offsets->count - 1, [&](index_t s) { f(all + offset_at(*r.offsets, s), all + offset_at(*r.offsets, s + 1), order); });
  });
}

/// Sorters that are installed or not: Highway's vqsort and ips4o.
void add_installed_sorters(std::vector<peer_of<sort_request>>& list);

}  // namespace lookback::dispatch
