// Matrices of all generators: that nothing but the arguments decides their bits; stencils, one long row, orders of columns.
#include <functional>

#include "matrix.hpp"

namespace {

/// One of each.
std::vector<std::pair<char const*, std::function<matrix(generation const&)>>> const each_generator{
    {"rmat",
     [](generation const& how) {
       return rmat({12, 16, true, false}, how);
     }},
    {"rmat unpermuted",
     [](generation const& how) {
       return rmat({11, 16, false, true}, how);
     }},
    {"poisson 2d", [](generation const& how) { return poisson_2d(60, how); }},
    {"poisson 3d", [](generation const& how) { return poisson_3d(17, 7, how); }},
    {"poisson 3d full", [](generation const& how) { return poisson_3d(14, 27, how); }},
    {"elasticity", [](generation const& how) { return elasticity_3d(9, how); }},
    {"banded", [](generation const& how) { return banded(20000, 3, how); }},
    {"arrow", [](generation const& how) { return arrow(30000, row_place::middle, how); }},
    {"dense", [](generation const& how) { return dense(900, 35, how); }},
    {"long row", [](generation const& how) { return with_long_row(poisson_3d(12, 7, how), {1500, row_place::middle, 1}, how); }},
    {"circuit", [](generation const& how) { return circuit({20000, 4, 100, 20, 4000, 1}, how); }},
    {"geometric", [](generation const& how) { return geometric_rows(20000, 5, {3000, 0}, how); }},
    {"near", [](generation const& how) { return geometric_rows(20000, 5, {20000, 100}, how); }},
    {"runs alike", [](generation const& how) { return geometric_rows(20000, 5, {20000, 100, 0.7, 3}, how); }},
    {"lognormal", [](generation const& how) { return varied_rows({100000, 8, 4, false}, {12500, 0}, how); }},
    {"zipf", [](generation const& how) { return varied_rows({100000, 8, 4, true}, {12500, 0}, how); }},
    {"empty", [](generation const& how) { return empty_rows(20000, {0.9, row_place::scattered, 4}, {20000, 0}, how); }},
    {"shuffled", [](generation const& how) {
       auto made = geometric_rows(5000, 9, {5000, 0}, how);
       order_columns(made, column_order::shuffled, how);
       return made;
     }}};

bool is_drawn(std::string const& name) { return !name.starts_with("poisson") && name != "elasticity"; }

}  // namespace

// ---- all of them

TEST(matrix_generators, give_the_same_bits_for_any_number_of_threads) {
  for (auto const& [name, make] : each_generator) {
    auto const one = bytes_of(make({element::f64, 3, 1}));
    for (int const threads : {2, 7, 0}) EXPECT_TRUE(one == bytes_of(make({element::f64, 3, threads}))) << name << " " << threads;
  }
}

TEST(matrix_generators, give_the_same_bits_on_every_machine) {
  std::vector<std::uint64_t> found;
  for (auto const& [name, make] : each_generator) {
    std::uint64_t hash = 0xcbf29ce484222325u;  // FNV-1a
    for (char const c : bytes_of(make({element::f64, 3, 2}))) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3u;
    found.push_back(hash);
  }
  // A change of these is a change of every figure that was ever taken with such a matrix.
  EXPECT_EQ(found,
            (std::vector<std::uint64_t>{12298051802773443302u, 11705213257506871292u, 4015722570776856906u, 7693411344909229721u,
                                        7643497789011888196u, 8847710188131361442u, 9550129174028829988u, 8552469132620768175u,
                                        12901995624326132678u, 4938736008584718782u, 1730486965491572983u, 7798317669009733180u,
                                        6941150180894718858u, 17274830826433505559u, 12781782106007238493u, 14578329392962066716u,
                                        13811737383978214774u, 5113724918689313239u}));
}

TEST(matrix_generators, hear_their_seed) {
  for (auto const& [name, make] : each_generator)
    EXPECT_EQ(bytes_of(make({element::f64, 3, 1})) != bytes_of(make({element::f64, 4, 1})), is_drawn(name)) << name;
}

