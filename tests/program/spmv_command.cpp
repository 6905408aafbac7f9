// lookback spmv from outside: what it computes of every kind of file, what it refuses, what it says.
#include <complex>

#include "program.hpp"

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;

namespace {

using words = std::vector<std::string>;
using c128 = std::complex<double>;
using c64 = std::complex<float>;

std::string market(std::string const& kind, std::string const& lines) { return "%%MatrixMarket matrix " + kind + "\n" + lines; }
std::string const real_2_by_3 = market("coordinate real general", "2 3 3\n1 1 1.5\n1 3 2\n2 2 -4\n");

template <class T>
std::string descr() {
  if constexpr (std::is_arithmetic_v<T>) return descr_of<T>();
  else return "<c" + std::to_string(sizeof(T));
}
template <class T>
std::string complex_npy(std::vector<T> const& values) {
  return npy_text(dict_of(descr<T>(), "(" + std::to_string(values.size()) + ",)"), raw(values));
}

}  // namespace

class spmv_command : public program {
 protected:
  /// y, of a type that must be T, by `spmv m.mtx` and more words; validated by the program.
  template <class T>
  std::vector<T> product(words more = {}, std::string const& matrix = "m.mtx") {
    more.insert(more.begin(), {"spmv", matrix, "-o", "y.npy", "--validate"});
    auto const done = run(more);
    EXPECT_EQ(done.code, 0) << done.err;
    EXPECT_EQ(done.out, "");
    said = done.err;
    auto const content = open_npy(read("y.npy"));
    EXPECT_THAT(content.dict, HasSubstr("'" + descr<T>() + "'"));
    return elements<T>(content.data);
  }
  template <class T>
  std::vector<T> product_of(std::string const& kind, std::string const& lines, words const& more = {}) {
    write("m.mtx", market(kind, lines));
    return product<T>(more);
  }
  /// At once, and the folder stays as it was.
  void refused(int code, words more, words const& named, std::string const& matrix = "m.mtx") {
    more.insert(more.begin(), {"spmv", matrix});
    if (std::find(more.begin(), more.end(), "-o") == more.end()) more.insert(more.end(), {"-o", "new.npy"});
    auto const before = files();
    auto const done = run(more);
    EXPECT_EQ(done.code, code) << done.err;
    for (auto const& text : named) EXPECT_THAT(done.err, HasSubstr(text));
    EXPECT_LT(done.seconds, soon);
    EXPECT_EQ(files(), before);
  }
  std::string said;
};

TEST_F(spmv_command, every_field) {
  EXPECT_THAT(product_of<double>("coordinate real general", "2 3 3\n1 1 1.5\n1 3 2\n2 2 -4\n"), ElementsAre(7.5, -8));
  EXPECT_THAT(product_of<double>("coordinate pattern general", "2 3 3\n1 1\n1 3\n2 2\n"), ElementsAre(4, 2));
  EXPECT_THAT(product_of<std::int64_t>("coordinate integer general", "2 3 2\n1 1 5\n2 3 -7\n"), ElementsAre(5, -21));
  EXPECT_THAT(product_of<c128>("coordinate complex general", "1 2 2\n1 1 0 1\n1 2 2 -1\n"), ElementsAre(c128(4, -1)));
  EXPECT_THAT(product_of<double>("array real general", "2 2\n1\n2\n3\n4\n"), ElementsAre(7, 10));
}

TEST_F(spmv_command, every_symmetry) {
  EXPECT_THAT(product_of<double>("coordinate real symmetric", "2 2 2\n1 1 3\n2 1 5\n"), ElementsAre(13, 5));
  EXPECT_THAT(product_of<std::int64_t>("coordinate integer skew-symmetric", "2 2 1\n2 1 4\n"), ElementsAre(-8, 4));
  EXPECT_THAT(product_of<c128>("coordinate complex hermitian", "2 2 2\n1 1 7 0\n2 1 4 5\n"),
              ElementsAre(c128(15, -10), c128(4, 5)));
  product_of<double>("coordinate real symmetric", "2 2 2\n1 2 3\n2 1 5\n");
  EXPECT_THAT(said, HasSubstr("note"));  // both sides hold entries
}

