// R-MAT graphs against the set of their edges.
#include "generate/rmat.hpp"

#include "matrix.hpp"

TEST(rmat, is_the_set_of_its_edges) {
  for (bool const permuted : {true, false})
    for (bool const keep : {true, false})
      for (int const scale : {0, 1, 5, 8, 12}) {
        rmat_law const law{scale, 16, permuted, keep};
        std::map<std::pair<index_t, index_t>, int> times;
        rmat_edges const edges(law, 7);
        for (index_t e = 0; e < edges.count(); ++e) ++times[{edges(e).from, edges(e).to}];
        std::vector<index_t> columns, offsets(static_cast<std::size_t>(edges.vertices()) + 1);
        std::vector<double> values;
        for (auto const& [at, count] : times) {
          int const copies = keep ? count : 1;
          auto const value = rmat_value<double>(7, scale, {at.first, at.second});
          columns.insert(columns.end(), static_cast<std::size_t>(copies), at.second);
          values.insert(values.end(), static_cast<std::size_t>(copies), keep ? value : count * value);
          offsets[static_cast<std::size_t>(at.first) + 1] += copies;
        }
        std::partial_sum(offsets.begin(), offsets.end(), offsets.begin());
        auto const made = rmat(law, {element::f64, 7, 2});
        EXPECT_EQ(made.rows, index_t{1} << scale);
        EXPECT_EQ(made.columns, made.rows);
        auto const found = checked(made, keep ? 0 : 1);
        EXPECT_EQ(found.offsets, offsets) << scale;
        EXPECT_EQ(found.columns, columns) << scale;
        EXPECT_EQ(found.values, values) << scale;
        if (keep) {
          EXPECT_EQ(made.nonzeros(), edges.count());
        }
      }
}

TEST(rmat, draws_each_bit_by_the_probabilities_of_graph500) {
  constexpr int scale = 13;
  rmat_edges const edges({scale, 16, false, false}, 1);
  auto const n = static_cast<double>(edges.count());
  std::map<std::pair<index_t, index_t>, double> quarter[scale];
  double both = 0;
  for (index_t e = 0; e < edges.count(); ++e) {
    auto const [from, to] = edges(e);
    for (int bit = 0; bit < scale; ++bit) quarter[bit][{from >> bit & 1, to >> bit & 1}] += 1 / n;
    both += ((from | to) >> (scale - 2)) == 0 ? 1 / n : 0;
  }
  for (auto& of : quarter) {
    EXPECT_NEAR((of[{0, 0}]), 0.57, 0.01);
    EXPECT_NEAR((of[{0, 1}]), 0.19, 0.01);
    EXPECT_NEAR((of[{1, 0}]), 0.19, 0.01);
    EXPECT_NEAR((of[{1, 1}]), 0.05, 0.01);
  }
  EXPECT_NEAR(both, 0.57 * 0.57, 0.01);  // bits are independent
}

TEST(rmat, permuted_is_the_same_graph_with_other_numbers) {
  rmat_law law{9, 16, false, true};
  auto plain = rows_of(rmat(law)).lengths();
  law.permuted = true;
  auto const made = rmat(law);
  auto shuffled = rows_of(made).lengths();
  EXPECT_EQ(*std::max_element(plain.begin(), plain.end()), plain[0]);  // the first vertex has most edges
  EXPECT_NE(plain, shuffled);
  std::sort(plain.begin(), plain.end());
  std::sort(shuffled.begin(), shuffled.end());
  EXPECT_EQ(plain, shuffled);
  permutation const labels(512, seed_for(purpose::labels, 1));
  rmat_edges const before({9, 16, false, true}, 1), after({9, 16, true, true}, 1);
  for (index_t e = 0; e < before.count(); ++e) {
    ASSERT_EQ(after(e).from, labels(before(e).from));
    ASSERT_EQ(after(e).to, labels(before(e).to));
  }
}
