// Elements by their bits: order and equality of every type of one width as run-time values, so that one kernel serves for all of
// them. Nothing here knows of CUDA.
#pragma once
#include <concepts>
#include <cstring>
#include <lookback/fn.hpp>
#include <type_traits>

#include "types.hpp"

namespace lookback::dispatch {

template <class Bits>
inline constexpr Bits all_bits = static_cast<Bits>(~Bits{});
/// All but the sign.
template <class Bits>
inline constexpr Bits magnitude_bits = static_cast<Bits>(all_bits<Bits> >> 1);
template <class Bits>
inline constexpr bool may_be_float = sizeof(Bits) >= 4;
template <class Bits>
using float_of = std::conditional_t<sizeof(Bits) == 4, float, double>;

/// low <= x <= high, for elements of one type given by their bits.
///
/// The places of a type's values, in order, make a range on the circle of all bits: x is in it if it is at most `distance` behind
/// the first. For integers, signed or not, the bits are the place. The bits of negative floats rise where the values fall, so all
/// but the sign are inverted: from -infinity up to -0 and from 0 up to infinity, each place is one more than the one before. NaNs
/// lie beyond both ends.
template <std::unsigned_integral Bits>
struct bits_between {
  Bits inverted;  // of negative values: magnitude_bits for floats, else none
  Bits first, distance;
  bool any;  // false: there is nothing between low and high

  LOOKBACK_FN Bits place_of(Bits x) const {
    if constexpr (may_be_float<Bits>) return x ^ (x > magnitude_bits<Bits> ? inverted : Bits{});
    else return x;
  }
  LOOKBACK_FN bool operator()(Bits const& x) const { return (static_cast<Bits>(place_of(x) - first) <= distance) & any; }
};

/// As the comparisons of the type have it: 0 and -0 are equal, nothing is above or below a NaN.
template <class Bits>
bits_between<Bits> bits_between_of(element type, void const* low, void const* high) {
  Bits a, b;
  std::memcpy(&a, low, sizeof a), std::memcpy(&b, high, sizeof b);
  using number = std::make_signed_t<Bits>;
  bits_between<Bits> made{};
  made.any = is_signed_integer(type) ? static_cast<number>(a) <= static_cast<number>(b) : a <= b;
  if constexpr (may_be_float<Bits>)
    if (is_float(type)) {
      float_of<Bits> x, y;
      std::memcpy(&x, low, sizeof x), std::memcpy(&y, high, sizeof y);
      made.inverted = magnitude_bits<Bits>;
      made.any = x <= y;
      if (x == 0) a = static_cast<Bits>(~magnitude_bits<Bits>);  // both zeros belong to the range
      if (y == 0) b = 0;
    }
  made.first = made.place_of(a);
  made.distance = static_cast<Bits>(made.place_of(b) - made.first);
  return made;
}

/// a == b, for elements of one type given by their bits.
template <std::unsigned_integral Bits>
struct same_bits {
  Bits magnitude;  // what is 0 of every zero
  Bits largest;    // beyond it the magnitude is that of a NaN

  LOOKBACK_FN bool operator()(Bits const& a, Bits const& b) const {
    return ((a == b) & ((a & magnitude) <= largest)) | (((a | b) & magnitude) == 0);
  }
};

/// With `by_bits` a NaN equals itself, and 0 differs from -0.
template <class Bits>
requires may_be_float<Bits> same_bits<Bits> same_bits_of(element type, bool by_bits) {
  if (by_bits || !is_float(type)) return {all_bits<Bits>, all_bits<Bits>};
  constexpr int mantissa = sizeof(Bits) == 4 ? 23 : 52;
  return {magnitude_bits<Bits>, magnitude_bits<Bits> >> mantissa << mantissa};  // up to infinity
}

/// a == b for keys of any type, each widened to 8 bytes.
inline same_bits<std::uint64_t> same_keys_of(element type) {
  if (type != element::f32) return same_bits_of<std::uint64_t>(type, false);
  auto const narrow = same_bits_of<std::uint32_t>(type, false);
  return {narrow.magnitude, narrow.largest};
}

}  // namespace lookback::dispatch
