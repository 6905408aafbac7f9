// Sparse matrices as SciPy saves them (scipy.sparse.save_npz): a zip archive of .npy arrays.
#pragma once
#include "matrix.hpp"
#include "workers.hpp"

namespace lookback::app {

/// The matrix of an archive in format csr: indptr.npy, indices.npy, data.npy, shape.npy and format.npy, stored or deflated. Arrays
/// stay as they are, views of the file where they are stored and aligned: columns of a row in any order, duplicates too. Values of
/// types that matrices do not have are converted, see matrix; bool counts as 0 and 1, as it does in NumPy's sums.
/// Everything is checked: CRC-32 of each member, offsets from 0 up to the number of nonzeros, columns below their number.
/// Throws bad_data naming file, array and item, with what is found and what was expected; out_of_memory.
matrix read_npz(input_file file, reading const& how = {});

}  // namespace lookback::app
