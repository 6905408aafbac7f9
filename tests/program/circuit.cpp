// Matrices like those of circuits, against the set of their entries.
#include <set>

#include "generate/permutation.hpp"
#include "generate/row_lengths.hpp"
#include "generate/spread.hpp"
#include "matrix.hpp"

namespace {

using entry_set = std::set<std::pair<index_t, index_t>>;

entry_set entries_of(circuit_law const& law, std::uint64_t seed) {
  entry_set all;
  auto const own = seed_for(purpose::dense_lines, seed);
  index_t const lines = law.dense_rows, plain = law.rows - lines;
  std::set<index_t> places;
  if (lines > 0)
    for (index_t k = 0; k < lines; ++k) places.insert(spread_columns(lines, law.rows, random_word(own, 1))(k));
  std::vector<index_t> between, dense(places.begin(), places.end());
  for (index_t row = 0; row < law.rows; ++row)
    if (!places.contains(row)) between.push_back(row);
  permutation const rank(lines, random_word(own, 0));
  for (index_t k = 0; k < lines; ++k) {
    index_t const place = dense[static_cast<std::size_t>(k)];
    for (auto const other : dense) all.insert({place, other});
    auto const nonzeros =
        std::llround(static_cast<double>(law.densest) * portable_exp(-law.decay * portable_log(static_cast<double>(rank(k) + 1))));
    index_t const n = std::min<index_t>(plain, nonzeros - lines);
    for (index_t j = 0; j < n; ++j) {
      auto const at = spread_columns(n, plain, random_word(own, 2 + static_cast<std::uint64_t>(k)))(j);
      all.insert({place, between[static_cast<std::size_t>(at)]});
      all.insert({between[static_cast<std::size_t>(at)], place});
    }
  }
  index_t const width = std::min(plain, 2 * law.reach + 1);
  geometric_lengths const lengths(law.mean, width, seed);
  for (index_t p = 0; p < plain; ++p) {
    std::vector<index_t> near;  // all that it may have but the diagonal
    for (index_t q = 0; q < plain; ++q) {
      index_t const middle = std::clamp(p, std::min(law.reach, plain - 1 - law.reach), std::max(law.reach, plain - 1 - law.reach));
      bool const beside = width == plain || std::abs(q - middle) <= law.reach;
      if (beside && q != p) near.push_back(q);
    }
    index_t const row = between[static_cast<std::size_t>(p)], others = lengths(p) - 1;
    all.insert({row, row});
    auto const word = random_word(seed_for(purpose::columns, seed), static_cast<std::uint64_t>(p));
    for (index_t j = 0; j < others; ++j) {
      auto const q = near[static_cast<std::size_t>(spread_columns(others, std::ssize(near), word)(j))];
      all.insert({row, between[static_cast<std::size_t>(q)]});
    }
  }
  return all;
}

}  // namespace

TEST(circuit, is_the_set_of_its_entries) {
  std::vector<circuit_law> const laws{{1, 1, 5, 0, 0, 1},        {2, 1, 5, 1, 2, 1},     {300, 4, 1000, 0, 60, 1},
                                      {300, 4, 1000, 20, 60, 1}, {300, 4, 5, 20, 60, 0}, {700, 6, 9, 32, 700, 1},
                                      {700, 2, 2, 3, 700, 0.5},  {700, 1, 0, 5, 100, 2}, {40, 3, 4, 32, 40, 0},
                                      {900, 8, 20, 7, 0, 1},     {33, 1, 3, 32, 33, 1},  {5000, 3, 100, 4, 4999, 3}};
  for (auto const& law : laws)
    for (std::uint64_t const seed : {1, 8}) {
      auto const made = circuit(law, {element::f32, seed, 2});
      auto const found = checked(made);
      EXPECT_EQ(made.rows, law.rows);
      EXPECT_EQ(made.columns, law.rows);
      auto const expected = entries_of(law, seed);
      ASSERT_EQ(made.nonzeros(), std::ssize(expected)) << law.rows << " " << law.dense_rows;
      auto at = expected.begin();
      for (std::size_t row = 0; row + 1 < found.offsets.size(); ++row)
        for (index_t k = found.offsets[row]; k < found.offsets[row + 1]; ++k, ++at)
          ASSERT_EQ(std::pair(static_cast<index_t>(row), found.columns[static_cast<std::size_t>(k)]), *at)
              << law.rows << " " << law.dense_rows;
    }
}

