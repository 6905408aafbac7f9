#include "matrix_vector.hpp"

#include <algorithm>
#include <limits>

#include "io/memory_left.hpp"

namespace lookback::app {

namespace {

template <class T>
inline constexpr bool is_complex_number = !std::is_arithmetic_v<T>;

template <class To, class From>
To number_as(From value) {
  if constexpr (is_complex_number<From>) return To(value);
  else if constexpr (is_complex_number<To>) return To(static_cast<typename To::value_type>(value));
  else return static_cast<To>(value);
}

// Integers stay themselves in 4 bytes with a sign.
bool fits_i32(element type) { return dispatch::size_of(type) < 4 || type == element::i32; }

}  // namespace

element product_type(std::initializer_list<std::optional<element>> parts, std::optional<element> precision) {
  bool any_complex = false, all_integer = true, all_single = true, all_narrow = true;
  for (auto const& part : parts) {
    if (!part) continue;
    any_complex |= dispatch::is_complex(*part);
    all_integer &= !dispatch::is_float(*part) && !dispatch::is_complex(*part);
    all_single &= *part == element::f32 || *part == element::c64;
    all_narrow &= fits_i32(*part);
  }
  if (!precision && all_integer) return all_narrow ? element::i32 : element::i64;
  bool const single = precision ? *precision == element::f32 : all_single;
  if (any_complex) return single ? element::c64 : element::c128;
  return single ? element::f32 : element::f64;
}

array as_product_type(array from, element to) {
  if (from.type == to) return from;
  expect_memory(from.from, grouped(from.n) + " elements of " + dispatch::name_of(to), static_cast<std::size_t>(from.n),
                dispatch::size_of(to));
  array made = make_array(to, from.n);
  made.shape = from.shape, made.from = from.from, made.column = from.column;
  with_any_type(from.type, [&]<class From>(std::type_identity<From>) {
    with_matrix_type(to, [&]<class To>(std::type_identity<To>) {
      if constexpr ((is_complex_number<From> && !is_complex_number<To>) ||
                    (std::is_floating_point_v<From> && std::is_integral_v<To>)) {
        throw error("internal error: a product is computed in a narrower type than its operands");
      } else {
        std::ranges::transform(from.as<From>(), made.memory.as<To>(), number_as<To, From>);
      }
    });
  });
  return made;
}

array narrowed_indices(array from, index_t largest) {
  if (from.type == element::i32 || largest > std::numeric_limits<std::int32_t>::max()) return from;
  array made = make_array(element::i32, from.n);
  made.from = from.from;
  auto const in = from.as<std::int64_t>();
  auto* const out = made.memory.as<std::int32_t>();
  for (std::size_t k = 0; k < in.size(); ++k) out[k] = static_cast<std::int32_t>(in[k]);
  return made;
}

array counted_vector(element type, index_t n) {
  array made = make_array(type, n);
  with_matrix_type(type, [&]<class T>(std::type_identity<T>) {
    T* const out = made.memory.as<T>();
    for (index_t j = 0; j < n; ++j) out[j] = number_as<T>(static_cast<std::int32_t>(1 + j % 7));
  });
  return made;
}

}  // namespace lookback::app
