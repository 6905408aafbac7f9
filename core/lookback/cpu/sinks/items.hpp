// Reading a source one item at a time, and where its segments begin in the order of the scan.
#pragma once
#include <algorithm>
#include <cstring>

#include "../../operators.hpp"
#include "../../segments.hpp"
#include "../../source.hpp"
#include "../simd/unit.hpp"

namespace lookback::cpu::inline LOOKBACK_UNIT {

namespace detail {

template <class Items, class... X>
[[gnu::always_inline]] inline decltype(auto) value_from(Items const& items, index_t i, arrays<> const&, X const&... x) {
  return items(i, x...);
}
template <class Items, class T, class... Rest, class... X>
[[gnu::always_inline]] inline decltype(auto) value_from(Items const& items, index_t i, arrays<T, Rest...> const& from,
                                                        X const&... x) {
  return value_from(items, i, from.rest, x..., from.data[i]);
}

template <class Items, class... X>
[[gnu::always_inline]] inline auto looked_up_from(Items const& items, index_t i, arrays<> const&, X const&... x) {
  return items.look_up(i, x...);
}
template <class Items, class T, class... Rest, class... X>
[[gnu::always_inline]] inline auto looked_up_from(Items const& items, index_t i, arrays<T, Rest...> const& from, X const&... x) {
  return looked_up_from(items, i, from.rest, x..., from.data[i]);
}

template <class Items, class... X>
[[gnu::always_inline]] inline auto const* found_from(Items const& items, index_t i, arrays<> const&, X const&... x) {
  return items.found_at(i, x...);
}
template <class Items, class T, class... Rest, class... X>
[[gnu::always_inline]] inline auto const* found_from(Items const& items, index_t i, arrays<T, Rest...> const& from, X const&... x) {
  return found_from(items, i, from.rest, x..., from.data[i]);
}

template <class... Ts>
constexpr index_t bytes_of(arrays<Ts...> const&) {
  return (index_t{0} + ... + static_cast<index_t>(sizeof(Ts)));
}
/// Bytes of the widest element.
template <class... Ts>
constexpr index_t widest_of(arrays<Ts...> const&) {
  return std::max({index_t{0}, static_cast<index_t>(sizeof(Ts))...});
}

/// Is one of the arrays exactly where the output is: a scan in place.
inline bool reads_from(arrays<> const&, void const*) { return false; }
template <class T, class... Rest>
bool reads_from(arrays<T, Rest...> const& from, void const* out) {
  return static_cast<void const*>(from.data) == out || reads_from(from.rest, out);
}

/// Are the items the elements of one array as they are, and where do those lie?
template <class Items, class T>
inline constexpr bool are_elements = false;
template <class T>
inline constexpr bool are_elements<elements<T>, T> = true;
template <class First, class T>
inline constexpr bool are_elements<beside<First, elements<T>>, T> = true;
template <class T>
T const* elements_of(elements<T> const& items) {
  return items.data;
}
template <class First, class Second>
auto elements_of(beside<First, Second> const& items) {
  return elements_of(items.second);
}

}  // namespace detail

/// What `items` say of item i: a value of the source, or the payload of a sink.
template <class Items, class Arrays>
[[gnu::always_inline]] inline decltype(auto) value_at(Items const& items, Arrays const& from, index_t i) {
  return detail::value_from(items, i, from);
}

/// What item i finds elsewhere.
template <class Items, class Arrays>
[[gnu::always_inline]] inline auto look_up_at(Items const& items, Arrays const& from, index_t i) {
  return detail::looked_up_from(items, i, from);
}

/// Where it lies.
template <class Items, class Arrays>
[[gnu::always_inline]] inline auto const* found_at(Items const& items, Arrays const& from, index_t i) {
  return detail::found_from(items, i, from);
}

/// The number of items of a call: read now where it lies in memory, never more than its bound.
inline index_t count_of(size const& n) {
  if (!n.count) return n.bound;
  index_t const count = *n.count;
  return count < 0 ? 0 : count < n.bound ? count : n.bound;
}

}  // namespace lookback::cpu::inline LOOKBACK_UNIT
