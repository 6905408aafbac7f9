// Numbers in lines of Matrix Market text, fast, with the very bits of std::from_chars.
//
// Every line ends in '\n' here, which no loop passes. A function gets the first character of a token and returns the one behind it,
// null if the token is no such number. What is rare (signs before indices, very long numbers, Fortran's D) goes a slow way.
#pragma once
#include <bit>
#include <complex>
#include <cstdint>
#include <cstring>
#include <lookback/fn.hpp>

namespace lookback::app {

constexpr bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\r'; }
constexpr bool ends_token(char c) { return is_blank(c) || c == '\n'; }
constexpr unsigned digit_of(char c) { return static_cast<unsigned char>(c) - unsigned{'0'}; }  // beyond 9: it is none

inline char const* skip_blanks(char const* at) {
  while (is_blank(*at)) ++at;
  return at;
}

char const* read_integer_slowly(char const* at, std::int64_t& value);
char const* read_number_slowly(char const* at, double& value);

/// An index from 1 to limit, as 0 to limit - 1.
inline char const* read_index(char const* at, index_t limit, index_t& value) {
  char const* const begin = at;
  std::uint64_t number = 0;
  for (unsigned digit; (digit = digit_of(*at)) <= 9; ++at) number = 10 * number + digit;
  if (at == begin || at - begin > 18 || !ends_token(*at)) {
    std::int64_t found = 0;
    at = read_integer_slowly(begin, found);
    if (!at) return nullptr;
    number = static_cast<std::uint64_t>(found);
  }
  if (number - 1 >= static_cast<std::uint64_t>(limit)) return nullptr;  // 0 and less are very large then
  value = static_cast<index_t>(number - 1);
  return at;
}

inline char const* read_value(char const* at, char const*, std::int64_t& value) {
  char const* const begin = at;
  at += *at == '-';
  char const* const digits = at;
  std::int64_t number = 0;
  for (unsigned digit; (digit = digit_of(*at)) <= 9 && at - digits < 18; ++at) number = 10 * number + digit;
  if (at == digits || !ends_token(*at)) return read_integer_slowly(begin, value);
  value = *begin == '-' ? -number : number;
  return at;
}

namespace detail {

__extension__ typedef unsigned __int128 wide_t;

inline constexpr struct powers_of_five {
  std::uint64_t of[28] = {1};
  constexpr powers_of_five() {
    for (int k = 1; k < 28; ++k) of[k] = 5 * of[k - 1];
  }
} five;

/// The double nearest to (mantissa + something below 1 if `more`) 2^exponent; ties go to the even one. The highest bit of the
/// mantissa is set, the result is normal.
inline double nearest(std::uint64_t mantissa, bool more, int exponent) {
  std::uint64_t const dropped = mantissa & 0x7ff;
  std::uint64_t bits = mantissa >> 11;
  if (dropped > 0x400 || (dropped == 0x400 && (more || (bits & 1)))) ++bits;  // 2^53 carries into the exponent, and is right there
  return std::bit_cast<double>(bits + (static_cast<std::uint64_t>(exponent + 11 + 1074) << 52));
}

/// The double nearest to mantissa 10^power, where the mantissa is not 0 and -27 <= power <= 27: in integers, so that nothing is
/// rounded twice. 10^k is 5^k 2^k, and 5^27 the largest that has 64 bits.
inline double scaled_decimal(std::uint64_t mantissa, int power) {
  if (power >= 0) {
    wide_t const product = static_cast<wide_t>(mantissa) * five.of[power];
    auto const high = static_cast<std::uint64_t>(product >> 64);
    int const zeros = high ? std::countl_zero(high) : 64 + std::countl_zero(static_cast<std::uint64_t>(product));
    wide_t const shifted = product << zeros;
    return nearest(static_cast<std::uint64_t>(shifted >> 64), static_cast<std::uint64_t>(shifted) != 0, 64 - zeros + power);
  }
  std::uint64_t const divisor = five.of[-power];
  int const divisor_zeros = std::countl_zero(divisor), zeros = std::countl_zero(mantissa);
  std::uint64_t const by = divisor << divisor_zeros;
  // The mantissa below the divisor, so that the quotient has 64 bits; not below half of it, so that its highest is set.
  bool const halved = (mantissa << zeros) >= by;
  wide_t const dividend = static_cast<wide_t>(mantissa << zeros) << (64 - halved);
  auto const quotient = static_cast<std::uint64_t>(dividend / by);
  bool const more = static_cast<std::uint64_t>(dividend) != quotient * by;  // modulo 2^64: the remainder is below that
  return nearest(quotient, more, divisor_zeros - zeros - 64 + halved + power);
}

/// Takes the digits at `at` into `number`, eight at a time where it can.
inline char const* take_digits(char const* at, char const* end, std::uint64_t& number) {
  while (end - at >= 8) {
    std::uint64_t eight;
    std::memcpy(&eight, at, 8);
    constexpr std::uint64_t high = 0xf0f0f0f0f0f0f0f0, low = 0x0606060606060606;
    if (((eight & high) | (((eight + low) & high) >> 4)) != 0x3333333333333333) break;
    eight -= 0x3030303030303030;
    eight = 10 * eight + (eight >> 8);  // pairs, then fours, then all of them
    eight = ((eight & 0x000000ff000000ff) * 0x000f424000000064 + ((eight >> 16) & 0x000000ff000000ff) * 0x0000271000000001) >> 32;
    number = 100'000'000 * number + static_cast<std::uint32_t>(eight);
    at += 8;
  }
  for (unsigned digit; (digit = digit_of(*at)) <= 9; ++at) number = 10 * number + digit;
  return at;
}

}  // namespace detail

/// `end`: of the text, which ends in '\n'.
inline char const* read_value(char const* at, char const* end, double& value) {
  char const* const begin = at;
  at += *at == '-';
  char const* const first = at;
  while (*at == '0') ++at;
  bool digits = at != first;
  std::uint64_t mantissa = 0;
  char const* const whole = at;
  at = detail::take_digits(at, end, mantissa);
  auto significant = at - whole;
  digits = digits || significant != 0;
  std::ptrdiff_t power = 0;
  if (*at == '.') {
    char const* const fraction = ++at;
    if (significant == 0)
      while (*at == '0') ++at;
    char const* const counted = at;
    at = detail::take_digits(at, end, mantissa);
    significant += at - counted;
    power = fraction - at;
    digits = digits || power != 0;
  }
  if (*at == 'e' || *at == 'E') {
    bool const negative = *++at == '-';
    at += negative || *at == '+';
    char const* const exponent = at;
    std::ptrdiff_t number = 0;
    for (unsigned digit; (digit = digit_of(*at)) <= 9 && at - exponent < 5; ++at) number = 10 * number + digit;
    digits = digits && at != exponent;
    power += negative ? -number : number;
  }
  // 19 digits have 64 bits.
  if (!digits || significant > 19 || !ends_token(*at) || (mantissa != 0 && (power < -27 || power > 27)))
    return read_number_slowly(begin, value);
  double const magnitude = mantissa == 0 ? 0 : detail::scaled_decimal(mantissa, static_cast<int>(power));
  value = *begin == '-' ? -magnitude : magnitude;
  return at;
}

}  // namespace lookback::app
