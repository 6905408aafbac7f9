// Columns that rise, stand once and are drawn one by one: any of them can be had without the others.
#pragma once
#include <algorithm>
#include <span>

#include "matrix_values.hpp"

namespace lookback::app {

/// [0, total) in `parts` runs, the first ones longer by one where it does not divide.
struct even_parts {
  index_t size, longer;
  even_parts(index_t total, index_t parts) : size{total / parts}, longer{total % parts} {}
  index_t begin(index_t part) const { return part * size + std::min(part, longer); }
  index_t length(index_t part) const { return size + (part < longer); }
  /// The one that holds a number of [0, total).
  index_t part_of(index_t at) const {
    index_t const even = longer * (size + 1);
    return at < even ? at / (size + 1) : longer + (at - even) / size;
  }
};

/// Column j of `n` among `columns` >= n of them: anywhere in its own n-th.
class spread_columns {
 public:
  spread_columns(index_t n, index_t columns, std::uint64_t seed) : parts_{columns, n}, seed_{seed} {}
  index_t operator()(index_t j) const {
    auto const length = static_cast<std::uint64_t>(parts_.length(j));
    return parts_.begin(j) + static_cast<index_t>(random_below(seed_, static_cast<std::uint64_t>(j), length));
  }
  /// The j whose part holds a column.
  index_t part_of(index_t column) const { return parts_.part_of(column); }

 private:
  even_parts parts_;
  std::uint64_t seed_;
};

/// Columns that rise, `out.size()` among `columns`, as runs of neighbours, as equal in length as they can be: each anywhere in its
/// own of as many parts. With as many runs as columns they are those of spread_columns.
template <class Column>
void spread_runs(std::span<Column> out, index_t runs, index_t columns, std::uint64_t seed, index_t first_column) {
  even_parts const lengths(std::ssize(out), runs), parts(columns, runs);
  auto to = out.begin();
  for (index_t k = 0; k < runs; ++k) {
    index_t const length = lengths.length(k);
    auto const places = static_cast<std::uint64_t>(parts.length(k) - length + 1);
    auto const drawn = random_below(seed, static_cast<std::uint64_t>(k), places);
    auto column = static_cast<Column>(first_column + parts.begin(k) + static_cast<index_t>(drawn));
    for (index_t i = 0; i < length; ++i) *to++ = column++;
  }
}

}  // namespace lookback::app