TEST(matrix_generators, make_rows_that_rise_with_values_of_the_type_asked_for) {
  for (auto const& [name, make] : each_generator)
    for (element const type : {element::f32, element::f64, element::i32, element::i64, element::c64, element::c128}) {
      SCOPED_TRACE(name);
      auto const made = make({type, 1, 2});
      EXPECT_EQ(made.values.type, type);
      EXPECT_EQ(made.offsets.type, element::i32);
      EXPECT_EQ(made.column_indices.type, element::i32);
      EXPECT_GT(made.nonzeros(), 0);
      checked(made, name == std::string("shuffled") ? -1 : name == std::string("rmat unpermuted") ? 0 : 1);
    }
}

TEST(matrix_generators, make_complex_values_of_which_the_real_part_is_the_real_matrix) {
  for (auto const& [name, make] : each_generator)
    for (auto const& [real, complex] : {std::pair(element::f32, element::c64), {element::f64, element::c128}}) {
      SCOPED_TRACE(name);
      rows_of const plain(make({real, 3, 2})), made(make({complex, 3, 2}));
      EXPECT_EQ(made.offsets, plain.offsets);
      EXPECT_EQ(made.columns, plain.columns);
      EXPECT_EQ(made.values, plain.values);
      if (!is_drawn(name)) {
        EXPECT_EQ(made.imaginary, std::vector<double>(made.values.size()));
      }
      EXPECT_EQ(plain.imaginary, std::vector<double>());
    }
}

TEST(matrix_generators, count_beyond_32_bits) {
  auto const far = geometric_rows(1000, 4, {index_t{1} << 33, 0});
  EXPECT_EQ(far.column_indices.type, element::i64);
  auto const rows = checked(far);
  EXPECT_GT(*std::max_element(rows.columns.begin(), rows.columns.end()), index_t{1} << 32);
  EXPECT_EQ(geometric_rows(10, 4, {index_t{1} << 31, 0}).column_indices.type, element::i32);
  for (index_t const more : {0, 1}) {
    auto const many = offsets_of_rows(1025, 2, [&](index_t row) {
      return row < 1023 ? index_t{1} << 21 : row == 1023 ? (1 << 21) - 1 : more;
    });
    EXPECT_EQ(many.type, more ? element::i64 : element::i32);
    EXPECT_EQ(offset_at(many, 1), index_t{1} << 21);
    EXPECT_EQ(offset_at(many, 1024), (index_t{1} << 31) - 1);
    EXPECT_EQ(offset_at(many, 1025), (index_t{1} << 31) - 1 + more);
  }
}

TEST(matrix_generators, refuse_what_cannot_be) {
  EXPECT_THROW(poisson_2d(0), usage_error);
  EXPECT_THROW(poisson_3d(4, 9), usage_error);
  EXPECT_THROW(elasticity_3d(1), usage_error);
  EXPECT_THROW(elasticity_3d((1 << 13) + 1), usage_error);
  EXPECT_THROW(arrow(-1), usage_error);
  EXPECT_THROW(arrow(5, row_place::scattered), usage_error);
  EXPECT_THROW(banded(-1, 1), usage_error);
  EXPECT_THROW(banded(1, -1), usage_error);
  EXPECT_THROW(rmat({32}), usage_error);
  EXPECT_THROW(rmat({-1}), usage_error);
  EXPECT_THROW(rmat({3, -1}), usage_error);
  EXPECT_THROW(geometric_rows(10, 0.5, {10}), usage_error);
  EXPECT_THROW(geometric_rows(10, 11, {10}), usage_error);
  EXPECT_THROW(geometric_rows(10, 8, {10, 3}), usage_error);  // 7 columns are near
  EXPECT_THROW(geometric_rows(10, std::nan(""), {10}), usage_error);
  EXPECT_THROW(empty_rows(10, {1.5}, {10}), usage_error);
  EXPECT_THROW(empty_rows(10, {std::nan("")}, {10}), usage_error);
  EXPECT_THROW(with_long_row(dense(2, 5), {6}), usage_error);
  EXPECT_THROW(with_long_row(dense(2, 5), {3, row_place::scattered}), usage_error);
  EXPECT_THROW(with_long_row(dense(2, 5), {3, row_place::end, 4}), usage_error);
  EXPECT_THROW(varied_rows({1000, 0, 1}, {100}), usage_error);
  EXPECT_THROW(varied_rows({1000, 101, 1}, {100}), usage_error);
  EXPECT_THROW(varied_rows({1000, 8, -1}, {100}), usage_error);
  EXPECT_THROW(dense(index_t{1} << 39, index_t{1} << 39), out_of_memory);
  EXPECT_THROW(banded(index_t{1} << 40, 1), out_of_memory);
}

