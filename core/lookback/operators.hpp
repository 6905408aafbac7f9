// Associative operators, with their identity. Any callable of the same shape is as good; identity() is asked for only where
// a call names no initial value and needs one.
#pragma once
#include <concepts>
#include <functional>
#include <limits>
#include <type_traits>

#include "fn.hpp"

namespace lookback {

namespace detail {

// Signed overflow wraps, as a scan's users expect, and narrow types do not promote to int on the way.
template <class T>
using wrapping_t =
    typename std::conditional_t<std::is_integral_v<T> && (sizeof(T) < sizeof(int)), std::type_identity<unsigned>,
                                std::conditional_t<std::is_integral_v<T>, std::make_unsigned<T>, std::type_identity<T>>>::type;

// Rounded once, never contracted into a multiply-add: `reproducible` needs the bits.
LOOKBACK_FN float add(float a, float b) { LOOKBACK_ROUNDED(__fadd_rn(a, b), a + b); }
LOOKBACK_FN double add(double a, double b) { LOOKBACK_ROUNDED(__dadd_rn(a, b), a + b); }
LOOKBACK_FN float multiply(float a, float b) { LOOKBACK_ROUNDED(__fmul_rn(a, b), a * b); }
LOOKBACK_FN double multiply(double a, double b) { LOOKBACK_ROUNDED(__dmul_rn(a, b), a * b); }

// Through memory: a host's compiler cannot make one instruction of what is before and behind.
template <class T>
T through_memory(T x) {
  asm("" : "+m"(x));
  return x;
}

}  // namespace detail

/// x as it has been rounded: whatever the compiler may contract, it is not made a part of what is done with it next. Device code is
/// never contracted by the operators here.
template <class T>
LOOKBACK_FN T rounded(T const& x) {
  if constexpr (std::is_integral_v<T>) return x;
  else LOOKBACK_ROUNDED(x, detail::through_memory(x));
}

// Without a type, as plus<>, an operator is that of the values which it is given: a call makes it plus<T>, and std::plus<> and
// std::plus<T> too (known_operator_t).

/// a + b; integers wrap.
template <class T = void>
struct plus {
  using value_type = T;
  LOOKBACK_FN T operator()(T const& a, T const& b) const {
    if constexpr (std::is_same_v<T, float> || std::is_same_v<T, double>) return detail::add(a, b);
    else if constexpr (std::is_integral_v<T>) return static_cast<T>(detail::wrapping_t<T>(a) + detail::wrapping_t<T>(b));
    else return a + b;
  }
  static LOOKBACK_FN T identity() requires requires { T{}; }
  { return T{}; }
};

/// a * b; integers wrap.
template <class T = void>
struct multiplies {
  using value_type = T;
  LOOKBACK_FN T operator()(T const& a, T const& b) const {
    if constexpr (std::is_same_v<T, float> || std::is_same_v<T, double>) return detail::multiply(a, b);
    else if constexpr (std::is_integral_v<T>) return static_cast<T>(detail::wrapping_t<T>(a) * detail::wrapping_t<T>(b));
    else return a * b;
  }
  static LOOKBACK_FN T identity() requires requires { T{1}; }
  { return T{1}; }
};

namespace detail {
// Constants, not calls: device code may not call the functions of the standard library.
template <class T>
inline constexpr T lowest = std::is_floating_point_v<T> ? -std::numeric_limits<T>::infinity() : std::numeric_limits<T>::lowest();
template <class T>
inline constexpr T highest = std::is_floating_point_v<T> ? std::numeric_limits<T>::infinity() : std::numeric_limits<T>::max();
}  // namespace detail

/// The smaller one. A NaN on either side gives NaN, as NumPy does: only so is it associative. Of 0 and -0 it is either.
template <class T = void>
struct minimum {
  using value_type = T;
  LOOKBACK_FN T operator()(T const& a, T const& b) const { return a < b || a != a ? a : b; }
  static LOOKBACK_FN T identity() requires std::numeric_limits<T>::is_specialized { return detail::highest<T>; }
};

/// The larger one. A NaN on either side gives NaN, as NumPy does: only so is it associative. Of 0 and -0 it is either.
template <class T = void>
struct maximum {
  using value_type = T;
  LOOKBACK_FN T operator()(T const& a, T const& b) const { return b < a || a != a ? a : b; }
  static LOOKBACK_FN T identity() requires std::numeric_limits<T>::is_specialized { return detail::lowest<T>; }
};

template <class T = void>
requires(std::integral<T> || std::is_void_v<T>) struct bit_and {
  using value_type = T;
  LOOKBACK_FN T operator()(T const& a, T const& b) const { return static_cast<T>(a & b); }
  static LOOKBACK_FN T identity() { return static_cast<T>(~T{}); }
};

template <class T = void>
requires(std::integral<T> || std::is_void_v<T>) struct bit_or {
  using value_type = T;
  LOOKBACK_FN T operator()(T const& a, T const& b) const { return static_cast<T>(a | b); }
  static LOOKBACK_FN T identity() { return T{}; }
};

template <class T = void>
requires(std::integral<T> || std::is_void_v<T>) struct bit_xor {
  using value_type = T;
  LOOKBACK_FN T operator()(T const& a, T const& b) const { return static_cast<T>(a ^ b); }
  static LOOKBACK_FN T identity() { return T{}; }
};

template <>
struct plus<void> {
  template <class T>
  LOOKBACK_FN T operator()(T const& a, T const& b) const {
    return plus<T>{}(a, b);
  }
};
template <>
struct multiplies<void> {
  template <class T>
  LOOKBACK_FN T operator()(T const& a, T const& b) const {
    return multiplies<T>{}(a, b);
  }
};
template <>
struct minimum<void> {
  template <class T>
  LOOKBACK_FN T operator()(T const& a, T const& b) const {
    return minimum<T>{}(a, b);
  }
};
template <>
struct maximum<void> {
  template <class T>
  LOOKBACK_FN T operator()(T const& a, T const& b) const {
    return maximum<T>{}(a, b);
  }
};
template <>
struct bit_and<void> {
  template <std::integral T>
  LOOKBACK_FN T operator()(T const& a, T const& b) const {
    return bit_and<T>{}(a, b);
  }
};
template <>
struct bit_or<void> {
  template <std::integral T>
  LOOKBACK_FN T operator()(T const& a, T const& b) const {
    return bit_or<T>{}(a, b);
  }
};
template <>
struct bit_xor<void> {
  template <std::integral T>
  LOOKBACK_FN T operator()(T const& a, T const& b) const {
    return bit_xor<T>{}(a, b);
  }
};

namespace detail {
template <class Op, class T>
struct known_operator : std::type_identity<Op> {};
template <class T>
struct known_operator<plus<>, T> : std::type_identity<plus<T>> {};
template <class T>
struct known_operator<multiplies<>, T> : std::type_identity<multiplies<T>> {};
template <class T>
struct known_operator<minimum<>, T> : std::type_identity<minimum<T>> {};
template <class T>
struct known_operator<maximum<>, T> : std::type_identity<maximum<T>> {};
template <std::integral T>
struct known_operator<bit_and<>, T> : std::type_identity<bit_and<T>> {};
template <std::integral T>
struct known_operator<bit_or<>, T> : std::type_identity<bit_or<T>> {};
template <std::integral T>
struct known_operator<bit_xor<>, T> : std::type_identity<bit_xor<T>> {};
template <class T>
requires std::is_arithmetic_v<T>
struct known_operator<std::plus<>, T> : std::type_identity<plus<T>> {
};
template <class T>
requires std::is_arithmetic_v<T>
struct known_operator<std::plus<T>, T> : std::type_identity<plus<T>> {
};
template <class T>
requires std::is_arithmetic_v<T>
struct known_operator<std::multiplies<>, T> : std::type_identity<multiplies<T>> {
};
template <class T>
requires std::is_arithmetic_v<T>
struct known_operator<std::multiplies<T>, T> : std::type_identity<multiplies<T>> {
};
template <class T>
requires std::is_integral_v<T>
struct known_operator<std::bit_and<>, T> : std::type_identity<bit_and<T>> {
};
template <class T>
requires std::is_integral_v<T>
struct known_operator<std::bit_and<T>, T> : std::type_identity<bit_and<T>> {
};
template <class T>
requires std::is_integral_v<T>
struct known_operator<std::bit_or<>, T> : std::type_identity<bit_or<T>> {
};
template <class T>
requires std::is_integral_v<T>
struct known_operator<std::bit_or<T>, T> : std::type_identity<bit_or<T>> {
};
template <class T>
requires std::is_integral_v<T>
struct known_operator<std::bit_xor<>, T> : std::type_identity<bit_xor<T>> {
};
template <class T>
requires std::is_integral_v<T>
struct known_operator<std::bit_xor<T>, T> : std::type_identity<bit_xor<T>> {
};
}  // namespace detail

/// The operator that a call applies to values of type T where it is given Op: ours of that type for plus<> and its kin and for the
/// standard's, which are known to commute and have an identity. Integers wrap.
template <class Op, class T>
using known_operator_t = typename detail::known_operator<Op, T>::type;

/// The same operator under the rule that the right one wins if a segment begins in it: the lifted operator of Blelloch (1990).
/// Values are {value, starts}. The engine recognizes it and keeps `starts` as one bit an item (van den Hurk 2022).
template <class Op>
struct segmented {
  Op op;
};

template <class Op>
inline constexpr bool is_segmented = false;
template <class Op>
inline constexpr bool is_segmented<segmented<Op>> = true;

template <class Op>
struct unlifted {
  using type = Op;
};
template <class Op>
struct unlifted<segmented<Op>> {
  using type = Op;
};
/// Op, or what is inside segmented<Op>.
template <class Op>
using unlifted_t = typename unlifted<Op>::type;

template <class Op>
concept has_identity = requires {
  Op::identity();
};

namespace detail {
template <class Op, class Item>
struct accumulator {
  using type = std::remove_cvref_t<Item>;
};
template <class Op, class Item>
requires requires { typename Op::value_type; }
struct accumulator<Op, Item> {
  using type = typename Op::value_type;
};
}  // namespace detail

/// What a scan of Items by Op accumulates: the operator's value_type where it has one, else the item's own type.
template <class Op, class Item>
using accumulator_t = typename detail::accumulator<unlifted_t<Op>, Item>::type;

/// True where the operands of Op may be swapped; only the built-in operators are known to allow it.
template <class Op>
inline constexpr bool is_commutative = false;
template <class T>
inline constexpr bool is_commutative<plus<T>> = std::is_arithmetic_v<T>;
template <class T>
inline constexpr bool is_commutative<multiplies<T>> = std::is_arithmetic_v<T>;
template <class T>
inline constexpr bool is_commutative<bit_and<T>> = std::is_integral_v<T>;
template <class T>
inline constexpr bool is_commutative<bit_or<T>> = std::is_integral_v<T>;
template <class T>
inline constexpr bool is_commutative<bit_xor<T>> = std::is_integral_v<T>;
template <class T>
inline constexpr bool is_commutative<minimum<T>> = std::is_integral_v<T>;
template <class T>
inline constexpr bool is_commutative<maximum<T>> = std::is_integral_v<T>;

/// True where neutral<Op>() op x is x, bit for bit. An engine may then write "start anew" as "go on from neutral": one operation
/// instead of a choice of two.
template <class Op>
inline constexpr bool has_neutral = is_commutative<Op>;
template <class T>
inline constexpr bool has_neutral<minimum<T>> = std::is_arithmetic_v<T>;
template <class T>
inline constexpr bool has_neutral<maximum<T>> = std::is_arithmetic_v<T>;

/// The identity, except that a sum of floats goes on from -0: 0 + -0 would be 0.
template <class Op>
LOOKBACK_FN auto neutral() {
  using T = typename Op::value_type;
  if constexpr (requires { Op::neutral(); }) return Op::neutral();
  else if constexpr (std::is_same_v<Op, plus<T>> && std::is_floating_point_v<T>) return -T{};
  else return Op::identity();
}

/// Does a sum of these depend on its association?
template <class T>
inline constexpr bool rounds = !std::is_integral_v<T>;

/// Operators whose float results `reproducible` promises.
template <class Op>
inline constexpr bool is_reproducible = false;
template <class T>
inline constexpr bool is_reproducible<plus<T>> = std::is_arithmetic_v<T>;
template <class T>
inline constexpr bool is_reproducible<multiplies<T>> = std::is_arithmetic_v<T>;
template <class T>
inline constexpr bool is_reproducible<minimum<T>> = std::is_arithmetic_v<T>;
template <class T>
inline constexpr bool is_reproducible<maximum<T>> = std::is_arithmetic_v<T>;
template <class T>
inline constexpr bool is_reproducible<bit_and<T>> = std::is_integral_v<T>;
template <class T>
inline constexpr bool is_reproducible<bit_or<T>> = std::is_integral_v<T>;
template <class T>
inline constexpr bool is_reproducible<bit_xor<T>> = std::is_integral_v<T>;

}  // namespace lookback
