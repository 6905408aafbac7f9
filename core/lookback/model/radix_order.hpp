// The order of a sort by digits: a key becomes an unsigned number of the same order, and digits are bits of that number.
//
//   unsigned, bool   themselves                     signed   with the sign bit turned
//   floating point   positive ones with the sign bit set, negative ones with all bits turned
//   descending       all bits turned                NaN      behind (or before) all others, in both directions
#pragma once
#include <bit>
#include <cstdint>
#include <limits>
#include <type_traits>

#include "../fn.hpp"
#include "../source.hpp"

// Types of the CUDA Toolkit, which is not asked for here.
struct __half;
struct __nv_bfloat16;

namespace lookback {

/// How many bits of a floating-point type are its exponent; 0 for others. A program may say so of a type of its own that is laid
/// out as IEEE 754 has it: sign, exponent, fraction.
template <class Key>
inline constexpr int exponent_bits = 0;
template <>
inline constexpr int exponent_bits<float> = 8;
template <>
inline constexpr int exponent_bits<double> = 11;
template <>
inline constexpr int exponent_bits<__half> = 5;
template <>
inline constexpr int exponent_bits<__nv_bfloat16> = 8;

namespace detail {
/// The compiler's own types of 16 bits, whatever their names: an exponent of 5 bits does not reach 2^17.
template <class T>
concept narrow_float = sizeof(T) == 2 && !std::is_integral_v<T> && !std::is_enum_v<T> && !std::is_class_v<T> && requires(T x) {
  x + x;
  static_cast<float>(x);
};
}  // namespace detail
template <detail::narrow_float Key>
inline constexpr int exponent_bits<Key> = static_cast<float>(static_cast<Key>(131072.0f)) == 131072.0f ? 8 : 5;

/// Keys that a sort by digits knows how to compare; of other types `by(f)` takes one.
template <class Key>
concept radix_key = (std::is_integral_v<Key> && sizeof(Key) <= 8) || exponent_bits<Key> != 0;

namespace detail {
template <std::size_t Bytes>
struct unsigned_of {};
template <>
struct unsigned_of<1> {
  using type = std::uint8_t;
};
template <>
struct unsigned_of<2> {
  using type = std::uint16_t;
};
template <>
struct unsigned_of<4> {
  using type = std::uint32_t;
};
template <>
struct unsigned_of<8> {
  using type = std::uint64_t;
};
}  // namespace detail

/// The unsigned number of a key. Equal keys have equal numbers: -0 and +0, and all NaNs. With Exact, numbers are equal only where
/// all bits of the keys are, -0 comes before +0 and NaNs come by their bits (those without a sign first): for keys that stand
/// alone, where nobody can tell in which order equal ones were. Descending turns that order, too.
template <radix_key Key, bool Exact>
struct key_number {
  using value = typename detail::unsigned_of<sizeof(Key)>::type;
  static constexpr bool is_floating = exponent_bits<Key> != 0;
  static constexpr int width = std::is_same_v<Key, bool> ? 1 : 8 * static_cast<int>(sizeof(Key));
  static constexpr value top = static_cast<value>(value{1} << (8 * sizeof(Key) - 1));
  /// The bits of infinity, and how many NaNs there are of each sign.
  static constexpr value infinity =
      static_cast<value>(static_cast<value>(~value{0} << (8 * sizeof(Key) - 1 - exponent_bits<Key>)) & static_cast<value>(~top));
  static constexpr value nans = static_cast<value>(top - 1 - infinity);

  value flip = 0;  // all ones: descending
  value nan = 0;   // what NaNs become; with Exact, what is added to bring them there

  key_number() = default;
  constexpr key_number(bool descending, bool nan_first) : flip{static_cast<value>(descending ? ~value{0} : value{0})} {
    if constexpr (is_floating && Exact) nan = nan_first ? nans : static_cast<value>(value{0} - nans);
    else if constexpr (is_floating) nan = static_cast<value>(nan_first ? value{0} : ~value{0});
    if constexpr (std::is_same_v<Key, bool>) flip &= 1;
  }