TEST_F(spmv_command, x_repeats_after_seven_unless_named) {
  std::string ones = "1 9 9\n";
  for (int j = 1; j <= 9; ++j) ones += "1 " + std::to_string(j) + "\n";
  EXPECT_THAT(product_of<double>("coordinate pattern general", ones), ElementsAre(1 + 2 + 3 + 4 + 5 + 6 + 7 + 1 + 2));
}

TEST_F(spmv_command, x_from_every_kind_of_file) {
  write("m.mtx", real_2_by_3);
  std::vector<double> const x{2, 3, 10};
  write("x.npy", npy(x)), write("x.mtx", market("array real general", "3 1\n2\n3\n10\n"));
  write("sparse.mtx", market("coordinate integer general", "3 1 1\n3 1 10\n"));
  write("x.csv", "a,b\n0,2\n0,3\n0,10\n"), write("x.bin", raw(x));
  EXPECT_THAT(product<double>({"-x", "x.npy"}), ElementsAre(23, -12));
  EXPECT_THAT(product<double>({"-x", "x.mtx"}), ElementsAre(23, -12));
  EXPECT_THAT(product<double>({"-x", "sparse.mtx"}), ElementsAre(20, 0));
  EXPECT_THAT(product<double>({"-x", "x.csv", "--column", "b"}), ElementsAre(23, -12));
  EXPECT_THAT(product<double>({"-x", "x.bin", "--dtype", "f64"}), ElementsAre(23, -12));
}

// Words about raw files and texts are for these alone, and for one of them.
TEST_F(spmv_command, vectors_of_several_kinds) {
  write("m.mtx", real_2_by_3);
  write("x.bin", raw(std::vector<float>{2, 3, 10})), write("x.csv", "a,b\n0,2\n0,3\n0,10\n");
  write("y0.npy", npy(std::vector<std::int64_t>{10, 20})), write("y0.mtx", market("array integer general", "2 1\n10\n20\n"));
  for (std::string const y : {"y0.npy", "y0.mtx"}) {
    EXPECT_THAT(product<double>({"-x", "x.bin", "--dtype", "f32", "-y", y, "--beta", "1"}), ElementsAre(33, 8));
    EXPECT_THAT(product<double>({"-x", "x.csv", "--column", "b", "-y", y, "--beta", "1"}), ElementsAre(33, 8));
    refused(64, {"-y", y, "--beta", "1", "--dtype", "f32"}, {"--dtype: neither -x nor -y names a raw file or a text"});
  }
  refused(64, {"--column", "b"}, {"--column: neither -x nor -y"});
  write("short.bin", raw(std::vector<float>{2, 3}));
  refused(65, {"-x", "short.bin", "--dtype", "f32"}, {"short.bin", "found 2 elements", "expected 3"});
}

TEST_F(spmv_command, the_type_follows_from_all_parts) {
  write("m.mtx", market("coordinate integer general", "1 2 2\n1 1 3\n1 2 4\n"));
  write("i.npy", npy(std::vector<std::int8_t>{1, -1})), write("f.npy", npy(std::vector<float>{0.5f, 1}));
  write("c.npy", complex_npy(std::vector<c64>{{0, 1}, {1, 0}}));
  EXPECT_THAT(product<std::int64_t>({"-x", "i.npy"}), ElementsAre(-1));
  EXPECT_THAT(product<double>({"-x", "f.npy"}), ElementsAre(5.5));
  EXPECT_THAT(product<c128>({"-x", "c.npy"}), ElementsAre(c128(4, 3)));
  for (std::string const type : {"i32", "f32"})
    ASSERT_EQ(run({"gen", "dense", "--rows", "2", "--columns", "2", "--dtype", type, "-o", type + ".npz"}).code, 0);
  EXPECT_EQ(product<std::int32_t>({}, "i32.npz").size(), 2u);
  EXPECT_THAT(said, HasSubstr("wrap modulo 2^32"));
  EXPECT_EQ(product<std::int32_t>({"-x", "i.npy"}, "i32.npz").size(), 2u);
  EXPECT_EQ(product<float>({}, "f32.npz").size(), 2u);
  EXPECT_EQ(product<float>({"-x", "f.npy"}, "f32.npz").size(), 2u);
  EXPECT_EQ(product<double>({"-x", "f.npy"}, "i32.npz").size(), 2u);
  EXPECT_EQ(product<c64>({"-x", "c.npy"}, "f32.npz").size(), 2u);
}

