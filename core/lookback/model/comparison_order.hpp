// The order of a sort by comparisons: what the caller's function says of two items, and nothing else.
#pragma once
#include "../fn.hpp"
#include "radix_order.hpp"

namespace lookback {

/// less(a, b): does a come before b? A strict weak order. One that is none gives an unspecified order, but loses no item. Unless
/// `Stable`, equal items may change places.
template <class T, class Less, bool Stable = true>
struct comparison_order {
  static constexpr bool is_comparison = true, is_stable = Stable;
  Less less;
  LOOKBACK_CALLS_USER
  LOOKBACK_FN bool operator()(T const& a, T const& b) const { return static_cast<bool>(less(a, b)); }
  /// Does the order of all items stay?
  LOOKBACK_FN bool compares_nothing() const { return false; }
};

/// Is this the order of a sort by comparisons? Else it is one by digits.
template <class Order>
concept comparison = requires {
  requires Order::is_comparison;
};

}  // namespace lookback
