// lookback gen, of matrices.
#include "io/read_matrix.hpp"
#include "matrix.hpp"

using ::testing::HasSubstr;

class gen_matrix : public program {
 protected:
  void refused(std::vector<std::string> words, char const* text, int code = 64, std::string const& out = "x.mtx") {
    words.insert(words.begin(), "gen");
    words.insert(words.end(), {"-o", out});
    auto const done = run(words);
    EXPECT_EQ(done.code, code) << words[1] << " " << done.err;
    EXPECT_THAT(done.err, HasSubstr(text));
    EXPECT_FALSE(exists(out));
  }
};

TEST_F(gen_matrix, writes_what_the_generator_makes) {
  auto const size_line = [&](std::vector<std::string> words) {
    words.insert(words.begin(), "gen");
    words.insert(words.end(), {"-o", "m.mtx"});
    auto const done = run(words);
    EXPECT_EQ(done.code, 0) << done.err;
    auto const text = read("m.mtx");
    EXPECT_EQ(text.substr(0, 14), "%%MatrixMarket");
    std::size_t at = 0;
    while (text.at(at) == '%') at = text.find('\n', at) + 1;
    return text.substr(at, text.find('\n', at) - at);
  };
  auto const line_of = [](matrix const& m) {
    return std::to_string(m.rows) + " " + std::to_string(m.columns) + " " + std::to_string(m.nonzeros());
  };
  generation how;
  how.seed = 9;
  EXPECT_EQ(size_line({"rmat", "--scale", "6", "--seed", "9"}), line_of(rmat({6}, how)));
  EXPECT_EQ(size_line({"rmat", "--scale", "6", "--edge-factor", "4", "--keep-duplicates"}), "64 64 256");
  EXPECT_EQ(size_line({"poisson2d", "--size", "10"}), "100 100 460");
  EXPECT_EQ(size_line({"poisson3d", "--size", "4"}), "64 64 352");
  EXPECT_EQ(size_line({"poisson3d", "--size", "4", "--points", "27"}), "64 64 1000");
  EXPECT_EQ(size_line({"elasticity", "--size", "4"}), "192 192 9000");
  EXPECT_EQ(size_line({"banded", "--rows", "10", "--bandwidth", "1"}), "10 10 28");
  EXPECT_EQ(size_line({"arrow", "--rows", "10"}), "10 10 28");
  EXPECT_THAT(read("m.mtx"), HasSubstr("\n1 10 "));
  EXPECT_EQ(size_line({"arrow", "--rows", "10", "--where", "end"}), "10 10 28");
  EXPECT_THAT(read("m.mtx"), HasSubstr("\n10 2 "));
  EXPECT_EQ(size_line({"dense", "--rows", "3", "--columns", "5"}), "3 5 15");
  EXPECT_EQ(size_line({"dense-row", "--size", "3"}), "28 27 162");
  EXPECT_EQ(size_line({"dense-row", "--size", "3", "--dense", "20", "--cut", "5"}), "32 27 155");
  EXPECT_EQ(size_line({"dense-row", "--rows", "100", "--mean", "1", "--where", "end"}), "101 100 200");
  EXPECT_EQ(size_line({"varied-rows", "--nonzeros", "1000", "--mean", "4", "--cv", "2"}), "250 250 1000");
  EXPECT_EQ(size_line({"empty-rows", "--rows", "100", "--empty", "0.9", "--mean", "1"}), "100 100 10");
  EXPECT_EQ(size_line({"geometric-rows", "--rows", "50", "--mean", "3", "--seed", "9", "--near", "9", "--columns", "70"}),
            line_of(geometric_rows(50, 3, {70, 9}, how)));
  for (std::string const name : {"geometric-rows", "empty-rows"})
    EXPECT_EQ(size_line({name, "--rows", "50", "--mean", "6", "--seed", "9", "--neighbours", "2", "--alike", "3"}),
              line_of(name == "empty-rows" ? empty_rows(50, {0.5, row_place::scattered, 6}, {50, 0, 2, 3}, how)
                                           : geometric_rows(50, 6, {50, 0, 2, 3}, how)));
  EXPECT_EQ(size_line({"varied-rows", "--nonzeros", "60", "--mean", "6", "--cv", "0", "--neighbours", "2", "--alike", "9"}),
            "10 10 60");
  EXPECT_EQ(size_line({"circuit", "--rows", "5000", "--seed", "9"}), line_of(circuit({5000, 4, 1000, 20, 1000, 1}, how)));
  EXPECT_EQ(size_line({"circuit", "--rows", "500", "--mean", "3", "--near", "7", "--dense-rows", "5", "--dense", "400", "--decay",
                       "0.5", "--seed", "9"}),
            line_of(circuit({500, 3, 7, 5, 400, 0.5}, how)));
  EXPECT_EQ(size_line({"banded", "--rows", "3", "--bandwidth", "0", "--dtype", "i32"}), "3 3 3");
  EXPECT_THAT(read("m.mtx"), HasSubstr("integer"));
}