TEST_F(spmv_command, precision_overrides_it) {
  write("m.mtx", market("coordinate integer general", "1 1 1\n1 1 3\n"));
  EXPECT_THAT(product<float>({"--precision", "f32"}), ElementsAre(3));
  EXPECT_THAT(product<double>({"--precision", "f64", "--alpha", "0.5"}), ElementsAre(1.5));
  write("m.mtx", market("coordinate complex general", "1 1 1\n1 1 3 4\n"));
  EXPECT_THAT(product<c64>({"--precision", "f32"}), ElementsAre(c64(3, 4)));
  write("m.mtx", real_2_by_3);
  EXPECT_THAT(product<float>({"--precision", "f32"}), ElementsAre(7.5f, -8));
}

TEST_F(spmv_command, integers_wrap) {
  // 2^62 times x[3] = 4; and a sum that passes the end.
  EXPECT_THAT(
      product_of<std::int64_t>("coordinate integer general", "2 4 3\n1 4 4611686018427387904\n2 1 9223372036854775807\n2 2 1\n"),
      ElementsAre(0, INT64_MIN + 1));
  EXPECT_THAT(said, HasSubstr("i64 and wrap modulo 2^64"));
}

TEST_F(spmv_command, alpha_and_beta) {
  write("m.mtx", real_2_by_3);
  std::string const before = npy(std::vector<double>{10, 20});
  write("y0.npy", before);
  EXPECT_THAT(product<double>({"--alpha", "2"}), ElementsAre(15, -16));
  EXPECT_THAT(product<double>({"--alpha", "-2"}), ElementsAre(-15, 16));
  EXPECT_THAT(product<double>({"--beta", "-0.5", "-y", "y0.npy"}), ElementsAre(2.5, -18));
  EXPECT_THAT(product<double>({"--alpha", "0", "--beta", "3", "-y", "y0.npy", "--repeat", "3"}), ElementsAre(30, 60));
  EXPECT_EQ(read("y0.npy"), before);
  EXPECT_THAT(said, HasSubstr("y = 0 A x + 3 y"));
  EXPECT_THAT(said, HasSubstr("y twice"));
  // What nothing is added to is not read.
  write("nan.npy", npy(std::vector<double>{NAN, NAN}));
  EXPECT_THAT(product<double>({"--beta", "0", "-y", "nan.npy"}), ElementsAre(7.5, -8));
  EXPECT_THAT(said, HasSubstr("y = A x + 0 y"));
  EXPECT_THAT(said, HasSubstr("offsets, x and y each once"));
  for (std::string const strategy : {"sequential", "reduce-then-scan"})
    EXPECT_THAT(product<double>({"--alpha", "2", "--beta", "1", "-y", "y0.npy", "--strategy", strategy}), ElementsAre(25, 4));
  write("m.mtx", market("coordinate integer general", "1 1 1\n1 1 3\n"));
  write("y0.npy", npy(std::vector<int>{5}));
  EXPECT_THAT(product<std::int64_t>({"--alpha", "-1", "--beta", "2", "-y", "y0.npy"}), ElementsAre(7));
}

