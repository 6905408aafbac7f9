// What a product of matrices is made of: an operator that adds, with an identity, and one that multiplies.
#pragma once
#include <concepts>
#include <lookback/operators.hpp>

namespace lookback {

/// `add` is associative and has identity(), what an empty row gives; `multiply(a, x)` of an element of the matrix and one of the
/// vector gives what is added. Any two function objects will do of which the first has a value_type too. GraphBLAS names these so.
template <class Add, class Multiply>
struct semiring {
  Add add;
  Multiply multiply;
};

/// Ordinary products; integers wrap, or for or-and on bits.
template <class T>
struct plus_times : semiring<plus<T>, multiplies<T>> {};
/// Shortest paths, one edge further: an absent edge is infinitely long, which no integer is.
template <std::floating_point T>
struct min_plus : semiring<minimum<T>, plus<T>> {};
/// The most likely path. A row without entries gives what the maximum of nothing is, -infinity or the lowest integer, and no 0.
template <class T>
struct max_times : semiring<maximum<T>, multiplies<T>> {};
/// Who is reached, one edge further.
template <std::integral T>
struct or_and : semiring<bit_or<T>, bit_and<T>> {};

template <class R>
concept is_semiring = requires(R const& r) {
  r.add;
  r.multiply;
  std::remove_cvref_t<decltype(r.add)>::identity();
  typename std::remove_cvref_t<decltype(r.add)>::value_type;
};

}  // namespace lookback
