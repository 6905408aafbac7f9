// Arrays to files, in the format that the file's name says.
#pragma once
#include <functional>
#include <numeric>
#include <string>
#include <vector>

#include "array.hpp"
#include "output_file.hpp"

namespace lookback::app {

/// What is written: a view of its elements.
struct array_view {
  element type;
  std::vector<index_t> shape;
  std::byte const* data;
  std::string column;  // header of the text column; none where empty
  /// How many elements that shape has.
  index_t count() const { return std::accumulate(shape.begin(), shape.end(), index_t{1}, std::multiplies<>{}); }
};

/// Throws usage_error for a name that promises what arrays are not written as: .npz and .gz, which readers would take for one.
void expect_array_name(std::string const& path);

/// Writes the array, as text by `threads` of them (0: one per core), and finishes the file; commit() is the caller's.
///   .npy         version 1.0, little endian, C order, with its shape
///   .csv, .tsv   one line per item of the first dimensions, the last dimension side by side if there are two or more
///   .mtx         Matrix Market, an array of one column, or of as many as the last dimension of two or more
///   other names  the elements themselves, little endian
void write_array(output_file& out, array_view const& values, int threads = 0);

}  // namespace lookback::app