// ---- stencils

TEST(poisson, in_two_dimensions_is_the_operator_of_the_grid) {
  for (index_t const k : {1, 2, 3, 8}) {
    auto const made = poisson_2d(k);
    auto const all = checked(made).entries();
    EXPECT_EQ(made.nonzeros(), 5 * k * k - 4 * k);
    for (index_t p = 0; p < k * k; ++p)
      for (index_t q = 0; q < k * k; ++q) {
        auto const apart = std::abs(p % k - q % k) + std::abs(p / k - q / k);
        ASSERT_EQ(all.count({p, q}), apart <= 1) << p << " " << q;
        if (apart <= 1) {
          ASSERT_EQ(all.at({p, q}), p == q ? 4 : -1);
        }
      }
  }
}

TEST(poisson, in_three_dimensions_is_the_operator_of_the_grid) {
  for (int const points : {7, 27})
    for (index_t const k : {1, 2, 3, 5}) {
      auto const made = poisson_3d(k, points);
      auto const all = checked(made).entries();
      EXPECT_EQ(made.nonzeros(), points == 7 ? 7 * k * k * k - 6 * k * k : (3 * k - 2) * (3 * k - 2) * (3 * k - 2));
      for (index_t p = 0; p < k * k * k; ++p)
        for (index_t q = 0; q < k * k * k; ++q) {
          auto const x = std::abs(p % k - q % k), y = std::abs(p / k % k - q / k % k), z = std::abs(p / k / k - q / k / k);
          bool const beside = points == 7 ? x + y + z <= 1 : std::max({x, y, z}) <= 1;
          ASSERT_EQ(all.count({p, q}), beside) << p << " " << q;
          if (beside) {
            ASSERT_EQ(all.at({p, q}), p == q ? points - 1 : -1);
          }
        }
    }
}

TEST(poisson, is_symmetric) {
  for (auto const& made : {poisson_2d(40), poisson_3d(12, 7), poisson_3d(9, 27)}) {
    auto const all = rows_of(made).entries();
    for (auto const& [at, value] : all) ASSERT_EQ(all.at({at.second, at.first}), value);
  }
}

TEST(banded, has_all_entries_of_its_band) {
  for (index_t const rows : {0, 1, 5, 1000})
    for (index_t const k : {0, 1, 4, 5, 70}) {
      auto const made = banded(rows, k);
      auto const all = checked(made);
      index_t const reach = std::max(index_t{0}, std::min(k, rows - 1));
      EXPECT_EQ(made.nonzeros(), rows * (2 * reach + 1) - reach * (reach + 1));
      for (index_t r = 0; r < rows; ++r)
        for (index_t j = all.offsets[static_cast<std::size_t>(r)]; j < all.offsets[static_cast<std::size_t>(r) + 1]; ++j)
          ASSERT_LE(std::abs(all.columns[static_cast<std::size_t>(j)] - r), k);
    }
}

TEST(arrow, has_its_diagonal_one_row_and_one_column) {
  for (index_t const rows : {0, 1, 2, 5, 1000})
    for (auto const& [where, tip] : std::vector<std::pair<row_place, index_t>>{
             {row_place::top, 0}, {row_place::middle, rows / 2}, {row_place::end, rows - 1}}) {
      std::vector<index_t> columns, offsets{0};
      for (index_t r = 0; r < rows; ++r) {
        for (index_t c = 0; c < rows; ++c)
          if (r == c || r == tip || c == tip) columns.push_back(c);
        offsets.push_back(std::ssize(columns));
      }
      auto const made = arrow(rows, where);
      EXPECT_EQ(made.columns, rows);
      auto const found = checked(made);
      EXPECT_EQ(found.offsets, offsets);
      EXPECT_EQ(found.columns, columns);
    }
}

TEST(dense, has_all_entries) {
  for (auto const& [rows, columns] : std::vector<std::pair<index_t, index_t>>{{0, 3}, {3, 0}, {1, 1}, {7, 300}, {300, 7}}) {
    auto const made = dense(rows, columns);
    EXPECT_EQ(made.rows, rows);
    EXPECT_EQ(made.columns, columns);
    EXPECT_EQ(made.nonzeros(), rows * columns);
    checked(made);
  }
}

