// Complex numbers that device code may use without --expt-relaxed-constexpr. Their layout is that of std::complex.
#pragma once
#include <complex>
#include <type_traits>

#include "fn.hpp"

namespace lookback {

template <class T>
struct complex {
  T real{}, imaginary{};
  complex() = default;
  LOOKBACK_FN complex(T real_part, T imaginary_part = T{}) : real{real_part}, imaginary{imaginary_part} {}
  friend LOOKBACK_FN complex operator+(complex a, complex b) { return {a.real + b.real, a.imaginary + b.imaginary}; }
  friend LOOKBACK_FN complex operator*(complex a, complex b) {
    return {a.real * b.real - a.imaginary * b.imaginary, a.real * b.imaginary + a.imaginary * b.real};
  }
  friend LOOKBACK_FN bool operator==(complex a, complex b) { return a.real == b.real && a.imaginary == b.imaginary; }
};

namespace detail {
template <class T>
struct inside_type {
  using type = T;
};
template <class T>
struct inside_type<std::complex<T>> {
  using type = complex<T>;
};
}  // namespace detail

/// What the library computes with where a caller has T: its own complex for std::complex, else T.
template <class T>
using inside_t = typename detail::inside_type<T>::type;

/// The same elements as the library sees them.
template <class T>
inside_t<T> const* inside(T const* data) {
  static_assert(sizeof(inside_t<T>) == sizeof(T) && alignof(inside_t<T>) == alignof(T));
  return reinterpret_cast<inside_t<T> const*>(data);
}
template <class T>
requires(!std::is_const_v<T>) inside_t<T>
*inside(T* data) {
  static_assert(sizeof(inside_t<T>) == sizeof(T) && alignof(inside_t<T>) == alignof(T));
  return reinterpret_cast<inside_t<T>*>(data);
}

}  // namespace lookback
