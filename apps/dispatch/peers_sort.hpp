// What the CPU's peers of sorts share: their types, and the order that they are given.
#pragma once
#include <cstring>
#include <execution>

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
struct peer_order {
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
    if (r.descending) f(first, first + r.n, peer_order<true>{});
    else f(first, first + r.n, peer_order<false>{});
  });
}

/// The same for every segment; each_of(count, g) calls g(segment) for all.
template <class EachOf, class F>
void sort_segments_copy(place const& on, sort_request const& r, EachOf const& each_of, F&& f) {
  sort_copy(on, r, [&](auto* all, auto*, auto order) {
    each_of(r.offsets->count - 1, [&](index_t s) { f(all + offset_at(*r.offsets, s), all + offset_at(*r.offsets, s + 1), order); });
  });
}

template <class T, class V>
struct pair_of {
  T key;
  V value;
};

/// Calls f(first, last) on pairs of keys and values, which it sorts. As users do it: pairs are made, sorted and taken apart. What
/// is kept between calls is memory.
template <class T, class V, class F>
void sort_as_pairs(sort_arrays const& r, F&& f) {
  static std::vector<pair_of<T, V>> pairs;
  pairs.resize(static_cast<std::size_t>(r.n));
  auto const* const keys = static_cast<T const*>(r.keys);
  auto const* const values = static_cast<V const*>(r.values);
  for (std::size_t i = 0; i < pairs.size(); ++i) pairs[i] = {keys[i], values[i]};
  f(pairs.begin(), pairs.end());
  for (std::size_t i = 0; i < pairs.size(); ++i)
    static_cast<T*>(r.keys_out)[i] = pairs[i].key, static_cast<V*>(r.values_out)[i] = pairs[i].value;
}

/// Call a sort of the standard library with its policy, or with none.
inline constexpr auto serially = [](auto const& call) { return call(); };
inline constexpr auto in_parallel = [](auto const& call) { return call(std::execution::par); };

/// Sorters that are installed or not: Highway's vqsort and ips4o.
void add_installed_sorters(std::vector<peer_of<sort_request>>& list);

}  // namespace lookback::dispatch
