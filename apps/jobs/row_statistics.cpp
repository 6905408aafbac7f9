#include "row_statistics.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

#include "io/matrix_rows.hpp"
#include "report/table.hpp"

namespace lookback::app {

row_statistics statistics_of_rows(array const& offsets) {
  row_statistics made;
  index_t const rows = offsets.n - 1;
  if (rows == 0) return made;
  std::vector<index_t> lengths(static_cast<std::size_t>(rows));
  for (index_t r = 0; r < rows; ++r) lengths[static_cast<std::size_t>(r)] = offset_at(offsets, r + 1) - offset_at(offsets, r);
  made.mean = static_cast<double>(offset_at(offsets, rows)) / static_cast<double>(rows);
  double squares = 0;
  for (index_t const length : lengths) {
    double const off = static_cast<double>(length) - made.mean;
    squares += off * off;
    made.empty += length == 0;
  }
  if (made.mean > 0) made.variation = std::sqrt(squares / static_cast<double>(rows)) / made.mean;
  auto const middle = lengths.begin() + rows / 2;
  std::nth_element(lengths.begin(), middle, lengths.end());
  made.median = static_cast<double>(*middle);
  if (rows % 2 == 0) made.median = (made.median + static_cast<double>(*std::max_element(lengths.begin(), middle))) / 2;
  auto const [shortest, longest] = std::minmax_element(lengths.begin(), lengths.end());
  made.shortest = *shortest, made.longest = *longest;
  return made;
}

std::string text_of(row_statistics const& of, index_t rows) {
  double const share = rows > 0 ? 100 * static_cast<double>(of.empty) / static_cast<double>(rows) : 0;
  return "rows of " + grouped(of.shortest) + " to " + grouped(of.longest) + " nonzeros, mean " + fixed_text(of.mean, 2) +
         ", median " + fixed_text(of.median, 1) + ", cv " + fixed_text(of.variation, 2) + ", " + fixed_text(share, 1) + " % empty";
}

}  // namespace lookback::app
