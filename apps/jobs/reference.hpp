// What a result must be: the states of a plain loop over items, and how far from theirs a result may lie.
//
// Integers, min and max must be equal (NaN equals NaN); a float sum may differ by 16 eps sum|x| over what was summed, of
// more than 2^22 items by sqrt(items / 2^22) times that, since the sums of tiles are added one after the other; a float
// product relatively by eps for each factor, unless an order of its factors exists whose partial products leave the range.
#pragma once
#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <lookback/operators.hpp>
#include <string>

#include "io/numbers.hpp"

namespace lookback::app {

// The operator's identity is only shown where an exclusive scan has no initial value; starting from it is the same as from nothing.
template <class Op>
struct exact {
  using value_type = typename Op::value_type;
  value_type first, value = first;
  void restart() { value = first; }
  void take(value_type x) { value = Op{}(value, x); }
  bool accepts(value_type got) const { return got == value || (got != got && value != value); }
  std::string wanted() const { return text_of(value); }
};

// Double would not do for double: a plain loop over 2^24 items is off by more than 16 eps itself.
template <class T>
struct float_sum {
  using value_type = T;
  using wide = std::conditional_t<std::is_same_v<T, float>, double, long double>;
  T first;
  wide value = 0, magnitude = 0;
  std::int64_t items = 0;
  void restart() { value = first, magnitude = std::abs(wide{first}), items = 0; }
  void take(T x) { value += x, magnitude += std::abs(wide{x}), ++items; }
  wide least_bound() const { return 16 * wide{std::numeric_limits<T>::epsilon()} * magnitude; }
  wide bound() const {
    constexpr double few = std::int64_t{1} << 22;
    return least_bound() * static_cast<wide>(std::sqrt(std::max(1.0, static_cast<double>(items) / few)));
  }
  bool accepts(T got) const {
    if (std::isnan(value) || std::isnan(got)) return std::isnan(value) && std::isnan(got);
    if (std::isinf(value)) return got == static_cast<T>(value);
    if (magnitude > std::numeric_limits<T>::max()) return true;  // some order of these additions overflows
    auto const off = std::abs(wide{got} - value);
    return off <= least_bound() || off <= bound();
  }
  std::string wanted() const { return text_of(static_cast<double>(value)) + " within " + text_of(static_cast<double>(bound())); }
};

template <class T>
struct float_product {
  using value_type = T;
  using wide = long double;
  T first;
  wide value = 1, factors = 0;
  int exponents = 0;  // sum of |log2 x|: no order of the factors leaves 2^-exponents .. 2^exponents
  void restart() { value = 1, factors = 0, exponents = 0, take(first); }
  void take(T x) {
    value *= x, ++factors;
    if (x != 0 && std::isfinite(x)) exponents = std::min(1 << 20, exponents + std::abs(std::ilogb(x)) + 1);
  }
  wide bound() const { return (factors + 16) * wide{std::numeric_limits<T>::epsilon()} * std::abs(value); }
  bool accepts(T got) const {
    if (exponents >= std::numeric_limits<T>::max_exponent - 2) return true;
    if (std::isnan(value) || std::isnan(got)) return std::isnan(value) && std::isnan(got);
    if (std::isinf(value)) return got == static_cast<T>(value);
    return std::abs(wide{got} - value) <= bound();
  }
  std::string wanted() const { return text_of(static_cast<double>(value)) + " within " + text_of(static_cast<double>(bound())); }
};

/// Calls f(state) with the plain loop of an operator from `first`, or from its identity where that is null.
template <class F>
auto with_reference(element type, operation op, std::byte const* first, F f) {
  return with_type(type, [&]<class T>(std::type_identity<T>) {
    auto const from = [&](T identity) {
      if (first) std::memcpy(&identity, first, sizeof identity);
      return identity;
    };
    auto const exactly = [&]<class Op>(Op) { return f(exact<Op>{from(Op::identity())}); };
    if (op == operation::min) return exactly(minimum<T>{});
    if (op == operation::max) return exactly(maximum<T>{});
    if constexpr (std::is_floating_point_v<T>) {
      if (op == operation::plus) return f(float_sum<T>{from(T{0})});
      return f(float_product<T>{from(T{1})});
    } else {
      switch (op) {
        case operation::plus:
          return exactly(plus<T>{});
        case operation::multiplies:
          return exactly(multiplies<T>{});
        case operation::bit_and:
          return exactly(bit_and<T>{});
        case operation::bit_or:
          return exactly(bit_or<T>{});
        default:
          return exactly(bit_xor<T>{});
      }
    }
  });
}

/// Makes op(left, right) of `right`: numbers of a type, wherever they lie.
inline void combine(element type, operation op, std::byte const* left, std::byte* right) {
  with_reference(type, op, left, [&](auto state) {
    using T = typename decltype(state)::value_type;
    T x;
    std::memcpy(&x, right, sizeof x);
    state.restart(), state.take(x);
    x = static_cast<T>(state.value);
    std::memcpy(right, &x, sizeof x);
  });
}

/// What that comparison is, for people.
inline std::string tolerance_of(element type, operation op) {
  if (!dispatch::is_float(type) || op == operation::min || op == operation::max) return "exact";
  return op == operation::plus ? "16 eps sum|x| max(1, sqrt(items / 2^22))" : "eps per factor";
}

}  // namespace lookback::app
