// Random numbers as values of generated matrices.
#pragma once
#include "matrix_generators.hpp"
#include "random.hpp"

namespace lookback::app {

/// What is drawn by one seed for several purposes has a seed of its own for each.
enum class purpose : std::uint64_t { lengths = 1, columns, values, labels, order, long_row };
constexpr std::uint64_t seed_for(purpose what, std::uint64_t seed) { return random_word(seed, ~static_cast<std::uint64_t>(what)); }

/// See generation::type.
template <class T>
T value_from(std::uint64_t word) {
  if constexpr (std::is_same_v<T, float>) return static_cast<float>(word >> 40) * 0x1p-23f - 1;
  else if constexpr (std::is_same_v<T, double>) return static_cast<double>(word >> 11) * 0x1p-52 - 1;
  else {
    auto const k = static_cast<T>(wide_word{word} * 18 >> 64);
    return static_cast<T>(k < 9 ? k - 9 : k - 8);
  }
}

/// Throws usage_error unless generated values can have this type.
void expect_value_type(element type);

/// Calls f(std::type_identity<T>{}) with the type of generated values.
template <class F>
void with_value_type(element type, F&& f) {
  expect_value_type(type);
  with_matrix_type(type, [&]<class T>(std::type_identity<T> of) {
    if constexpr (std::is_arithmetic_v<T>) f(of);
  });
}

/// Gives every nonzero a value by its position.
void draw_values(matrix& of, generation const& how);
/// `diagonal` there and -1 beside it.
void set_stencil_values(matrix& of, int diagonal, generation const& how);

}  // namespace lookback::app
