// Statistics of rows whose lengths and columns are drawn.
#include "matrix.hpp"

using ::testing::HasSubstr;

TEST(geometric_rows, have_geometric_lengths) {
  for (double const mean : {1.0, 2.0, 4.0, 16.0, 64.0}) {
    auto const lengths = checked(geometric_rows(50000, mean, {100000, 0})).lengths();
    EXPECT_NEAR(mean_of(lengths) / mean, 1, 0.02) << mean;
    EXPECT_NEAR(variation_of_lengths(lengths), std::sqrt(1 - 1 / mean), 0.02) << mean;
    for (index_t const length : {1, 2, 3}) {
      auto const share = static_cast<double>(std::count(lengths.begin(), lengths.end(), length)) / 50000;
      EXPECT_NEAR(share, std::pow(1 - 1 / mean, length - 1) / mean, 0.01) << mean;
    }
  }
}

TEST(geometric_rows, spread_over_all_columns) {
  auto const made = geometric_rows(20000, 4, {1000, 0});
  std::vector<double> count(10);
  for (auto const column : checked(made).columns) ++count[static_cast<std::size_t>(column / 100)];
  for (auto const share : count) EXPECT_NEAR(share / static_cast<double>(made.nonzeros()), 0.1, 0.01);
  // A row's own columns too: those of rows with two nonzeros are half the width apart on average, by any distance.
  auto const rows = rows_of(made);
  double sum = 0, squares = 0, pairs = 0;
  for (std::size_t r = 0; r < 20000; ++r)
    if (rows.length(r) == 2) {
      auto const first = static_cast<std::size_t>(rows.offsets[r]);
      auto const apart = static_cast<double>(rows.columns[first + 1] - rows.columns[first]);
      sum += apart, squares += apart * apart, ++pairs;
    }
  EXPECT_NEAR(sum / pairs, 500, 15);
  EXPECT_NEAR(std::sqrt(squares / pairs - sum / pairs * sum / pairs), 1000 / std::sqrt(24), 15);
}

TEST(geometric_rows, stay_near_the_diagonal) {
  for (index_t const columns : {3000, 9000, 1500}) {
    auto const made = geometric_rows(3000, 6, {columns, 100});
    auto const all = checked(made);
    index_t left = 0, right = 0;
    for (index_t r = 0; r < 3000; ++r)
      for (index_t k = all.offsets[static_cast<std::size_t>(r)]; k < all.offsets[static_cast<std::size_t>(r) + 1]; ++k) {
        index_t const centre = std::clamp(r * columns / 3000, index_t{100}, columns - 101);
        index_t const away = all.columns[static_cast<std::size_t>(k)] - centre;
        left = std::min(left, away), right = std::max(right, away);
      }
    EXPECT_EQ(left, -100);
    EXPECT_EQ(right, 100);
  }
}

TEST(varied_rows, vary_as_asked_at_the_same_number_of_nonzeros) {
  for (bool const zipf : {false, true})
    for (double const variation : {0.0, 0.3, 1.0, 4.0, 16.0, 64.0}) {
      auto const made = varied_rows({1000000, 8, variation, zipf}, {125000, 0});
      auto const lengths = rows_of(made).lengths();
      EXPECT_EQ(made.rows, 125000);
      EXPECT_EQ(made.nonzeros(), 1000000);
      EXPECT_NEAR(variation_of_lengths(lengths), variation, 0.01 * variation) << zipf;
      if (variation > 0) {
        EXPECT_FALSE(std::is_sorted(lengths.rbegin(), lengths.rend()));
        // The longest rows are anywhere.
        auto const longest = std::max_element(lengths.begin(), lengths.end()) - lengths.begin();
        EXPECT_TRUE(longest > 10 && longest < 124990) << longest;
      }
    }
}