// ---- one long row

TEST(long_row, stands_between_the_others) {
  auto const others = banded(1000, 2);
  rows_of const before(others);
  for (auto const& [where, at] :
       std::vector<std::pair<row_place, std::size_t>>{{row_place::top, 0}, {row_place::middle, 500}, {row_place::end, 1000}})
    for (index_t const nonzeros : {0, 1, 700, 1000}) {
      auto const made = with_long_row(others, {nonzeros, where, 1});
      auto const all = checked(made);
      EXPECT_EQ(made.rows, 1001);
      EXPECT_EQ(all.length(at), nonzeros);
      // Without the row, the others.
      auto const first = all.offsets[at], last = all.offsets[at + 1];
      auto columns = all.columns;
      auto values = all.values;
      columns.erase(columns.begin() + first, columns.begin() + last);
      values.erase(values.begin() + first, values.begin() + last);
      EXPECT_EQ(columns, before.columns);
      EXPECT_EQ(values, before.values);
      auto lengths = all.lengths();
      lengths.erase(lengths.begin() + static_cast<std::ptrdiff_t>(at));
      EXPECT_EQ(lengths, before.lengths());
      if (nonzeros == 700) {  // over all columns
        EXPECT_LT(all.columns[static_cast<std::size_t>(first)], 2);
        EXPECT_GT(all.columns[static_cast<std::size_t>(last) - 1], 997);
      }
    }
}

TEST(long_row, in_pieces_has_the_same_nonzeros) {
  auto const others = poisson_3d(12, 7);
  for (auto const where : {row_place::top, row_place::middle, row_place::end})
    for (index_t const pieces : {2, 10, 999, 1500}) {
      auto const whole = with_long_row(others, {1500, where, 1}), cut = with_long_row(others, {1500, where, pieces});
      rows_of const one(whole);
      auto const many = checked(cut);
      EXPECT_EQ(cut.rows, whole.rows - 1 + pieces);
      EXPECT_EQ(one.columns, many.columns);
      EXPECT_EQ(one.values, many.values);
      auto const at = static_cast<std::size_t>(where == row_place::top      ? 0
                                               : where == row_place::middle ? others.rows / 2
                                                                            : others.rows);
      for (std::size_t piece = at; piece < at + static_cast<std::size_t>(pieces); ++piece)
        EXPECT_TRUE(many.length(piece) == 1500 / pieces || many.length(piece) == 1500 / pieces + 1);
      EXPECT_EQ(many.offsets[at + static_cast<std::size_t>(pieces)] - many.offsets[at], 1500);
    }
}

// ---- order of columns

TEST(column_order, moves_entries_within_their_rows) {
  for (double const mean : {2.0, 20.0}) {
    auto const plain = geometric_rows(5000, mean, {5000, 0});
    rows_of const before(plain);
    for (auto const order : {column_order::reversed, column_order::shuffled, column_order::rising}) {
      auto made = geometric_rows(5000, mean, {5000, 0});
      order_columns(made, order);
      auto const all = checked(made, order == column_order::rising ? 1 : -1);
      EXPECT_EQ(all.entries(), before.entries());
      EXPECT_EQ(all.offsets, before.offsets);
      double rising = 0, steps = 0;
      for (std::size_t r = 0; r < 5000; ++r)
        for (auto k = static_cast<std::size_t>(all.offsets[r]) + 1; k < static_cast<std::size_t>(all.offsets[r + 1]); ++k)
          rising += all.columns[k] > all.columns[k - 1], ++steps;
      EXPECT_NEAR(rising / steps, order == column_order::rising ? 1 : order == column_order::reversed ? 0 : 0.5, 0.02) << mean;
    }
  }
}

TEST(column_order, of_zeros_keeps_rows_and_values) {
  auto const plain = geometric_rows(3000, 20, {3000, 0});
  auto made = geometric_rows(3000, 20, {3000, 0});
  order_columns(made, column_order::all_zero);
  auto const all = checked(made, -1);
  EXPECT_EQ(all.offsets, rows_of(plain).offsets);
  EXPECT_EQ(all.values, rows_of(plain).values);
  EXPECT_EQ(std::count(all.columns.begin(), all.columns.end(), 0), made.nonzeros());
}