// alpha A leaves the range, alpha (A x) does not: what is computed, and what it is checked against.
TEST_F(spmv_command, alpha_scales_the_sums) {
  write("y0.npy", npy(std::vector<double>{0}));
  for (words const& more : {words{}, {"-y", "y0.npy", "--beta", "1"}}) {
    auto const scaled = [&](std::string const& a, double x, std::string const& alpha) {
      write("m.mtx", market("coordinate real general", "1 1 1\n1 1 " + a + "\n")), write("x.npy", npy(std::vector<double>{x}));
      words all{"-x", "x.npy", "--alpha", alpha};
      all.insert(all.end(), more.begin(), more.end());
      return product<double>(all).at(0);
    };
    EXPECT_DOUBLE_EQ(scaled("1e200", 1e-200, "1e200"), 1e200);
    EXPECT_DOUBLE_EQ(scaled("1e-200", 1e300, "1e-200"), 1e-100);
  }
}

TEST_F(spmv_command, complex_factors) {
  write("m.mtx", market("coordinate complex general", "1 1 1\n1 1 3 4\n"));
  EXPECT_THAT(product<c128>({"--alpha", "2"}), ElementsAre(c128(6, 8)));
  EXPECT_THAT(product<c128>({"--alpha", "1-2i"}), ElementsAre(c128(11, -2)));
  EXPECT_THAT(product<c128>({"--alpha", "-i"}), ElementsAre(c128(4, -3)));
  EXPECT_THAT(product<c128>({"--alpha", "1e1+1e-1i"}), ElementsAre(c128(29.6, 40.3)));
  refused(64, {"--alpha", "1-2j"}, {"--alpha", "'1-2j'", "1.5-2i"});
}

TEST_F(spmv_command, nothing_in_it) {
  EXPECT_TRUE(product_of<double>("coordinate real general", "0 0 0\n").empty());
  EXPECT_TRUE(product_of<double>("coordinate real general", "0 5 0\n").empty());
  EXPECT_THAT(product_of<double>("coordinate real general", "3 0 0\n"), ElementsAre(0, 0, 0));
  EXPECT_THAT(product_of<std::int64_t>("coordinate integer general", "3 4 0\n"), ElementsAre(0, 0, 0));
  EXPECT_THAT(said, HasSubstr("rows of 0 to 0 nonzeros, mean 0.00, median 0.0, cv 0.00, 100.0 % empty"));
  write("y0.npy", npy(std::vector<double>{1, 2, 3}));
  EXPECT_THAT(product_of<double>("coordinate pattern general", "3 4 0\n", {"-y", "y0.npy", "--beta", "2"}), ElementsAre(2, 4, 6));
}

TEST_F(spmv_command, what_is_not_finite_is_equal_to_itself) {
  auto const y = product_of<double>("coordinate real general", "3 2 5\n1 1 inf\n1 2 -inf\n2 1 -inf\n3 1 nan\n3 2 1\n");
  EXPECT_TRUE(std::isnan(y[0]) && std::isnan(y[2]));
  EXPECT_EQ(y[1], -INFINITY);
  // The sum is in range, but not in every order.
  product_of<double>("coordinate real general", "1 3 3\n1 1 1.7e308\n1 2 0.8e308\n1 3 -0.7e308\n");
}

// Against a plain loop of more digits. All terms are positive: a sum is off by an eps for each of its additions at most.
TEST_F(spmv_command, every_strategy_and_number_of_threads) {
  constexpr std::size_t n = 4096;
  std::vector<double> x(n);
  for (std::size_t j = 0; j < n; ++j) x[j] = 1.0 / static_cast<double>(j % 1013 + 3);
  std::vector<std::vector<std::size_t>> rows(n);
  std::string lines;
  std::size_t nonzeros = 0;
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t k = 0; k < (i == 100 ? n : i % 40); ++k, ++nonzeros) {
      rows[i].push_back((i * 7 + k * 13) % n);
      lines += std::to_string(i + 1) + " " + std::to_string(rows[i].back() + 1) + "\n";
    }
  write("m.mtx", market("coordinate pattern general",
                        std::to_string(n) + " " + std::to_string(n) + " " + std::to_string(nonzeros) + "\n" + lines));
  write("x.npy", npy(x));
  auto const expect_product = [&]<class T>(std::vector<T> const& y) {
    ASSERT_EQ(y.size(), n);
    for (std::size_t i = 0; i < n; ++i) {
      long double sum = 0;
      for (auto const column : rows[i]) sum += static_cast<T>(x[column]);
      double const bound = static_cast<double>(rows[i].size()) * static_cast<double>(std::numeric_limits<T>::epsilon() * sum);
      ASSERT_NEAR(static_cast<double>(y[i]), static_cast<double>(sum), bound) << "row " << i + 1;
    }
  };
  for (std::string const strategy : {"decoupled-look-back", "reduce-then-scan", "sequential"})
    for (std::string const threads : {"1", "2", "3"}) {
      words const how{"-x", "x.npy", "--strategy", strategy, "--threads", threads};
      SCOPED_TRACE(strategy + ", threads: " + threads);
      expect_product(product<double>(how));
      auto narrow = how;
      narrow.insert(narrow.end(), {"--precision", "f32"});
      expect_product(product<float>(narrow));
    }
}

