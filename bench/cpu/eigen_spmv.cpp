#include "eigen_spmv.hpp"

#include <omp.h>
#include <sched.h>

#include <Eigen/Sparse>

namespace bench {

namespace {

/// Threads of OpenMP begin on the CPU of the thread that makes them, which is pinned.
void pin_threads(int threads) {
  static int pinned = 1;
  if (threads <= pinned) return;
  pinned = threads;
#pragma omp parallel num_threads(threads)
  {
    cpu_set_t set;
    CPU_ZERO(&set);
    CPU_SET(static_cast<unsigned>(omp_get_thread_num()), &set);
    sched_setaffinity(0, sizeof set, &set);
  }
}

/// Y = A X, of columns that Vectors says.
template <class Vectors, class T>
void multiply(std::int64_t rows, std::int64_t columns, std::int32_t const* offsets, std::int32_t const* column_indices,
              T const* values, T const* x, T* y, int threads) {
  using matrix = Eigen::SparseMatrix<T, Eigen::RowMajor, std::int32_t>;
  pin_threads(threads);
  Eigen::setNbThreads(threads);
  Eigen::Map<matrix const> const a(rows, columns, offsets[rows], offsets, column_indices, values);
  Eigen::Map<Vectors>(y, rows, Vectors::ColsAtCompileTime).noalias() =
      a * Eigen::Map<Vectors const>(x, columns, Vectors::ColsAtCompileTime);
}

}  // namespace

template <class T>
void eigen_spmv(std::int64_t rows, std::int64_t columns, std::int32_t const* offsets, std::int32_t const* column_indices,
                T const* values, T const* x, T* y, int threads) {
  multiply<Eigen::Matrix<T, Eigen::Dynamic, 1>>(rows, columns, offsets, column_indices, values, x, y, threads);
}
template <class T, int K>
void eigen_spmm(std::int64_t rows, std::int64_t columns, std::int32_t const* offsets, std::int32_t const* column_indices,
                T const* values, T const* x, T* y, int threads) {
  multiply<Eigen::Matrix<T, Eigen::Dynamic, K, Eigen::RowMajor>>(rows, columns, offsets, column_indices, values, x, y, threads);
}

template void eigen_spmv(std::int64_t, std::int64_t, std::int32_t const*, std::int32_t const*, float const*, float const*, float*,
                         int);
template void eigen_spmv(std::int64_t, std::int64_t, std::int32_t const*, std::int32_t const*, double const*, double const*,
                         double*, int);

template void eigen_spmm<float, 2>(std::int64_t, std::int64_t, std::int32_t const*, std::int32_t const*, float const*, float const*,
                                   float*, int);
template void eigen_spmm<float, 4>(std::int64_t, std::int64_t, std::int32_t const*, std::int32_t const*, float const*, float const*,
                                   float*, int);
template void eigen_spmm<float, 8>(std::int64_t, std::int64_t, std::int32_t const*, std::int32_t const*, float const*, float const*,
                                   float*, int);
template void eigen_spmm<double, 2>(std::int64_t, std::int64_t, std::int32_t const*, std::int32_t const*, double const*,
                                    double const*, double*, int);
template void eigen_spmm<double, 4>(std::int64_t, std::int64_t, std::int32_t const*, std::int32_t const*, double const*,
                                    double const*, double*, int);
template void eigen_spmm<double, 8>(std::int64_t, std::int64_t, std::int32_t const*, std::int32_t const*, double const*,
                                    double const*, double*, int);

}  // namespace bench