TEST(circuit, has_a_few_dense_rows_and_columns_and_many_short_rows) {
  constexpr index_t rows = 100000;
  auto const made = circuit({.rows = rows, .densest = rows / 5});
  auto const all = checked(made);
  std::vector<index_t> across(rows);
  index_t diagonal = 0;
  for (std::size_t row = 0; row < rows; ++row)
    for (auto k = static_cast<std::size_t>(all.offsets[row]); k < static_cast<std::size_t>(all.offsets[row + 1]); ++k)
      ++across[static_cast<std::size_t>(all.columns[k])], diagonal += all.columns[k] == static_cast<index_t>(row);
  EXPECT_EQ(diagonal, rows);
  auto lengths = all.lengths();
  EXPECT_GT(static_cast<double>(std::count_if(lengths.begin(), lengths.end(), [](auto n) { return n <= 9; })), 0.88 * rows);
  std::vector<std::size_t> order(rows);
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::partial_sort(order.begin(), order.begin() + 20, order.end(), [&](auto a, auto b) { return lengths[a] > lengths[b]; });
  for (std::size_t k = 0; k < 20; ++k) {
    EXPECT_EQ(lengths[order[k]], std::llround(rows / 5.0 / static_cast<double>(k + 1))) << k;
    // Who is near its diagonal comes on top of who crosses in a column; the dense themselves have no more.
    EXPECT_EQ(across[order[k]], lengths[order[k]]) << k;
  }
  EXPECT_NE(std::min(order[0], order[1]), 0u);
  EXPECT_LT(lengths[order.back()], 100);
  double crossings = 0;
  for (std::size_t k = 0; k < 20; ++k) crossings += static_cast<double>(lengths[order[k]]);
  EXPECT_NEAR(static_cast<double>(made.nonzeros()), 4.0 * rows + 2 * crossings, 0.02 * rows);
  // Away from the dense columns nothing is farther than the reach, of those between them, allows.
  std::set<std::size_t> const dense(order.begin(), order.begin() + 20);
  for (std::size_t row = 0; row < rows; ++row)
    for (auto k = static_cast<std::size_t>(all.offsets[row]); k < static_cast<std::size_t>(all.offsets[row + 1]); ++k)
      if (auto const column = static_cast<std::size_t>(all.columns[k]); dense.count(row) + dense.count(column) == 0) {
        ASSERT_LE(std::max(row, column) - std::min(row, column), row < 1020 || row + 1020 >= rows ? 2020u : 1020u);
      }
}

TEST(circuit, refuses_what_cannot_be) {
  EXPECT_THROW(circuit({0}), usage_error);
  EXPECT_THROW(circuit({100, 0.5}), usage_error);
  EXPECT_THROW(circuit({100, std::nan("")}), usage_error);
  EXPECT_THROW(circuit({100, 8, 3}), usage_error);  // 7 columns are near
  EXPECT_THROW(circuit({100, 4, -1}), usage_error);
  EXPECT_THROW(circuit({100, 4, 9, -1}), usage_error);
  EXPECT_THROW(circuit({100, 4, 9, 33}), usage_error);
  EXPECT_THROW(circuit({20, 4, 9, 20}), usage_error);
  EXPECT_THROW(circuit({100, 4, 9, 5, 101}), usage_error);
  EXPECT_THROW(circuit({100, 4, 9, 5, -1}), usage_error);
  for (double const decay : {-1.0, 101.0, HUGE_VAL, std::nan("")})
    EXPECT_THROW(circuit({100, 4, 9, 5, 50, decay}), usage_error) << decay;
}
