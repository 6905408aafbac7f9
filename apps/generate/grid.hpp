// Points of a grid and those beside them: the pattern of stencils.
#pragma once
#include <algorithm>
#include <cstdlib>
#include <lookback/fn.hpp>
#include <span>

namespace lookback::app {

/// A box of points, numbered along x, then y, then z; a row of the matrix holds a point and its neighbours in it.
///   full  neighbours are all that touch; otherwise those that differ in one direction
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

}  // namespace lookback::app