// 1.4 M nonzeros, of which no sum is exact: many tiles.
TEST_F(spmv_command, the_same_bits_for_any_number_of_threads) {
  ASSERT_EQ(run({"gen", "poisson2d", "--size", "500", "-o", "m.npz"}).code, 0);
  std::vector<double> x(250000);
  for (std::size_t j = 0; j < x.size(); ++j) x[j] = 1.0 / static_cast<double>(j % 1013 + 3);
  write("x.npy", npy(x));
  for (std::string const precision : {"f32", "f64"}) {
    auto const y = [&](std::string const& threads) {
      EXPECT_EQ(
          run({"spmv", "m.npz", "-x", "x.npy", "--precision", precision, "-o", "y.npy", "--reproducible", "--threads", threads})
              .code,
          0);
      return read("y.npy");
    };
    auto const one = y("1");
    EXPECT_EQ(y("2"), one);
    EXPECT_EQ(y("3"), one);
  }
}

TEST_F(spmv_command, says_what_it_did) {
  write("m.mtx", market("coordinate real general", "4 4 6\n1 1 1\n1 2 1\n1 3 1\n2 1 1\n2 2 1\n4 4 1\n"));
  product<double>({"--repeat", "2", "--json", "all.json"});
  for (std::string const text :
       {"4 rows, 4 columns, 6 nonzeros", "rows of 0 to 3 nonzeros, mean 1.50, median 1.5, cv 0.75, 25.0 % empty", "load ",
        "kernel ", "GB/s: values, column indices, offsets, x and y each once", "median of 2 runs",
        "validated against Eigen: 2 (row length + 1 + log2 tiles) eps |A||x|"})
    EXPECT_THAT(said, HasSubstr(text));
  auto const report = read("all.json");
  for (std::string const text : {"\"rows\": 4", "\"columns\": 4", "\"nonzeros\": 6", "\"longest_row\": 3", "\"median_row\": 1.5",
                                 "\"empty_rows\": 1", "\"variation_of_rows\": 0.745", "spmv/cpu/"})
    EXPECT_THAT(report, HasSubstr(text));
  EXPECT_EQ(run({"spmv", "m.mtx", "-o", "y.npy", "--quiet"}).err, "");
}

