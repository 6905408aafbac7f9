// Compiled with OpenMP. No other unit may see Eigen: the linker would take either's code for both.
#include <Eigen/SparseCore>
#include <complex>
#if defined(_OPENMP)
#include <omp.h>
#endif

#include "spmv_eigen.hpp"
#include "spmv_tables.hpp"

namespace lookback::dispatch {

namespace {

template <class T>
T factor(void const* at, T otherwise) {
  return at ? *static_cast<T const*>(at) : otherwise;
}

template <class T>
void multiply_maps(spmv_request const& r) {
  using matrix = Eigen::Map<Eigen::SparseMatrix<T, Eigen::RowMajor, std::int32_t> const>;
  using vector = Eigen::Matrix<T, Eigen::Dynamic, 1>;
  matrix const a(r.rows, r.columns, r.nonzeros, static_cast<std::int32_t const*>(r.offsets),
                 static_cast<std::int32_t const*>(r.column_indices), static_cast<T const*>(r.values));
  Eigen::Map<vector const> const x(static_cast<T const*>(r.x), r.columns);
  Eigen::Map<vector> y(static_cast<T*>(r.y), r.rows);
  T const alpha = factor(r.alpha, T(1)), beta = factor(r.beta, T(0));
  if (is_plain<T>(r)) {
    y.noalias() = a * x;
    return;
  }
  // Not in one expression, of which Eigen makes (alpha a) x: that may leave the range where alpha (a x) does not.
  vector const sums = a * x;
  if (beta == T(0)) y = alpha * sums;
  else y = alpha * sums + beta * y;
}

template <class T>
void loop(spmv_request const& r) {
  auto const at = [](void const* data, element type, index_t k) -> index_t {
    return type == element::i32 ? static_cast<std::int32_t const*>(data)[k] : static_cast<std::int64_t const*>(data)[k];
  };
  auto const* const values = static_cast<T const*>(r.values);
  auto const* const x = static_cast<T const*>(r.x);
  auto* const y = static_cast<T*>(r.y);
  T const alpha = factor(r.alpha, T(1)), beta = factor(r.beta, T(0));
  auto const rows = [&](auto const* columns) {
    for (index_t row = 0; row < r.rows; ++row) {
      T sum{};
      index_t const end = at(r.offsets, r.offset_type, row + 1);
      for (index_t k = at(r.offsets, r.offset_type, row); k < end; ++k) sum += values[k] * x[columns[k]];
      if (!is_plain<T>(r)) sum = beta == T{} ? alpha * sum : alpha * sum + beta * y[row];
      y[row] = sum;
    }
  };
  if (r.column_type == element::i32) rows(static_cast<std::int32_t const*>(r.column_indices));
  else rows(static_cast<std::int64_t const*>(r.column_indices));
}

// Overflow of signed integers is nobody's: they are added as unsigned ones.
template <class F>
void with_type_of(spmv_request const& r, F f) {
  switch (r.type) {
    case element::i32:
      return f(std::uint32_t{});
    case element::i64:
      return f(std::uint64_t{});
    case element::f32:
      return f(float{});
    case element::f64:
      return f(double{});
    case element::c64:
      return f(std::complex<float>{});
    default:
      return f(std::complex<double>{});
  }
}

}  // namespace

bool eigen_takes(spmv_request const& r) { return r.offset_type == element::i32 && r.column_type == element::i32; }

bool eigen_has_threads() {
#if defined(_OPENMP)
  return true;
#else
  return false;
#endif
}

void end_eigen_threads() {
#if defined(_OPENMP)
  omp_pause_resource_all(omp_pause_soft);
#endif
}

void multiply_with_eigen(spmv_request const& r, int threads) {
  Eigen::setNbThreads(threads);
  with_type_of(r, [&]<class T>(T) { multiply_maps<T>(r); });
}

void multiply_with_loop(spmv_request const& r) {
  with_type_of(r, [&]<class T>(T) { loop<T>(r); });
}

}  // namespace lookback::dispatch
