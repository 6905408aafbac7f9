// What a matrix and vectors from files become before they are multiplied: elements of one type.
#pragma once
#include <initializer_list>
#include <optional>

#include "io/matrix.hpp"

namespace lookback::app {

/// The type in which a product is computed, of what takes part:
///   integers alone    i32 if all have 4 bytes or fewer, with sign at that width, else i64; sums wrap
///   otherwise         f64, or f32 if all are f32; c128 and c64 where anything is complex
///   with `precision`  f32 or f64, c64 or c128
element product_type(std::initializer_list<std::optional<element>> parts, std::optional<element> precision);

/// The same numbers as elements of `to`, a type of matrices: integers wrap, real numbers become complex. An array that has the type
/// already stays where it is. Never from complex to real, or from floats to integers.
array as_product_type(array from, element to);

/// Indices in 4 bytes if none is larger than `largest`, which then fits; the same array where they have 4 bytes already.
array narrowed_indices(array from, index_t largest);

/// 1 + j mod 7 at every place j: what a vector is that nobody names.
array counted_vector(element type, index_t n);

}  // namespace lookback::app
