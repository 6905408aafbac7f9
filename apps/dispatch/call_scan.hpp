// From a request to the library's templates: shared by the tables of both back ends.
#pragma once
#include <cstring>
#include <lookback/scan.hpp>
#include <lookback/segmented_scan.hpp>
#include <span>

#include "by_strategy.hpp"
#include "scan.hpp"

namespace lookback::dispatch {

/// The one instantiation per (policy, Op, types of the arrays): inclusive or exclusive, direction and kind of segments are run-time
/// values. `initial` may be null.
template <class Op, class On, class In, class Out, class T>
void call_scan_of(On const& policy, scan_request const& request, In const& in, Out const& out, Op op, T const* initial) {
  auto const on = policy.with(request.reverse ? right_to_left : left_to_right);
  if (request.heads) {
    if (request.exclusive) exclusive_segmented_scan(on, in, *request.heads, out, op, initial ? *initial : Op::identity());
    else if (initial) inclusive_segmented_scan(on, in, *request.heads, out, op, *initial);
    else inclusive_segmented_scan(on, in, *request.heads, out, op);
  } else if constexpr (is_for_segments<On>) {
    throw unavailable("a scan of one segment is not run by a strategy of segments");  // offers() has said so
  } else {
    if (request.exclusive) exclusive_scan(on, in, out, op, initial ? *initial : Op::identity());
    else if (initial) inclusive_scan(on, in, out, op, *initial);
    else inclusive_scan(on, in, out, op);
  }
}

template <class T>
std::span<T const> items_of(scan_request const& request) {
  return {static_cast<T const*>(request.in), static_cast<std::size_t>(request.n)};
}
template <class T>
std::span<T> room_of(scan_request const& request) {
  return {static_cast<T*>(request.out), static_cast<std::size_t>(request.n)};
}

/// What one chunk hands to the next, if there are chunks.
template <class T, class Key>
carry<T, Key> carry_of(scan_request const& request) {
  using state_type = carried<T, Key>;
  static_assert(sizeof(state_type) <= sizeof(scan_state) && alignof(state_type) <= alignof(scan_state));
  auto* const state = reinterpret_cast<state_type*>(request.state);
  return {state, request.state_out ? reinterpret_cast<state_type*>(request.state_out) : state};
}

template <class T, class Op, class On>
void call_scan(On const& on, scan_request const& request) {
  call_scan_of(on, request, items_of<T>(request), room_of<T>(request), Op{}, static_cast<T const*>(request.initial));
}

/// x with the bits of a mask inverted. It is its own inverse, and turns one order into another: all bits of an integer, or the sign
/// of a float, exchange min and max; the highest bit of an integer exchanges signed and unsigned.
template <class T, class Bits>
struct flip {
  Bits mask;
  LOOKBACK_FN T operator()(T const& x) const {
    Bits bits;
    memcpy(&bits, &x, sizeof x);
    bits ^= mask;
    T y;
    memcpy(&y, &bits, sizeof y);
    return y;
  }
};

/// The scan by Op of flipped items, flipped back: min serves for every max, `and` for `or`.
template <class T, class Op, class Bits, class On>
void call_scan_flipped(On const& on, scan_request const& request, Bits mask) {
  flip<T, Bits> const f{mask};
  auto const* const initial = static_cast<T const*>(request.initial);
  T const flipped = initial ? f(*initial) : T{};
  call_scan_of(on, request, mapped(items_of<T>(request), f), into(room_of<T>(request), f), Op{}, initial ? &flipped : nullptr);
}

}  // namespace lookback::dispatch
