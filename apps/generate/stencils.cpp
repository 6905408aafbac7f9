// Matrices whose entries follow from their place: grids, bands, everything.
#include <numeric>

#include "grid.hpp"
#include "io/matrix_rows.hpp"

namespace lookback::app {

namespace {

matrix stencil_matrix(grid const& points, int diagonal, generation const& how) {
  index_t const rows = points.width * points.height * points.depth;
  auto made = matrix_of_rows(
      rows, rows, how, [&](index_t row) { return points.neighbours(row); },
      [&](index_t row, auto columns) { points.fill(row, columns); });
  set_stencil_values(made, diagonal, how);
  return made;
}

// Rows that are runs of columns [begin_of(row), end_of(row)).
template <class Begin, class End>
matrix runs_of_columns(index_t rows, index_t columns, generation const& how, Begin const& begin_of, End const& end_of) {
  auto made = matrix_of_rows(
      rows, columns, how, [&](index_t row) { return end_of(row) - begin_of(row); },
      [&](index_t row, auto out) {
        using column = typename decltype(out)::value_type;
        std::iota(out.begin(), out.end(), static_cast<column>(begin_of(row)));
      });
  draw_values(made, how);
  return made;
}

}  // namespace

matrix poisson_2d(index_t size, generation const& how) {
  expect_between("--size", size, 1, index_t{1} << 20);
  return stencil_matrix({size, size, 1, false}, 4, how);
}

matrix poisson_3d(index_t size, int points, generation const& how) {
  expect_between("--size", size, 1, index_t{1} << 13);
  if (points != 7 && points != 27) throw usage_error("--points: found " + text_of(points) + ", expected 7 or 27");
  return stencil_matrix({size, size, size, points == 27}, points - 1, how);
}

matrix banded(index_t rows, index_t bandwidth, generation const& how) {
  expect_between("--rows", rows, 0, most_rows);
  expect_between("--bandwidth", bandwidth, 0, most_rows);
  expect_countable(static_cast<double>(rows) * static_cast<double>(std::min(rows, 2 * bandwidth + 1)));
  return runs_of_columns(
      rows, rows, how, [&](index_t row) { return std::max(index_t{0}, row - bandwidth); },
      [&](index_t row) { return std::min(rows, row + bandwidth + 1); });
}

matrix arrow(index_t rows, row_place where, generation const& how) {
  expect_between("--rows", rows, 0, most_rows);
  if (where == row_place::scattered) throw usage_error("--where: found scattered, expected top, middle or end for an arrow");
  expect_countable(3 * static_cast<double>(rows));
  index_t const tip = where == row_place::top ? 0 : where == row_place::middle ? rows / 2 : rows - 1;
  auto made = matrix_of_rows(
      rows, rows, how, [&](index_t row) { return row == tip ? rows : 2; },
      [&](index_t row, auto columns) {
        using column = typename decltype(columns)::value_type;
        if (row == tip) std::iota(columns.begin(), columns.end(), column{0});
        else columns[0] = static_cast<column>(std::min(row, tip)), columns[1] = static_cast<column>(std::max(row, tip));
      });
  draw_values(made, how);
  return made;
}

matrix dense(index_t rows, index_t columns, generation const& how) {
  expect_between("--rows", rows, 0, most_rows);
  expect_between("--columns", columns, 0, most_rows);
  expect_countable(static_cast<double>(rows) * static_cast<double>(columns));
  return runs_of_columns(
      rows, columns, how, [](index_t) { return index_t{0}; }, [&](index_t) { return columns; });
}

}  // namespace lookback::app
