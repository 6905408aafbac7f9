// A sparse matrix times a vector.
//
//   lookback::spmv(on, lookback::csr_view{rows, columns, offsets, column_indices, values}, x, y);
//   lookback::spmv(on, matrix, x, y, alpha, beta);                                  // y = alpha A x + beta y
//   lookback::spmv(on, matrix, x, y, lookback::min_plus<float>{});                  // over any semiring
#pragma once
#include <lookback/csr_products.hpp>

namespace lookback {

namespace detail {

template <class Value, class Column, class Offset>
void expects_product(csr_view<Value, Column, Offset> const& a, index_t x_size, index_t y_size) {
  expects_size(x_size, a.columns, "x has an element for every column");
  expects_size(y_size, a.rows, "y has an element for every row");
}

template <policy On, class Value, class Column, class Offset, class X, class Y, class Ring, class F>
void multiply_rows(On const& on, csr_view<Value, Column, Offset> const& a, X const* x, index_t x_size, Y* y, index_t y_size,
                   Ring const& ring, F const& f) {
  expects_product(a, x_size, y_size);
  sum_products(on, a, x, y, ring, f);
}

}  // namespace detail

/// y[r] is the sum over the nonzeros of row r of value * x[column]; 0 for an empty row. With a semiring its operators take the
/// place of + and *, and the identity of the first that of 0.
///
///   on  cpu::seq, cpu::on(threads), gpu::on(stream) ...; a GPU call only enqueues
///   a   see csr_view; arrays readable where `on` runs
///   x   at least a.columns elements, complex if the matrix is; a real matrix multiplies complex x of no fewer digits, as if
///       it had imaginary parts of 0
///   y   at least a.rows elements, apart from x and the matrix
///
/// Rows of any length cost what their nonzeros and their result cost: tiles divide nonzeros and rows evenly. Nothing is prepared.
/// With `reproducible` floats have the same bits on every run, thread count, SIMD level and back end: they depend on what is read
/// and on the widths of its types, and on nothing else (core/README.md).
///
/// Cost:   one pass over the matrix; reads x once a nonzero, from caches where it can; scratch O(tiles).
/// Throws: invalid_argument for sizes that do not match, overlaps and right_to_left; out_of_memory; device_error.
/// Source: Merrill & Garland, Merge-based Parallel Sparse Matrix-Vector Multiplication, SC 2016, for the division of work; the
///         carry of a row from tile to tile is the look-back's.
template <policy On, class Value, class Column, class Offset, bool OnHost, contiguous X, writable_range Y, is_semiring Ring>
void spmv(On const& on, csr_view<Value, Column, Offset, OnHost> const& a, X const& x, Y&& y, Ring const& ring) {
  detail::expects_no_host_container<On, OnHost>();
  auto const from = detail::input_of(on, x, "x");
  auto const to = detail::output_of(on, y, "y");
  detail::multiply_rows(on, a, inside(from.items.data), from.size.bound, inside(to.data), to.size, ring, as_it_is{});
}
template <policy On, class Value, class Column, class Offset, bool OnHost, contiguous X, writable_range Y>
void spmv(On const& on, csr_view<Value, Column, Offset, OnHost> const& a, X const& x, Y&& y) {
  spmv(on, a, x, y, typename detail::ordinary<Value, value_t<X>>::ring{});
}

/// y = alpha A x + beta y, over the semiring. Where beta is what adds nothing (0; of min_plus infinity), y is not read; A and x
/// are, whatever alpha.
template <policy On, class Value, class Column, class Offset, bool OnHost, contiguous X, writable_range Y, class Scalar,
          is_semiring Ring>
void spmv(On const& on, csr_view<Value, Column, Offset, OnHost> const& a, X const& x, Y&& y, Scalar const& alpha,
          Scalar const& beta, Ring const& ring) {
  detail::expects_no_host_container<On, OnHost>();
  auto const from = detail::input_of(on, x, "x");
  auto const to = detail::output_of(on, y, "y");
  auto* const out = inside(to.data);
  detail::multiply_rows(on, a, inside(from.items.data), from.size.bound, out, to.size, ring,
                        detail::scaled_by(on, out, *inside(&alpha), *inside(&beta), ring.add, ring));
}
template <policy On, class Value, class Column, class Offset, bool OnHost, contiguous X, writable_range Y>
void spmv(On const& on, csr_view<Value, Column, Offset, OnHost> const& a, X const& x, Y&& y,
          std::type_identity_t<std::common_type_t<Value, value_t<X>>> const& alpha,
          std::type_identity_t<std::common_type_t<Value, value_t<X>>> const& beta) {
  spmv(on, a, x, y, alpha, beta, typename detail::ordinary<Value, value_t<X>>::ring{});
}

}  // namespace lookback
