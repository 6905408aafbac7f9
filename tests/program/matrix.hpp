// What tests of generated matrices look at.
#pragma once
#include <cmath>
#include <map>
#include <numeric>

#include "io/matrix_rows.hpp"
#include "program.hpp"

using namespace lookback;
using namespace lookback::app;

/// A matrix as plain vectors; of complex values `values` are the real parts.
struct rows_of {
  std::vector<index_t> offsets, columns;
  std::vector<double> values, imaginary;

  explicit rows_of(matrix const& of) {
    for (index_t r = 0; r <= of.rows; ++r) offsets.push_back(offset_at(of, r));
    with_columns(of, [&](auto const* from) { columns.assign(from, from + of.nonzeros()); });
    with_value_type(of.values.type, [&]<class T>(std::type_identity<T>) {
      for (T const x : of.values.as<T>())
        if constexpr (std::is_arithmetic_v<T>) values.push_back(static_cast<double>(x));
        else values.push_back(x.real()), imaginary.push_back(x.imag());
    });
  }
  index_t length(std::size_t r) const { return offsets[r + 1] - offsets[r]; }
  std::vector<index_t> lengths() const {
    std::vector<index_t> all;
    for (std::size_t r = 0; r + 1 < offsets.size(); ++r) all.push_back(length(r));
    return all;
  }
  std::map<std::pair<index_t, index_t>, double> entries() const {
    std::map<std::pair<index_t, index_t>, double> all;
    for (std::size_t r = 0; r + 1 < offsets.size(); ++r)
      for (auto k = static_cast<std::size_t>(offsets[r]); k < static_cast<std::size_t>(offsets[r + 1]); ++k)
        all[{static_cast<index_t>(r), columns[k]}] += values[k];
    return all;
  }
};

/// Checks what every matrix must be, and gives its rows. Rises: 1 strictly, 0 not falling, -1 any order.
inline rows_of checked(matrix const& of, int rises = 1) {
  rows_of const rows(of);
  EXPECT_EQ(of.offsets.n, of.rows + 1);
  EXPECT_EQ(of.column_indices.n, of.nonzeros());
  EXPECT_EQ(rows.offsets.front(), 0);
  EXPECT_EQ(rows.offsets.back(), of.nonzeros());
  for (std::size_t r = 0; r + 1 < rows.offsets.size(); ++r) {
    EXPECT_LE(rows.offsets[r], rows.offsets[r + 1]);
    for (index_t k = rows.offsets[r]; k < rows.offsets[r + 1]; ++k) {
      auto const column = rows.columns[static_cast<std::size_t>(k)];
      EXPECT_TRUE(column >= 0 && column < of.columns) << column;
      if (k > rows.offsets[r] && rises >= 0) {
        EXPECT_GE(column, rows.columns[static_cast<std::size_t>(k) - 1] + rises) << "row " << r;
      }
    }
    if (::testing::Test::HasFailure()) break;
  }
  return rows;
}

inline std::string bytes_of(matrix const& m) {
  std::string all = std::to_string(m.rows) + " " + std::to_string(m.columns);
  for (auto const* part : {&m.offsets, &m.column_indices, &m.values})
    all += dispatch::name_of(part->type) + std::string(reinterpret_cast<char const*>(part->data), part->bytes());
  return all;
}

inline double mean_of(std::vector<index_t> const& of) {
  return static_cast<double>(std::accumulate(of.begin(), of.end(), index_t{0})) / static_cast<double>(of.size());
}
inline double variation_of_lengths(std::vector<index_t> const& of) {
  double const mean = mean_of(of);
  double sum = 0;
  for (auto const x : of) sum += (static_cast<double>(x) - mean) * (static_cast<double>(x) - mean);
  return std::sqrt(sum / static_cast<double>(of.size())) / mean;
}