TEST_F(gen_matrix, writes_complex_numbers_that_come_back) {
  for (element const type : {element::c64, element::c128})
    for (std::string const name : {"m.mtx", "m.npz"}) {
      auto const done = run({"gen", "rmat", "--scale", "7", "--dtype", dispatch::name_of(type), "-o", name});
      ASSERT_EQ(done.code, 0) << done.err;
      auto const made = rmat({7}, {type}), again = read_matrix((folder / name).string());
      EXPECT_EQ(again.values.type, name == "m.npz" ? type : element::c128);
      rows_of const expected(made), found(again);
      EXPECT_EQ(found.offsets, expected.offsets);
      EXPECT_EQ(found.columns, expected.columns);
      // Text has the shortest digits that name a float: as a double they are another one, beside it.
      auto const same = [&](std::vector<double> const& a, std::vector<double> const& b) {
        return type == element::c128 ? a == b : std::vector<float>(a.begin(), a.end()) == std::vector<float>(b.begin(), b.end());
      };
      EXPECT_TRUE(same(found.values, expected.values));
      EXPECT_TRUE(same(found.imaginary, expected.imaginary));
    }
  ASSERT_EQ(run({"gen", "banded", "--rows", "2", "--bandwidth", "0", "--dtype", "c64", "-o", "m.mtx"}).code, 0);
  EXPECT_THAT(read("m.mtx"), HasSubstr("%%MatrixMarket matrix coordinate complex general\n2 2 2\n1 1 "));
}

TEST_F(gen_matrix, columns_are_ordered_as_asked) {
  ASSERT_EQ(run({"gen", "dense", "--rows", "2", "--columns", "3", "--order", "reversed", "-o", "m.mtx"}).code, 0);
  EXPECT_THAT(read("m.mtx"), HasSubstr("\n1 3 "));
  auto const done = run({"gen", "dense", "--rows", "2", "--columns", "3", "--columns-zero", "-o", "m.mtx"});
  EXPECT_THAT(done.err, HasSubstr("add up duplicates"));
  EXPECT_THAT(read("m.mtx"), testing::Not(HasSubstr("\n1 2 ")));
  EXPECT_EQ(run({"gen", "dense", "--columns-zero", "--order", "shuffled", "-o", "x.mtx"}).code, 64);
}

