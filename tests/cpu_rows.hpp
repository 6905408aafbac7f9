// Matrices for tests of rows on the CPU, a plain loop over them, and every way that rows are summed.
#pragma once
#include <gtest/gtest.h>

#include <cstdint>
#include <lookback/cpu.hpp>
#include <lookback/spmv.hpp>
#include <string>
#include <vector>

#include "random.hpp"

namespace harness {

using namespace lookback;

template <class Value, class Column, class Offset = std::int32_t>
struct matrix {
  std::vector<Offset> offsets{0};
  std::vector<Column> column_indices;
  std::vector<Value> values, x;

  auto view() const { return csr_view{std::ssize(offsets) - 1, std::ssize(x), offsets, column_indices, values}; }
};

/// Small integers: every sum is exact in any order.
template <class Value, class Column, class Offset = std::int32_t>
matrix<Value, Column, Offset> matrix_of(std::vector<std::size_t> const& lengths, std::uint64_t seed, std::size_t columns = 311) {
  generator random(seed);
  auto const small = [&] { return static_cast<Value>(static_cast<int>(random.below(9)) - 4); };
  matrix<Value, Column, Offset> made;
  made.x.resize(columns);
  for (auto& v : made.x) v = small();
  for (auto const length : lengths) {
    for (std::size_t k = 0; k < length; ++k)
      made.column_indices.push_back(static_cast<Column>(random.below(made.x.size()))), made.values.push_back(small());
    made.offsets.push_back(static_cast<Offset>(made.values.size()));
  }
  return made;
}

/// f(row, sum) of every row.
template <class Value, class Column, class Offset, class Ring, class F>
std::vector<Value> plain(matrix<Value, Column, Offset> const& a, Ring const& ring, F f) {
  std::vector<Value> y;
  for (std::size_t r = 0; r + 1 < a.offsets.size(); ++r) {
    Value sum = decltype(ring.add)::identity();
    for (auto k = static_cast<std::size_t>(a.offsets[r]); k < static_cast<std::size_t>(a.offsets[r + 1]); ++k)
      sum = ring.add(sum, ring.multiply(a.values[k], a.x[static_cast<std::size_t>(a.column_indices[k])]));
    y.push_back(f(r, sum));
  }
  return y;
}

inline std::vector<std::vector<std::size_t>> all_lengths() {
  std::vector<std::vector<std::size_t>> all;
  std::vector<std::size_t> rising, mixed, skewed;
  for (std::size_t r = 0; r < 300; ++r) rising.push_back(r % 71);
  generator random(5);
  for (std::size_t r = 0; r < 700; ++r) mixed.push_back(random.below(3) == 0 ? 0 : random.below(8));
  for (std::size_t r = 0; r < 120; ++r) skewed.push_back(r % 40 == 7 ? 2500 : r % 13 == 3 ? 500 + r : r % 5);
  all = {rising, mixed, skewed, {}, {3}, std::vector<std::size_t>(17, 0)};
  for (std::size_t const length :
       {1, 4, 5, 8, 9, 16, 17, 31, 32, 33, 64, 65, 127, 128, 129, 255, 256, 257, 511, 512, 513, 1023, 1024, 1025})
    all.emplace_back(length < 100 ? 67 : 19, length);
  // After the first row, which is summed alone, a block of 4 KB to the item: the last row of it is loaded as far as its neighbours.
  all.push_back({1, 71, 71, 71, 71, 71, 71, 71, 15});
  all.push_back({1, 67, 67, 67, 67, 67, 67, 67, 67, 67, 67, 67, 67, 67, 67, 67, 19});
  return all;
}

template <class F>
void each_tuning(F f) {
  for (auto const level : {cpu::simd_level::portable, cpu::simd_level::avx2, cpu::simd_level::avx512})
    for (index_t const tile_items : {0, 64, 448})
      for (index_t const known : {-1, 1, 1 << 20}) {
        SCOPED_TRACE("level " + std::to_string(static_cast<int>(level)) + ", tiles of " + std::to_string(tile_items) + ", rows " +
                     (known < 0    ? "side by side"
                      : known == 1 ? "by length"
                                   : "one by one"));
        cpu::tuning how;
        how.simd = level, how.tile_items = tile_items, how.serial_below_bytes = 1, how.known_rows = known;
        f(how);
      }
}

}  // namespace harness
