// Sparse matrices from files of every kind that the program knows, chosen by the file's name.
#pragma once
#include <string>

#include "matrix.hpp"
#include "read_array.hpp"
#include "workers.hpp"

namespace lookback::app {

/// The matrix in file `path`:
///   .mtx     Matrix Market
///   .mtx.gz  the same, compressed
///   .npz     SciPy's, in format csr
/// Throws no_input, bad_data, usage_error for other names, out_of_memory. Adds to `times`.
matrix read_matrix(std::string const& path, input_reading* times = nullptr, reading const& how = {});

/// The vector in a Matrix Market file, .mtx or .mtx.gz.
array read_vector(std::string const& path, input_reading* times = nullptr, reading const& how = {});

/// Does a name say Matrix Market: .mtx or .mtx.gz?
bool names_matrix_market(std::string const& path);

}  // namespace lookback::app
