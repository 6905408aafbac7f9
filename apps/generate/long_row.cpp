#include "io/matrix_rows.hpp"
#include "spread.hpp"

namespace lookback::app {

namespace {

// The rows of the new matrix: those of the others, and between them the pieces of one.
struct with_pieces {
  matrix const& others;
  index_t at, pieces;
  even_parts parts;

  bool is_piece(index_t row) const { return row >= at && row < at + pieces; }
  index_t other(index_t row) const { return row < at ? row : row - pieces; }
  index_t length(index_t row) const {
    return is_piece(row) ? parts.length(row - at) : offset_at(others, other(row) + 1) - offset_at(others, other(row));
  }
};

}  // namespace

matrix with_long_row(matrix const& others, long_row const& row, generation const& how) {
  if (row.where == row_place::scattered) throw usage_error("--where: found scattered, expected top, middle or end for one row");
  expect_between("--dense", row.nonzeros, 0, others.columns);
  expect_between("--cut", row.pieces, 1, std::max(index_t{1}, row.nonzeros));
  index_t const at = row.where == row_place::top ? 0 : row.where == row_place::middle ? others.rows / 2 : others.rows;
  with_pieces const rows{others, at, row.pieces, {row.nonzeros, row.pieces}};
  spread_columns const spread(std::max(index_t{1}, row.nonzeros), others.columns, seed_for(purpose::long_row, how.seed));
  generation same = how;
  same.type = others.values.type;
  auto made = matrix_of_rows(
      others.rows + row.pieces, others.columns, same, [&](index_t r) { return rows.length(r); },
      [&](index_t r, auto columns) {
        using column = typename decltype(columns)::value_type;
        if (rows.is_piece(r)) {
          index_t j = rows.parts.begin(r - at);
          for (auto& to : columns) to = static_cast<column>(spread(j++));
        } else {
          with_columns(others, [&](auto const* from) {
            std::copy_n(from + offset_at(others, rows.other(r)), columns.size(), columns.begin());
          });
        }
      });

  made.values = make_array(same.type, made.column_indices.n);
  index_t const first = offset_at(made, at);
  auto const seed = seed_for(purpose::long_row, ~how.seed);
  with_value_type(same.type, [&]<class T>(std::type_identity<T>) {
    T const* const from = reinterpret_cast<T const*>(others.values.data);
    T* const out = made.values.memory.as<T>();
    in_parts(made.values.n, how.threads, [&](index_t begin, index_t end) {
      for (index_t k = begin; k < end; ++k)
        if (k < first) out[k] = from[k];
        else if (k >= first + row.nonzeros) out[k] = from[k - row.nonzeros];
        else out[k] = value_from<T>(random_word(seed, static_cast<std::uint64_t>(k - first)));
    });
  });
  return made;
}

}  // namespace lookback::app
