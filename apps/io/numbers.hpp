// Numbers from text and back: exactly, in the C locale, with the reason where it fails.
#pragma once
#include <charconv>
#include <cmath>
#include <cstdlib>
#include <limits>
#include <string>
#include <string_view>
#include <system_error>
#include <type_traits>

#include "elements.hpp"

namespace lookback::app {

enum class parsed { ok, not_a_number, out_of_range };

namespace detail {
// The program never leaves the C locale.
inline void nearest_number(char const* text, float& value) { value = std::strtof(text, nullptr); }
inline void nearest_number(char const* text, double& value) { value = std::strtod(text, nullptr); }
}  // namespace detail

/// The whole of `text` as a T: a leading '+' is allowed, for floats also inf and nan. A float that is too small becomes the nearest
/// that there is, a denormal or 0; too large is out of range. `value` is set only where it is ok.
template <class T>
parsed parse_number(std::string_view text, T& value) {
  if (text.size() > 1 && text[0] == '+' && text[1] != '-') text.remove_prefix(1);
  T result{};
  auto const [end, code] = std::from_chars(text.data(), text.data() + text.size(), result);
  if (end != text.data() + text.size() || text.empty()) {
    // "-1" is a number, only not an unsigned one.
    std::int64_t negative = 0;
    if constexpr (std::is_unsigned_v<T>)
      if (text.size() > 1 && text[0] == '-' && parse_number(text, negative) != parsed::not_a_number) return parsed::out_of_range;
    return parsed::not_a_number;
  }
  if (code == std::errc::result_out_of_range) {
    if constexpr (!std::is_floating_point_v<T>) return parsed::out_of_range;
    else {
      detail::nearest_number(std::string(text).c_str(), result);
      if (std::isinf(result)) return parsed::out_of_range;
      value = result;
      return parsed::ok;
    }
  }
  if (code != std::errc{}) return parsed::not_a_number;
  value = result;
  return parsed::ok;
}

/// The shortest text that reads back as the same value.
template <class T>
char* format_number(char* first, char* last, T value) {
  return std::to_chars(first, last, value).ptr;
}
inline constexpr int longest_number = 32;  // of any format_number

/// The same of a complex number, too, as two with a blank between them: what Matrix Market has.
template <class T>
char* format_value(char* at, T const& value) {
  if constexpr (std::is_arithmetic_v<T>) return format_number(at, at + longest_number, value);
  else {
    at = format_value(at, value.real());
    *at++ = ' ';
    return format_value(at, value.imag());
  }
}

template <class T>
std::string text_of(T value) {
  char buffer[longest_number];
  return {buffer, format_number(buffer, buffer + longest_number, value)};
}

/// What a text that is to become a T must be: "a number of i8, from -128 to 127".
template <class T>
std::string range_of() {
  std::string const name = dispatch::name_of(element_of<T>());
  if constexpr (std::is_floating_point_v<T>) return "a number of " + name;
  else
    return "an integer of " + name + ", from " + text_of(std::numeric_limits<T>::min()) + " to " +
           text_of(std::numeric_limits<T>::max());
}

/// "16,777,216"
inline std::string grouped(std::int64_t value) {
  std::string text = text_of(value);
  for (auto at = static_cast<std::ptrdiff_t>(text.size()) - 3; at > (value < 0 ? 1 : 0); at -= 3)
    text.insert(static_cast<std::size_t>(at), ",");
  return text;
}

/// "12.3 MB", powers of ten.
inline std::string bytes_text(double bytes) {
  char const* units[] = {"B", "kB", "MB", "GB", "TB"};
  int unit = 0;
  for (; bytes >= 999.5 && unit < 4; ++unit) bytes /= 1000;
  char buffer[longest_number];
  auto const [end, code] =
      std::to_chars(buffer, buffer + longest_number, bytes, std::chars_format::fixed, unit == 0 || bytes >= 99.5 ? 0 : 1);
  return std::string(buffer, end) + " " + units[unit];
}

}  // namespace lookback::app
