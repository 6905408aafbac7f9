// From an element's run-time type to its C++ type.
#pragma once
#include <complex>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>

#include "dispatch/types.hpp"

namespace lookback::app {

using dispatch::back_end;
using dispatch::element;
using dispatch::operation;
using dispatch::strategy;

/// Calls f(std::type_identity<T>{}) with the C++ type of `type`, which is not complex.
template <class F>
decltype(auto) with_type(element type, F&& f) {
  switch (type) {
    case element::i8:
      return f(std::type_identity<std::int8_t>{});
    case element::i16:
      return f(std::type_identity<std::int16_t>{});
    case element::i32:
      return f(std::type_identity<std::int32_t>{});
    case element::i64:
      return f(std::type_identity<std::int64_t>{});
    case element::u8:
      return f(std::type_identity<std::uint8_t>{});
    case element::u16:
      return f(std::type_identity<std::uint16_t>{});
    case element::u32:
      return f(std::type_identity<std::uint32_t>{});
    case element::u64:
      return f(std::type_identity<std::uint64_t>{});
    case element::f32:
      return f(std::type_identity<float>{});
    case element::f64:
      return f(std::type_identity<double>{});
    default:
      throw error(std::string("only the commands for matrices take ") + dispatch::name_of(type));
  }
}
/// The same of what the values of a matrix may be.
template <class F>
decltype(auto) with_matrix_type(element type, F&& f) {
  switch (type) {
    case element::i32:
      return f(std::type_identity<std::int32_t>{});
    case element::i64:
      return f(std::type_identity<std::int64_t>{});
    case element::f32:
      return f(std::type_identity<float>{});
    case element::f64:
      return f(std::type_identity<double>{});
    case element::c64:
      return f(std::type_identity<std::complex<float>>{});
    case element::c128:
      return f(std::type_identity<std::complex<double>>{});
    default:
      throw error(std::string("no matrix has values of ") + dispatch::name_of(type));
  }
}

/// The same of any type.
template <class F>
decltype(auto) with_any_type(element type, F&& f) {
  if (!dispatch::is_complex(type)) return with_type(type, f);
  return type == element::c64 ? f(std::type_identity<std::complex<float>>{}) : f(std::type_identity<std::complex<double>>{});
}

/// What Matrix Market calls it.
constexpr char const* market_field_of(element type) {
  return dispatch::is_complex(type) ? "complex" : dispatch::is_float(type) ? "real" : "integer";
}

template <class T>
constexpr element element_of() {
  if constexpr (std::is_same_v<T, float>) return element::f32;
  else if constexpr (std::is_same_v<T, double>) return element::f64;
  else if constexpr (std::is_same_v<T, std::complex<float>>) return element::c64;
  else if constexpr (std::is_same_v<T, std::complex<double>>) return element::c128;
  else {
    constexpr int power = sizeof(T) == 1 ? 0 : sizeof(T) == 2 ? 1 : sizeof(T) == 4 ? 2 : 3;
    return static_cast<element>(power + (std::is_signed_v<T> ? 0 : 4));
  }
}

inline constexpr element all_elements[] = {element::i8,  element::i16, element::i32, element::i64, element::u8,
                                           element::u16, element::u32, element::u64, element::f32, element::f64};
inline constexpr char const* all_element_names = "i8, i16, i32, i64, u8, u16, u32, u64, f32, f64";

inline constexpr char const* vector_element_names = "i8, i16, i32, i64, u8, u16, u32, u64, f32, f64, c64, c128";

inline std::optional<element> element_named(std::string_view name) {
  for (element type : all_elements)
    if (name == dispatch::name_of(type)) return type;
  return {};
}
/// Complex ones too.
inline std::optional<element> vector_element_named(std::string_view name) {
  for (element type : {element::c64, element::c128})
    if (name == dispatch::name_of(type)) return type;
  return element_named(name);
}

}  // namespace lookback::app
