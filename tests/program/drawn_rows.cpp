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

namespace {

// Of an entry, at its left and right, on average.
double neighbours_in(rows_of const& all) {
  double beside = 0;
  for (std::size_t r = 0; r + 1 < all.offsets.size(); ++r)
    for (auto k = static_cast<std::size_t>(all.offsets[r]) + 1; k < static_cast<std::size_t>(all.offsets[r + 1]); ++k)
      beside += all.columns[k] == all.columns[k - 1] + 1;
  return 2 * beside / static_cast<double>(all.columns.size());
}

std::vector<index_t> columns_of(rows_of const& all, std::size_t row) {
  return {all.columns.begin() + all.offsets[row], all.columns.begin() + all.offsets[row + 1]};
}

}  // namespace

TEST(neighbours, are_as_many_as_asked) {
  for (double const asked : {0.0, 0.5, 1.0, 1.5, 1.8}) {
    auto const rows = checked(geometric_rows(20000, 40, {1000000, 0, asked}));
    EXPECT_NEAR(neighbours_in(rows), asked, 0.02);
    EXPECT_EQ(rows.lengths(), rows_of(geometric_rows(20000, 40, {1000000, 0})).lengths());
    EXPECT_NEAR(neighbours_in(checked(varied_rows({400000, 40, 1, false}, {1000000, 0, asked}))), asked, 0.05);
    EXPECT_NEAR(neighbours_in(checked(empty_rows(20000, {0.5, row_place::scattered, 40}, {1000000, 0, asked}))), asked, 0.02);
  }
}

TEST(neighbours, stand_in_runs_of_lengths_that_differ_by_one) {
  auto const all = checked(geometric_rows(3000, 30, {1000000, 0, 1.5}));
  for (std::size_t r = 0; r < 3000; ++r) {
    std::vector<index_t> runs;
    index_t before = -2;
    for (auto const column : columns_of(all, r)) {
      if (column == before + 1) ++runs.back();
      else runs.push_back(1);
      before = column;
    }
    // Two runs that happen to touch look like one.
    auto const [low, high] = std::minmax_element(runs.begin(), runs.end());
    ASSERT_TRUE(*high <= *low + 1 || *high >= 2 * *low) << r;
    ASSERT_NEAR(static_cast<double>(runs.size()), std::max(1.0, static_cast<double>(all.length(r)) / 4), 1) << r;
  }
}

TEST(neighbours, two_make_a_row_one_run) {
  auto const all = checked(geometric_rows(2000, 10, {2000, 50, 2}));
  for (std::size_t r = 0; r < 2000; ++r) {
    auto const columns = columns_of(all, r);
    ASSERT_EQ(columns.back() - columns.front() + 1, std::ssize(columns));
  }
}

TEST(neighbours, fit_where_there_is_room_for_the_row_alone) {
  for (double const asked : {0.3, 1.0, 2.0}) {
    auto const all = checked(geometric_rows(500, 7, {7, 0, asked}));
    EXPECT_GT(std::ranges::count(all.lengths(), 7), 100);
  }
}

TEST(rows_alike, have_the_same_columns) {
  for (index_t const alike : {1, 2, 7}) {
    auto const far = checked(geometric_rows(3001, 6, {5000, 0, 0, alike})),
               near = checked(geometric_rows(3001, 6, {3001, 40, 0.5, alike}));
    index_t same = 0;
    for (std::size_t r = 1; r < 3001; ++r) {
      bool const one = static_cast<index_t>(r) % alike != 0;
      bool const equal = columns_of(far, r) == columns_of(far, r - 1);
      ASSERT_TRUE(equal || !one) << r;
      same += equal;
      if (one && r > 40 && r < 2960) {
        auto moved = columns_of(near, r - 1);
        for (auto& column : moved) ++column;
        ASSERT_EQ(columns_of(near, r), moved) << r;
      }
    }
    EXPECT_NEAR(static_cast<double>(same), 3000 * (1 - 1.0 / static_cast<double>(alike)), 5);
  }
}

TEST(rows_alike, keep_the_law_of_their_lengths) {
  auto const sorted = [](matrix const& of) {
    auto lengths = checked(of).lengths();
    std::sort(lengths.begin(), lengths.end());
    return lengths;
  };
  for (index_t const alike : {2, 7, 3000})
    EXPECT_EQ(sorted(varied_rows({20000, 8, 3, false}, {2500, 0, 0, alike})), sorted(varied_rows({20000, 8, 3, false}, {2500, 0})));
  EXPECT_NEAR(mean_of(checked(geometric_rows(50000, 6, {50000, 0, 0, 4})).lengths()), 6, 0.2);
  auto const some = checked(empty_rows(10001, {0.3, row_place::scattered, 5}, {10001, 0, 0, 5})).lengths();
  EXPECT_EQ(std::count(some.begin(), some.end(), 0), 3000);
}

TEST(drawn_rows, refuse_columns_that_cannot_be) {
  for (double const neighbours : {-0.1, 2.1, std::nan("")})
    EXPECT_THROW(geometric_rows(10, 2, {10, 0, neighbours}), usage_error) << neighbours;
  for (index_t const alike : {0, -1}) {
    EXPECT_THROW(geometric_rows(10, 2, {10, 0, 0, alike}), usage_error);
    EXPECT_THROW(varied_rows({100, 8, 1}, {10, 0, 0, alike}), usage_error);
    EXPECT_THROW(empty_rows(10, {0.5}, {10, 0, 0, alike}), usage_error);
  }
}
