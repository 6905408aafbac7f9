#include <algorithm>

#include "io/matrix_rows.hpp"

namespace lookback::app {

namespace {

template <class Column, class T>
void reverse_row(Column* columns, T* values, index_t n, std::uint64_t) {
  std::reverse(columns, columns + n);
  std::reverse(values, values + n);
}

// Fisher and Yates, from behind.
template <class Column, class T>
void shuffle_row(Column* columns, T* values, index_t n, std::uint64_t seed) {
  for (index_t j = n - 1; j > 0; --j) {
    auto const other = random_below(seed, static_cast<std::uint64_t>(j), static_cast<std::uint64_t>(j) + 1);
    std::swap(columns[j], columns[other]);
    std::swap(values[j], values[other]);
  }
}

}  // namespace

void order_columns(matrix& of, column_order order, generation const& how) {
  if (order == column_order::rising) return;
  auto const seed = seed_for(purpose::order, how.seed);
  with_columns(of, [&](auto* columns) {
    if (order == column_order::all_zero) {
      std::fill_n(columns, of.nonzeros(), 0);
      return;
    }
    with_value_type(of.values.type, [&]<class T>(std::type_identity<T>) {
      T* const values = of.values.memory.as<T>();
      in_parts(of.rows, how.threads, [&](index_t begin, index_t end) {
        for (index_t row = begin; row < end; ++row) {
          index_t const first = offset_at(of, row), n = offset_at(of, row + 1) - first;
          auto const own = random_word(seed, static_cast<std::uint64_t>(row));
          if (order == column_order::reversed) reverse_row(columns + first, values + first, n, own);
          else shuffle_row(columns + first, values + first, n, own);
        }
      });
    });
  });
}

}  // namespace lookback::app
