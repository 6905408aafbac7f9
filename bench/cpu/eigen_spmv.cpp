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

}  // namespace

template <class T>
void eigen_spmv(std::int64_t rows, std::int64_t columns, std::int32_t const* offsets, std::int32_t const* column_indices,
                T const* values, T const* x, T* y, int threads) {
  using matrix = Eigen::SparseMatrix<T, Eigen::RowMajor, std::int32_t>;
  using vector = Eigen::Matrix<T, Eigen::Dynamic, 1>;
  pin_threads(threads);
  Eigen::setNbThreads(threads);
  Eigen::Map<matrix const> const a(rows, columns, offsets[rows], offsets, column_indices, values);
  Eigen::Map<vector>(y, rows).noalias() = a * Eigen::Map<vector const>(x, columns);
}

template void eigen_spmv(std::int64_t, std::int64_t, std::int32_t const*, std::int32_t const*, float const*, float const*, float*,
                         int);
template void eigen_spmv(std::int64_t, std::int64_t, std::int32_t const*, std::int32_t const*, double const*, double const*,
                         double*, int);

}  // namespace bench