  LOOKBACK_FN value operator()(Key key) const {
    if constexpr (std::is_same_v<Key, bool>) return static_cast<value>(static_cast<value>(key) ^ flip);
    else {
      value b = __builtin_bit_cast(value, key);
      if constexpr (std::is_signed_v<Key> && !is_floating) b = static_cast<value>(b ^ top);
      if constexpr (!is_floating) return static_cast<value>(b ^ flip);
      else {
        value const magnitude = static_cast<value>(b & static_cast<value>(~top));
        if constexpr (!Exact) b = magnitude == 0 ? value{0} : b;
        value const ordered = static_cast<value>((b & top ? static_cast<value>(~b) : static_cast<value>(b | top)) ^ flip);
        if constexpr (Exact) return static_cast<value>(ordered + nan);
        else return magnitude > infinity ? nan : ordered;
      }
    }
  }
  /// The key of a number, where that is all of it.
  LOOKBACK_FN Key key(value number) const requires(Exact || !is_floating) {
    if constexpr (std::is_same_v<Key, bool>) return (number ^ flip) != 0;
    else if constexpr (is_floating) {
      value const ordered = static_cast<value>(static_cast<value>(number - nan) ^ flip);
      return __builtin_bit_cast(Key, static_cast<value>(ordered & top ? ordered & static_cast<value>(~top) : ~ordered));
    } else {
      value b = static_cast<value>(number ^ flip);
      if constexpr (std::is_signed_v<Key>) b = static_cast<value>(b ^ top);
      return __builtin_bit_cast(Key, b);
    }
  }
};

/// The key of an item that is one.
struct itself {
  template <class T>
  LOOKBACK_FN T const& operator()(T const& x) const {
    return x;
  }
};

/// The order of a sort: the numbers of the items' keys, by bits [begin, end).
template <class T, class By = itself, bool Exact = false>
struct radix_order {
  using key = std::remove_cvref_t<decltype(detail::called(std::declval<By const&>(), std::declval<T const&>()))>;
  using number = key_number<key, Exact>;
  using value = typename number::value;
  static constexpr bool is_exact = std::is_same_v<By, itself> && (Exact || !number::is_floating);

  By by{};
  number of{};
  int begin = 0, end = number::width;

  LOOKBACK_CALLS_USER
  LOOKBACK_FN value operator()(T const& item) const { return of(detail::called(by, item)); }
  /// Does the order of all items stay?
  LOOKBACK_FN bool compares_nothing() const { return begin == end; }
  /// Do equal items have equal bytes?
  LOOKBACK_FN bool all_of_it() const { return is_exact && begin == 0 && end == number::width; }
};

/// `width` bits of the number from bit `shift` on: the class of an item in one pass. The number of an integer is its bits, some of
/// them turned, so a digit of it is a digit of the bits, some turned.
template <class Order>
struct digit_of {
  Order order;
  int shift, mask, turned = 0;
  /// Are classes likely to have about as many items each? Integers that are spread seldom go by their lowest digits.
  static constexpr bool are_even = Order::number::is_floating;
  constexpr digit_of(Order const& o, int from_bit, int width) : order{o}, shift{from_bit}, mask{(1 << width) - 1} {
    if constexpr (!Order::number::is_floating)
      if (width > 0) turned = static_cast<int>(order.of(typename Order::key{}) >> shift) & mask;
  }
  /// The bits in which the keys of two items differ. Where sees() of them is false, the items are of one class. Not for floats.
  LOOKBACK_CALLS_USER
  template <class T>
  requires(!Order::number::is_floating) LOOKBACK_FN typename Order::value difference(T const& a, T const& b) const {
    using value = typename Order::value;
    return static_cast<value>(static_cast<value>(detail::called(order.by, a)) ^ static_cast<value>(detail::called(order.by, b)));
  }
  LOOKBACK_FN bool sees(typename Order::value difference) const { return (static_cast<int>(difference >> shift) & mask) != 0; }
  LOOKBACK_CALLS_USER
  template <class T>
  LOOKBACK_FN int operator()(T const& item) const {
    using value = typename Order::value;
    if constexpr (Order::number::is_floating) {
      return static_cast<int>(order(item) >> shift) & mask;
    } else {
      auto const key = detail::called(order.by, item);
      return (static_cast<int>(static_cast<value>(key) >> shift) & mask) ^ turned;
    }
  }
};

}  // namespace lookback
