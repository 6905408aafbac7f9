// The sparse matrices that commands take from files.
#pragma once
#include <string>
#include <vector>

#include "array.hpp"

namespace lookback::app {

/// Compressed sparse rows in host memory: row r holds nonzeros [offsets[r], offsets[r + 1]). Columns of a row rise, each stands once;
/// explicit zeros stay.
///   offsets         rows + 1 of i32, of i64 where there are 2^31 nonzeros or more
///   column_indices  as many as values, of i32, of i64 where there are more than 2^31 columns
///   values          i64 of an integer file, f64 of a real one or a pattern (all 1), c128 of a complex one; a SciPy file's own type
struct matrix {
  index_t rows = 0, columns = 0;
  array offsets, column_indices, values;
  std::string from;                // file name, for messages
  std::vector<std::string> notes;  // what a reader has to tell of it, a line each

  index_t nonzeros() const { return values.n; }
};

}  // namespace lookback::app
