// The sparse matrices that commands take from files.
#pragma once
#include <string>
#include <vector>

#include "array.hpp"

namespace lookback::app {

/// Compressed sparse rows in host memory: row r holds nonzeros [offsets[r], offsets[r + 1]), and explicit zeros among them. Of a
/// Matrix Market file columns of a row rise, and each stands once; of a SciPy file they stand as they do there, in any order, a
/// column of a row perhaps several times, which stands for the sum.
///   offsets         rows + 1 of i32 or i64: the smaller where there are surely fewer than 2^31 nonzeros; of a SciPy file its own
///   column_indices  as many as values, of i32 or i64: the smaller unless rows or columns are more than 2^31; of a SciPy file its
///                   own
///   values          i64 of an integer file, f64 of a real one or a pattern (all 1), c128 of a complex one; of a SciPy file its
///                   own of i32, i64, f32, f64, c64, c128, the smaller integers and bool as i32, u32 and u64 as i64
struct matrix {
  index_t rows = 0, columns = 0;
  array offsets, column_indices, values;
  input_file file;                 // of which arrays without memory of their own are views
  std::string from;                // file name, for messages
  std::vector<std::string> notes;  // what a reader has to tell of it, a line each

  index_t nonzeros() const { return values.n; }
};

}  // namespace lookback::app
