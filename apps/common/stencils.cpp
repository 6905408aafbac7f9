// Matrices whose entries follow from their place: grids, bands, everything.
#include <cstdlib>
#include <numeric>

#include "matrix_rows.hpp"

namespace lookback::app {

namespace {

// A box of points, numbered along x, then y, then z; a row of the matrix holds a point and its neighbours in it.
//   full  neighbours are all that touch; otherwise those that differ in one direction
struct grid {
  index_t width, height, depth;
  bool full;

  struct point {
    index_t x, y, z;
  };
  point at(index_t row) const { return {row % width, row / width % height, row / width / height}; }

  index_t neighbours(index_t row) const {
    auto const [x, y, z] = at(row);
    index_t const wide = reach(x, width), high = reach(y, height), deep = reach(z, depth);
    return full ? wide * high * deep : wide + high + deep - 2;
  }

  template <class Column>
  void fill(index_t row, std::span<Column> columns) const {
    auto const [x, y, z] = at(row);
    auto out = columns.begin();
    for (index_t dz = z > 0 ? -1 : 0; dz <= (z + 1 < depth ? 1 : 0); ++dz)
      for (index_t dy = y > 0 ? -1 : 0; dy <= (y + 1 < height ? 1 : 0); ++dy) {
        index_t const left = full ? 1 : 1 - std::abs(dz) - std::abs(dy);  // steps that are still free, along x
        if (left < 0) continue;
        index_t const line = ((z + dz) * height + y + dy) * width;
        for (index_t to = std::max(index_t{0}, x - left); to <= std::min(width - 1, x + left); ++to)
          *out++ = static_cast<Column>(line + to);
      }
  }

 private:
  // How many of a coordinate and those beside it are inside.
  static index_t reach(index_t at, index_t size) { return 1 + (at > 0) + (at + 1 < size); }
};

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

matrix dense(index_t rows, index_t columns, generation const& how) {
  expect_between("--rows", rows, 0, most_rows);
  expect_between("--columns", columns, 0, most_rows);
  expect_countable(static_cast<double>(rows) * static_cast<double>(columns));
  return runs_of_columns(
      rows, columns, how, [](index_t) { return index_t{0}; }, [&](index_t) { return columns; });
}

}  // namespace lookback::app
