// Rows of drawn lengths with drawn columns.
#include "io/matrix_rows.hpp"
#include "permutation.hpp"
#include "row_lengths.hpp"
#include "spread.hpp"

namespace lookback::app {

namespace {

/// The columns that a row may have are a window of the matrix.
class column_windows {
 public:
  column_windows(index_t rows, column_law const& law) : rows_{rows}, law_{law} {
    expect_between("--rows", rows, 0, most_rows);
    expect_between("--columns", law.columns, 0, most_rows);
    expect_between("--near", law.reach, 0, most_rows);
    expect_between("--alike", law.alike, 1, most_rows);
    if (!(law.neighbours >= 0 && law.neighbours <= 2))
      throw usage_error("--neighbours: found " + text_of(law.neighbours) + ", expected 0 to 2");
  }
  index_t width() const { return law_.reach == 0 ? law_.columns : std::min(law_.columns, 2 * law_.reach + 1); }
  index_t begin(index_t row) const {
    if (law_.reach == 0) return 0;
    // The diagonal of a matrix that is not square goes from corner to corner.
    index_t const diagonal = rows_ == law_.columns ? row : static_cast<index_t>(wide_index{row} * law_.columns / rows_);
    return std::clamp(diagonal - law_.reach, index_t{0}, law_.columns - width());
  }

 private:
  __extension__ using wide_index = __int128;
  index_t rows_;
  column_law law_;
};

// In how many runs the columns of a row stand: of n in r of them, n - r have a neighbour at their left, and as many at their right.
index_t runs_of(index_t n, column_law const& law, std::uint64_t seed) {
  if (law.neighbours == 0) return n;
  double const runs = static_cast<double>(n) * (1 - law.neighbours / 2);
  return std::clamp(static_cast<index_t>(runs + random_unit(seed, ~std::uint64_t{0})), index_t{1}, n);
}

template <class LengthOf>
matrix drawn_rows(index_t rows, column_law const& law, generation const& how, LengthOf const& length_of) {
  column_windows const windows(rows, law);
  auto const seed = seed_for(purpose::columns, how.seed);
  auto made = matrix_of_rows(rows, law.columns, how, length_of, [&](index_t row, auto columns) {
    if (columns.empty()) return;
    auto const own = random_word(seed, static_cast<std::uint64_t>(row - row % law.alike));
    spread_runs(columns, runs_of(std::ssize(columns), law, own), windows.width(), own, windows.begin(row));
  });
  draw_values(made, how);
  return made;
}

}  // namespace

matrix geometric_rows(index_t rows, double mean, column_law const& columns, generation const& how) {
  geometric_lengths const lengths(mean, column_windows(rows, columns).width(), how.seed);
  expect_countable(static_cast<double>(rows) * mean);
  return drawn_rows(rows, columns, how, [&](index_t row) { return lengths(row - row % columns.alike); });
}

matrix varied_rows(varied_lengths const& law, column_law const& columns, generation const& how) {
  auto const lengths = falling_lengths(law, column_windows(0, columns).width(), how.threads);
  auto const rows = std::ssize(lengths);
  // Rows that are alike have lengths next to each other in the falling order, and move together.
  index_t const alike = columns.alike, blocks = rows / alike;
  permutation const rank(blocks, seed_for(purpose::lengths, how.seed));
  return drawn_rows(rows, columns, how, [&](index_t row) {
    index_t const block = row / alike;
    return lengths[static_cast<std::size_t>(block < blocks ? rank(block) * alike + row % alike : row)];
  });
}

matrix empty_rows(index_t rows, empty_share const& law, column_law const& columns, generation const& how) {
  if (!(law.share >= 0 && law.share <= 1))
    throw usage_error("--empty: found " + text_of(law.share) + ", expected a share from 0 to 1");
  geometric_lengths const lengths(law.mean, column_windows(rows, columns).width(), how.seed);
  expect_countable(static_cast<double>(rows) * law.mean);
  auto const empty = index_t{std::llround(law.share * static_cast<double>(rows))};
  permutation const shuffle(rows, seed_for(purpose::order, how.seed));
  index_t const begin = law.where == row_place::top ? 0 : law.where == row_place::middle ? (rows - empty) / 2 : rows - empty;
  return drawn_rows(rows, columns, how, [&](index_t row) {
    bool const is_empty = law.where == row_place::scattered ? shuffle(row) < empty : row >= begin && row < begin + empty;
    return is_empty ? 0 : lengths(row - row % columns.alike);
  });
}

}  // namespace lookback::app