TEST_F(spmv_command, y_to_every_kind_of_file) {
  write("m.mtx", real_2_by_3);
  for (std::string const name : {"y.csv", "y.bin", "y.mtx"}) ASSERT_EQ(run({"spmv", "m.mtx", "-o", name, "--quiet"}).code, 0);
  EXPECT_EQ(read("y.csv"), "7.5\n-8\n");
  EXPECT_EQ(read("y.bin"), raw(std::vector<double>{7.5, -8}));
  EXPECT_EQ(read("y.mtx"), market("array real general", "2 1\n7.5\n-8\n"));
  write("m.mtx", market("coordinate complex general", "2 1 1\n2 1 3 -4\n"));
  ASSERT_EQ(run({"spmv", "m.mtx", "-o", "y.mtx", "--quiet"}).code, 0);
  EXPECT_EQ(read("y.mtx"), market("array complex general", "2 1\n0 0\n3 -4\n"));
  // Of two dimensions Matrix Market goes down the columns.
  write("two.npy", npy(std::vector<int>{1, 1, 1, 1, 1, 1}, "(2, 3)"));
  ASSERT_EQ(run({"scan", "two.npy", "-o", "sums.mtx", "--quiet"}).code, 0);
  EXPECT_EQ(read("sums.mtx"), market("array integer general", "2 3\n1\n4\n2\n5\n3\n6\n"));
  write("none.npy", npy(std::vector<int>{}, "(3, 0)"));
  ASSERT_EQ(run({"scan", "none.npy", "-o", "none.mtx", "--quiet"}).code, 0);
  EXPECT_EQ(read("none.mtx"), market("array integer general", "3 0\n"));
  ASSERT_EQ(run({"gen", "uniform", "--n", "6", "--columns", "2", "--low", "5", "--high", "6", "-o", "gen.mtx"}).code, 0);
  EXPECT_EQ(read("gen.mtx"), market("array integer general", "3 2\n5\n5\n5\n5\n5\n5\n"));
  refused(64, {"-o", "new.csv"}, {"new.csv", "complex", ".mtx"});
}

// What readers would take for something else.
TEST_F(spmv_command, names_that_no_array_is_written_to) {
  write("m.mtx", real_2_by_3), write("in.npy", npy(std::vector<int>{1}));
  for (std::string const name : {"new.npz", "new.mtx.gz", "new.gz"}) {
    refused(64, {"-o", name}, {name, "not written as", ".npy, .mtx"});
    EXPECT_EQ(run({"scan", "in.npy", "-o", name}).code, 64);
    EXPECT_EQ(run({"gen", "uniform", "--n", "3", "-o", name}).code, 64);
    EXPECT_FALSE(exists(name));
  }
}

TEST_F(spmv_command, lengths_that_do_not_match) {
  write("m.mtx", real_2_by_3);
  write("two.npy", npy(std::vector<double>{1, 2})), write("three.npy", npy(std::vector<double>{1, 2, 3}));
  refused(65, {"-x", "two.npy"}, {"two.npy", "found 2 elements", "expected 3, one for each column"});
  refused(65, {"-y", "three.npy", "--beta", "1"}, {"three.npy", "found 3 elements", "expected 2, one for each row"});
}

TEST_F(spmv_command, more_columns_than_memory) {
  write("m.mtx", market("coordinate real general", "1 1000000000000 0\n"));
  refused(71, {}, {"m.mtx: x of 1,000,000,000,000 elements needs 8.0 TB", "are left"});
  write("m.mtx", market("coordinate real general", "1 9223372036854775807 0\n"));
  refused(71, {}, {"m.mtx", "needs"});
  write("m.mtx", market("coordinate real general", "1000000000000 1 0\n"));
  refused(71, {}, {"m.mtx: line 2: a matrix of 1000000000000 rows needs"});
}

TEST_F(spmv_command, bad_files) {
  write("m.mtx", market("coordinate integer general", "2 3 2\n0 1 1\n1 3 4\n"));
  refused(65, {}, {"m.mtx: line 3: found '0', expected a row from 1 to 2"});
  write("m.mtx", real_2_by_3);
  refused(66, {}, {"no.mtx", "No such file"}, "no.mtx");
  refused(66, {"-x", "no.npy"}, {"no.npy", "No such file"});
  refused(64, {}, {"in.npy", ".mtx", ".npz"}, "in.npy");
  refused(74, {"-o", "no/y.npy"}, {"no/y.npy"});
  write("word.csv", "x\none\n");
  refused(65, {"-x", "word.csv"}, {"word.csv", "line 2", "one"});
  write("x", "12345678");
  refused(64, {"-x", "x"}, {"x", "--dtype"});
}