TEST(varied_rows, follow_their_law) {
  auto lengths = rows_of(varied_rows({1000000, 50, 1, false}, {20000, 0})).lengths();
  std::sort(lengths.begin(), lengths.end());
  double const spread = std::sqrt(std::log(2)), median = 50 / std::sqrt(2);  // of a lognormal law with this mean and cv 1
  EXPECT_NEAR(static_cast<double>(lengths[10000]), median, 1.5);
  EXPECT_NEAR(static_cast<double>(lengths[16827]), median * std::exp(spread), 3);  // one standard deviation up
  EXPECT_NEAR(static_cast<double>(lengths[3173]), median * std::exp(-spread), 1.5);
  lengths = rows_of(varied_rows({1000000, 50, 4, true}, {20000, 0})).lengths();
  std::sort(lengths.rbegin(), lengths.rend());
  auto const at = [&](std::size_t rank) { return std::log(static_cast<double>(lengths[rank - 1])); };
  EXPECT_NEAR(at(1) - at(10), at(10) - at(100), 0.05);  // a line in logarithms
  EXPECT_NEAR(at(10) - at(100), at(100) - at(1000), 0.05);
  EXPECT_GT(at(1) - at(10), 1);
}

TEST(varied_rows, are_never_longer_than_there_are_columns) {
  auto const made = varied_rows({100000, 10, 16, true}, {3000, 0});
  auto const lengths = checked(made).lengths();
  EXPECT_EQ(*std::max_element(lengths.begin(), lengths.end()), 3000);
  EXPECT_EQ(made.nonzeros(), 100000);
  try {
    varied_rows({100000, 10, 1000, false}, {3000, 0});
    FAIL();
  } catch (usage_error const& e) {
    EXPECT_THAT(e.what(), HasSubstr("--cv: found 1000, expected at most "));
  }
  // 33 full rows and a third of one vary most: by the root of 10000 * (33 * 3000^2 + 1000^2) / 100000^2 - 1 = 17.23.
  for (bool const zipf : {true, false})
    EXPECT_NEAR(variation_of_lengths(rows_of(varied_rows({100000, 10, 17.2, zipf}, {3000, 0})).lengths()), 17.2, 0.03);
  EXPECT_THROW(varied_rows({100000, 10, 17.3, true}, {3000, 0}), usage_error);
  // The same of 10000 full rows: 3.
  for (bool const zipf : {true, false})
    EXPECT_NEAR(variation_of_lengths(rows_of(varied_rows({200000, 2, 2.996, zipf}, {20, 0})).lengths()), 2.996, 0.003);
  EXPECT_EQ(varied_rows({0, 8, 4}, {100}).rows, 0);
  // Behind those that are cut, the law holds.
  auto cut = rows_of(varied_rows({100000, 10, 10, true}, {3000, 0})).lengths();
  std::sort(cut.rbegin(), cut.rend());
  auto const full = static_cast<std::size_t>(std::count(cut.begin(), cut.end(), 3000));
  ASSERT_TRUE(full >= 2 && full < 20) << full;
  auto const at = [&](std::size_t rank) { return std::log(static_cast<double>(cut[rank - 1])); };
  EXPECT_NEAR(at(full + 1) - at(2 * full + 2), at(2 * full + 2) - at(4 * full + 4), 0.02);
  EXPECT_LT(at(full) - at(full + 1), at(full + 1) - at(2 * full + 2));
}

TEST(empty_rows, are_as_many_as_asked_where_asked) {
  for (double const share : {0.0, 0.5, 0.9, 0.99, 1.0})
    for (auto const where : {row_place::top, row_place::middle, row_place::end, row_place::scattered}) {
      auto const lengths = checked(empty_rows(10001, {share, where, 3}, {500, 0})).lengths();
      std::vector<index_t> others;
      index_t empty = 0, runs = 0, before = 1, first = -1;
      for (std::size_t r = 0; r < lengths.size(); ++r) {
        if (lengths[r] > 0) others.push_back(lengths[r]);
        else {
          ++empty, runs += before > 0;
          if (first < 0) first = static_cast<index_t>(r);
        }
        before = lengths[r];
      }
      EXPECT_EQ(empty, std::llround(share * 10001)) << share;
      if (others.size() > 4000) {
        EXPECT_NEAR(mean_of(others), 3, 0.15);
      }
      if (empty == 0 || empty == 10001) continue;
      if (where == row_place::scattered) {
        EXPECT_NEAR(static_cast<double>(runs), 10001 * share * (1 - share), 10001 * share * (1 - share) * 0.2 + 10);
      } else {
        EXPECT_EQ(runs, 1);
        EXPECT_EQ(first, where == row_place::top ? 0 : where == row_place::end ? 10001 - empty : (10001 - empty) / 2);
      }
    }
}
