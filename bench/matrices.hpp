// A 64-byte element: four 2x2 matrices modulo 2^32, multiplied one by one; an operator that does not commute.
#pragma once
#include <cstdint>
#include <lookback/fn.hpp>

namespace bench {

struct alignas(16) matrices {
  std::uint32_t m[4][4];
};

struct times_matrices {
  LOOKBACK_FN matrices operator()(matrices const& a, matrices const& b) const {
    matrices product{};
    for (int k = 0; k < 4; ++k)
      for (int row = 0; row < 2; ++row)
        for (int column = 0; column < 2; ++column)
          product.m[k][2 * row + column] = a.m[k][2 * row] * b.m[k][column] + a.m[k][2 * row + 1] * b.m[k][2 + column];
    return product;
  }
};

}  // namespace bench