TEST_F(spmv_command, words_that_make_no_sense) {
  write("m.mtx", market("coordinate integer general", "1 1 1\n1 1 3\n"));
  write("y0.npy", npy(std::vector<int>{5}));
  refused(64, {"--alpha", "0.5"}, {"--alpha", "'0.5'", "an integer of i64"});
  refused(64, {"--alpha", "two"}, {"--alpha", "'two'"});
  refused(64, {"-o", "new.npy", "--alpha", ""}, {"--alpha"});
  refused(64, {"-o", "new.npy", "-y", "y0.npy", "--beta", ""}, {"--beta"});
  refused(64, {"--beta", "1"}, {"--beta needs -y"});
  refused(64, {"-y", "y0.npy"}, {"-y needs --beta"});
  refused(64, {"--precision", "f16"}, {"--precision", "'f16'", "f32 or f64"});
  refused(64, {"--reproducible", "--strategy", "reduce-then-scan"}, {"exclude each other"});
  refused(69, {"--strategy", "reduce-then-scan"}, {"no reduce-then-scan", "i64"});
  refused(69, {"--strategy", "none"}, {"none"});
  EXPECT_EQ(run({"spmv", "m.mtx"}).code, 64);
}

TEST_F(spmv_command, a_failure_leaves_the_output_as_it_was) {
  write("m.mtx", real_2_by_3);
  write("y.npy", "what was there");
  write("two.npy", npy(std::vector<double>{1, 2}));
  EXPECT_EQ(run({"spmv", "m.mtx", "-x", "two.npy", "-o", "y.npy"}).code, 65);
  EXPECT_EQ(read("y.npy"), "what was there");
}

TEST_F(spmv_command, compare_knows_the_peers) {
  ASSERT_EQ(run({"gen", "poisson2d", "--size", "100", "-o", "m.npz"}).code, 0);
  write("y0.npy", npy(std::vector<double>(10000, 1.5)));
  for (words const& more : {words{}, {"--alpha", "0.5", "--beta", "2", "-y", "y0.npy"}, {"--precision", "f32"}}) {
    words all{"compare", "spmv", "m.npz", "--on", "cpu", "--repeat", "2", "--validate", "--json", "all.json"};
    all.insert(all.end(), more.begin(), more.end());
    auto const done = run(all);
    EXPECT_EQ(done.code, 0) << done.err;
    for (std::string const name : {"lookback decoupled-look-back", "lookback reduce-then-scan", "lookback sequential", "Eigen ",
                                   "loop ", "Eigen OpenMP ", "memcpy "})
      EXPECT_THAT(done.err, HasSubstr("\n" + name));
    EXPECT_THAT(done.err, Not(HasSubstr("differs")));
    EXPECT_THAT(read("all.json"), HasSubstr("compare_spmv/cpu/Eigen/"));
  }
  write("m.mtx", market("coordinate complex hermitian", "2 2 2\n1 1 7 0\n2 1 4 5\n"));
  EXPECT_EQ(run({"compare", "spmv", "m.mtx", "--on", "cpu", "--repeat", "1", "--validate"}).code, 0);
}

TEST_F(spmv_command, compare_on_a_gpu_knows_cusparse) {
  auto const about = run({"info"}).err;
  if (auto const none = about.find("gpu         none: "); none != std::string::npos)
    GTEST_SKIP() << about.substr(none, about.find('\n', none) - none);
  ASSERT_EQ(run({"gen", "poisson2d", "--size", "100", "-o", "m.npz"}).code, 0);
  auto const done = run({"compare", "spmv", "m.npz", "--on", "gpu", "--repeat", "2", "--validate"});
  EXPECT_EQ(done.code, 0) << done.err;
  if (done.err.find("cuSPARSE is not among them") != std::string::npos) GTEST_SKIP() << done.err;
  for (std::string const algorithm : {"CSR_ALG1", "CSR_ALG2", "COO_ALG1", "COO_ALG2"})
    for (std::string const how : {" ", " preprocessed "}) EXPECT_THAT(done.err, HasSubstr("\ncuSPARSE " + algorithm + how));
  EXPECT_THAT(done.err, Not(HasSubstr("differs")));
}