TEST_F(gen_matrix, refuses_what_its_generator_would_not_hear) {
  refused({"poisson2d", "--scale", "3"}, "--scale: belongs to gen rmat, found gen poisson2d");
  refused({"banded", "--size", "3"}, "--size: belongs to gen poisson2d, poisson3d, elasticity and dense-row, found gen banded");
  refused({"poisson2d", "--points", "7"}, "--points: belongs to gen poisson3d");
  refused({"rmat", "--n", "3"}, "--n: belongs to gen uniform, entropy, runs and segments, found gen rmat");
  refused({"rmat", "--rows", "3"}, "--rows: belongs to gen banded");
  refused({"rmat", "--columns", "3"}, "--columns: belongs to gen uniform");
  refused({"rmat", "--mean", "3"}, "--mean: belongs to gen runs");
  refused({"elasticity", "--points", "27"}, "--points: belongs to gen poisson3d");
  refused({"arrow", "--dense", "3"}, "--dense: belongs to gen dense-row and circuit, found gen arrow");
  refused({"dense-row", "--dense-rows", "3"}, "--dense-rows: belongs to gen circuit");
  refused({"dense-row", "--decay", "3"}, "--decay: belongs to gen circuit");
  refused({"circuit", "--neighbours", "1"}, "--neighbours: belongs to gen geometric-rows, varied-rows and empty-rows");
  refused({"banded", "--alike", "2"}, "--alike: belongs to gen geometric-rows, varied-rows and empty-rows");
  refused({"circuit", "--where", "top"}, "--where: belongs to gen arrow, dense-row and empty-rows");
  refused({"dense-row", "--cv", "3"}, "--cv: belongs to gen varied-rows");
  refused({"varied-rows", "--cut", "3"}, "--cut: belongs to gen dense-row");
  refused({"uniform", "--columns-zero"}, "--columns-zero: belongs to gen rmat");
  refused({"runs", "--order", "shuffled"}, "--order: belongs to gen rmat");
  refused({"banded", "--unpermuted"}, "--unpermuted: belongs to gen rmat");
  refused({"geometric-rows", "--empty", "0.5"}, "--empty: belongs to gen segments and empty-rows");
  refused({"dense-row", "--size", "3", "--rows", "9"}, "--rows: found --size too");
  refused({"dense-row", "--mean", "3"}, "--mean: belongs to --rows");
}

TEST_F(gen_matrix, refuses_what_cannot_be) {
  refused({"dense"}, "expected .mtx or .npz", 64, "x.npy");
  refused({"dense", "--dtype", "u8"}, "--dtype: found 'u8', expected f32, f64, i32, i64, c64 or c128 for a matrix");
  refused({"uniform", "--dtype", "c64"}, "--dtype: found 'c64', expected one of i8");
  refused({"rmat", "--scale", "40"}, "--scale: found 40, expected 0 to 31");
  refused({"poisson3d", "--points", "9"}, "--points");
  refused({"elasticity", "--size", "1"}, "--size: found 1, expected 2 to 8192");
  refused({"elasticity", "--size", "8192"}, "no memory", 71);
  refused({"arrow", "--rows", "9", "--where", "scattered"}, "--where: found scattered, expected top, middle or end");
  refused({"arrow", "--rows", "2^41"}, "--rows: found ");
  refused({"arrow", "--rows", "2^40"}, "no memory", 71);
  refused({"circuit", "--rows", "20"}, "--dense-rows: found 20, expected 0 to 19");
  refused({"circuit", "--dense-rows", "33"}, "--dense-rows: found 33, expected 0 to 32");
  refused({"circuit", "--dense", "2000000"}, "--dense: found 2000000, expected 0 to 1048576");
  refused({"circuit", "--decay", "-1"}, "--decay: found -1, expected 0 to 100");
  refused({"circuit", "--near", "3", "--mean", "8"}, "--mean: found 8, expected 1 to 7, the largest number of nonzeros in a row");
  refused({"circuit", "--rows", "2^40"}, "no memory", 71);
  refused({"dense-row", "--size", "3", "--dense", "28"}, "--dense: found 28, expected 0 to 27");
  refused({"dense-row", "--size", "3", "--where", "scattered"}, "--where: found scattered, expected top, middle or end");
  refused({"geometric-rows", "--rows", "10", "--mean", "11"}, "--mean: found 11");
  for (std::string const mean : {"0", "-1", "nan", "1e-300", "inf"}) refused({"varied-rows", "--mean=" + mean}, "--mean: found ");
  refused({"varied-rows", "--cv", "1000000"}, "--cv: found 1e+06, expected at most");
  refused({"empty-rows", "--empty", "2"}, "--empty: found 2, expected a share from 0 to 1");
  refused({"geometric-rows", "--neighbours", "3"}, "--neighbours: found 3, expected 0 to 2");
  refused({"varied-rows", "--alike", "0"}, "--alike: found 0, expected 1 to");
  refused({"geometric-rows", "--near", "0"}, "--near");
  refused({"banded", "--rows", "many"}, "--rows");
  refused({"banded", "--rows", "2^40"}, "no memory", 71);
  refused({"dense"}, "no/x.mtx", 74, "no/x.mtx");
}
