// Sparse matrices of the benchmarks, as the program's generators make them, and what their product with a vector must be.
#pragma once
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <io/matrix.hpp>
#include <limits>
#include <stdexcept>
#include <string>
#include <vector>

#include "verify.hpp"

namespace bench {

/// Compressed rows, see csr_view.
template <class T>
struct sparse {
  std::size_t columns;
  std::vector<std::int32_t> offsets, column_indices;
  std::vector<T> values;
  std::size_t rows() const { return offsets.size() - 1; }
};

template <class T>
std::vector<T> elements_of(lookback::app::array const& a) {
  if (a.type != lookback::app::element_of<T>()) throw std::runtime_error("a matrix of another type");
  auto const all = a.as<T>();
  return {all.begin(), all.end()};
}
template <class T>
sparse<T> sparse_of(lookback::app::matrix const& a) {
  return {static_cast<std::size_t>(a.columns), elements_of<std::int32_t>(a.offsets), elements_of<std::int32_t>(a.column_indices),
          elements_of<T>(a.values)};
}

/// Throws unless `got` is a times x, looked at row by row up to so many nonzeros: each within the bound of any order of summation.
template <class T>
void expect_product(sparse<T> const& a, std::vector<T> const& x, std::vector<T> const& got) {
  for (std::size_t row = 0; row < a.rows() && static_cast<std::size_t>(a.offsets[row]) < verified_items; ++row) {
    long double want = 0, magnitude = 0;
    for (auto k = static_cast<std::size_t>(a.offsets[row]); k < static_cast<std::size_t>(a.offsets[row + 1]); ++k) {
      long double const product = static_cast<long double>(a.values[k]) * x[static_cast<std::size_t>(a.column_indices[k])];
      want += product, magnitude += std::abs(product);
    }
    auto const terms = static_cast<long double>(2 + std::sqrt(static_cast<double>(a.offsets[row + 1] - a.offsets[row])));
    if (!(std::abs(got[row] - want) <= terms * std::numeric_limits<T>::epsilon() * magnitude))
      throw std::runtime_error("wrong result in row " + std::to_string(row));
  }
}

}  // namespace bench
