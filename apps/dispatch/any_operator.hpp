// An operator that is chosen when a call runs: one kernel serves for all of a type. Nothing here knows of CUDA.
#pragma once
#include <lookback/operators.hpp>
#include <type_traits>

#include "types.hpp"

namespace lookback::dispatch {

/// Those of the type that are left when others are made of them by flipping bits: see flipped_operation.
template <class T>
struct any_operator {
  using value_type = T;
  operation which;  // plus, multiplies, min; of integers bit_and, bit_xor too
  /// All of them, and one is chosen: a branch for each item would cost more, in a kernel and in its compilation.
  LOOKBACK_FN T operator()(T const& a, T const& b) const {
    T const sum = plus<T>{}(a, b), product = multiplies<T>{}(a, b);
    T result = minimum<T>{}(a, b);
    result = which == operation::plus ? sum : result;
    result = which == operation::multiplies ? product : result;
    if constexpr (std::is_integral_v<T>) {
      T const both = bit_and<T>{}(a, b), either = bit_xor<T>{}(a, b);
      result = which == operation::bit_and ? both : result;
      result = which == operation::bit_xor ? either : result;
    }
    return result;
  }
};

/// An operator as another one of flipped operands, whose result is flipped back: min serves for every max, `and` for `or`. Integers
/// are taken as unsigned.
template <class Bits>
struct flipped_operation {
  operation which;
  Bits mask;
};
template <class Bits>
constexpr flipped_operation<Bits> flipped_operation_of(operation op, element type) {
  constexpr Bits none{}, all = static_cast<Bits>(~none), highest = static_cast<Bits>(all ^ all >> 1);
  Bits const sign = is_signed_integer(type) ? highest : none;
  switch (op) {
    case operation::bit_or:
      return {operation::bit_and, all};
    case operation::min:
      return {operation::min, sign};
    case operation::max:
      return {operation::min, is_float(type) ? highest : static_cast<Bits>(sign ^ all)};
    default:
      return {op, none};
  }
}

}  // namespace lookback::dispatch

/// Whichever is chosen, it is a built-in one.
template <class T>
inline constexpr bool lookback::is_reproducible<lookback::dispatch::any_operator<T>> = std::is_arithmetic_v<T>;
