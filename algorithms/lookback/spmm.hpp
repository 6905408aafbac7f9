// A sparse matrix times a few vectors at once, which read the matrix once together.
//
//   lookback::spmm<4>(on, lookback::csr_view{rows, columns, offsets, column_indices, values}, x, y);
//   lookback::spmm<4>(on, matrix, x, y, alpha, beta);                               // Y = alpha A X + beta Y
//   lookback::spmm<4>(on, matrix, x, y, lookback::min_plus<float>{});               // over any semiring
#pragma once
#include <lookback/csr_products.hpp>
#include <lookback/lanes.hpp>
#include <lookback/spmv.hpp>

namespace lookback {

namespace detail {

/// The semiring of rows of K numbers: the matrix has single ones.
template <int K, class Ring>
auto lanes_of_ring(Ring const& ring) {
  using add = std::remove_cvref_t<decltype(ring.add)>;
  using multiply = one_by_lanes<std::remove_cvref_t<decltype(ring.multiply)>, added_t<Ring>, K>;
  return semiring<lanes_of<add, K>, multiply>{{ring.add}, {ring.multiply}};
}

template <int K, class T>
auto* rows_of_lanes(T* data) {
  using row = lanes<inside_t<std::remove_const_t<T>>, K>;
  static_assert(sizeof(row) == K * sizeof(T) && alignof(row) == alignof(T));
  return reinterpret_cast<std::conditional_t<std::is_const_v<T>, row const, row>*>(data);
}

template <int K, policy On, class Value, class Column, class Offset, contiguous X, class Y, class Ring, class F>
void multiply_rows_of_lanes(On const& on, csr_view<Value, Column, Offset> const& a, X const& x, Y* y, index_t y_size,
                            Ring const& ring, F const& f) {
  static_assert(std::is_same_v<typename On::carry_type, no_carry>, "spmm has no carry: cut the matrix between rows");
  auto const from = input_of(on, x, "x");
  expects_size(from.size.bound / K, a.columns, "x has K elements for every column, in rows of K");
  expects_size(y_size / K, a.rows, "y has K elements for every row, in rows of K");
  sum_products(on, a, rows_of_lanes<K>(from.items.data), y, ring, f);
}

}  // namespace detail

/// Y = A X for K vectors: y[r * K + k] is what spmv gives for row r and the vector x[k], x[K + k], x[2 K + k] ... One read of the
/// matrix serves all of them.
///
///   K   1 to 16, known to the compiler
///   a   see csr_view; arrays readable where `on` runs
///   x   at least a.columns * K elements, dense, row by row, of the types that spmv takes
///   y   at least a.rows * K elements in the same order, apart from x and the matrix
///
/// Rows of any length cost what their nonzeros and their results cost, as in spmv. With `reproducible` floats have the same bits on
/// every run, thread count, SIMD level and back end, as there; another K is another width, and has other bits. Where K numbers have
/// more than 16 bytes, that needs GPU code for sm_90 to sm_110 alone, and is refused by any other.
///
/// Cost:   one pass over the matrix; reads K elements of x a nonzero, from caches where it can; scratch O(tiles).
/// Throws: invalid_argument for sizes that do not match, overlaps and right_to_left; out_of_memory; device_error.
/// Source: as spmv; a row of X is one value of the scan, whose operator works on each of its numbers.
template <int K, policy On, class Value, class Column, class Offset, bool OnHost, contiguous X, writable_range Y, is_semiring Ring>
void spmm(On const& on, csr_view<Value, Column, Offset, OnHost> const& a, X const& x, Y&& y, Ring const& ring) {
  static_assert(K >= 1 && K <= 16, "spmm multiplies a matrix by 1 to 16 vectors");
  detail::expects_no_host_container<On, OnHost>();
  auto const to = detail::output_of(on, y, "y");
  if constexpr (K == 1) spmv(on, a, x, y, ring);
  else
    detail::multiply_rows_of_lanes<K>(on, a, x, detail::rows_of_lanes<K>(to.data), to.size, detail::lanes_of_ring<K>(ring),
                                      as_it_is{});
}
template <int K, policy On, class Value, class Column, class Offset, bool OnHost, contiguous X, writable_range Y>
void spmm(On const& on, csr_view<Value, Column, Offset, OnHost> const& a, X const& x, Y&& y) {
  spmm<K>(on, a, x, y, typename detail::ordinary<Value, value_t<X>>::ring{});
}

/// Y = alpha A X + beta Y, over the semiring. Where beta is what adds nothing (0; of min_plus infinity), Y is not read; A and X
/// are, whatever alpha.
template <int K, policy On, class Value, class Column, class Offset, bool OnHost, contiguous X, writable_range Y, class Scalar,
          is_semiring Ring>
void spmm(On const& on, csr_view<Value, Column, Offset, OnHost> const& a, X const& x, Y&& y, Scalar const& alpha,
          Scalar const& beta, Ring const& ring) {
  static_assert(K >= 1 && K <= 16, "spmm multiplies a matrix by 1 to 16 vectors");
  detail::expects_no_host_container<On, OnHost>();
  if constexpr (K == 1) return spmv(on, a, x, y, alpha, beta, ring);
  else {
    auto const to = detail::output_of(on, y, "y");
    auto* const out = detail::rows_of_lanes<K>(to.data);
    auto const rings = detail::lanes_of_ring<K>(ring);
    detail::multiply_rows_of_lanes<K>(on, a, x, out, to.size, rings,
                                      detail::scaled_by(on, out, *inside(&alpha), *inside(&beta), ring.add, rings));
  }
}
template <int K, policy On, class Value, class Column, class Offset, bool OnHost, contiguous X, writable_range Y>
void spmm(On const& on, csr_view<Value, Column, Offset, OnHost> const& a, X const& x, Y&& y,
          std::type_identity_t<std::common_type_t<Value, value_t<X>>> const& alpha,
          std::type_identity_t<std::common_type_t<Value, value_t<X>>> const& beta) {
  spmm<K>(on, a, x, y, alpha, beta, typename detail::ordinary<Value, value_t<X>>::ring{});
}

}  // namespace lookback
