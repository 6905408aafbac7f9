// Eigen's sparse products, in a file of its own: only that is compiled with OpenMP.
#pragma once
#include <cstdint>

namespace bench {

/// y = A x of compressed rows, by so many threads, each on a CPU of its own.
template <class T>
void eigen_spmv(std::int64_t rows, std::int64_t columns, std::int32_t const* offsets, std::int32_t const* column_indices,
                T const* values, T const* x, T* y, int threads);

/// Y = A X for K vectors, row by row.
template <class T, int K>
void eigen_spmm(std::int64_t rows, std::int64_t columns, std::int32_t const* offsets, std::int32_t const* column_indices,
                T const* values, T const* x, T* y, int threads);

}  // namespace bench
