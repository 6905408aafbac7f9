// Sparse matrices to files, in the format that the file's name says.
#pragma once
#include "matrix.hpp"
#include "output_file.hpp"

namespace lookback::app {

/// Writes the matrix and finishes the file; commit() is the caller's.
///   .mtx  Matrix Market, coordinate general: integer, real or complex by the type of the values, the shortest text that reads back
///   .npz  as scipy.sparse.save_npz with compressed=False, so that it can be mapped
/// Throws usage_error for another name, io_error.
void write_matrix(output_file& out, matrix const& values, int threads = 0);

}  // namespace lookback::app
