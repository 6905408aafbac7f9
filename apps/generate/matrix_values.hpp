// Random numbers as values of generated matrices.
#pragma once
#include <optional>
#include <string_view>

#include "matrix_generators.hpp"
#include "random.hpp"

namespace lookback::app {

/// What is drawn by one seed for several purposes has a seed of its own for each.
enum class purpose : std::uint64_t { lengths = 1, columns, values, labels, order, long_row, dense_lines };
constexpr std::uint64_t seed_for(purpose what, std::uint64_t seed) { return random_word(seed, ~static_cast<std::uint64_t>(what)); }

/// See generation::type.
template <class T>
T value_from(std::uint64_t word) {
  if constexpr (!std::is_arithmetic_v<T>) {
    using part = typename T::value_type;
    return {value_from<part>(word), value_from<part>(random_word(word, 0))};
  } else if constexpr (std::is_same_v<T, float>) {
    return static_cast<float>(word >> 40) * 0x1p-23f - 1;
  } else if constexpr (std::is_same_v<T, double>) {
    return static_cast<double>(word >> 11) * 0x1p-52 - 1;
  } else {
    auto const k = static_cast<T>(wide_word{word} * 18 >> 64);
    return static_cast<T>(k < 9 ? k - 9 : k - 8);
  }
}

inline constexpr char const* value_type_names = "f32, f64, i32, i64, c64 or c128";
/// The type of generated values that has this name.
std::optional<element> value_type_named(std::string_view name);
/// Throws usage_error unless generated values can have this type.
void expect_value_type(element type);

/// Calls f(std::type_identity<T>{}) with the type of generated values.
template <class F>
void with_value_type(element type, F&& f) {
  expect_value_type(type);
  with_matrix_type(type, f);
}

/// Gives every nonzero a value by its position.
void draw_values(matrix& of, generation const& how);
/// `diagonal` there and -1 beside it.
void set_stencil_values(matrix& of, int diagonal, generation const& how);

}  // namespace lookback::app
