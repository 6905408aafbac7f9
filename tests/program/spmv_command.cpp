// What lookback spmv computes of every kind of file.
#include "spmv_command.hpp"

using ::testing::ElementsAre;
using ::testing::HasSubstr;

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
    refused(64, {"-y", y, "--beta", "1", "--dtype", "f32"}, {"--dtype: neither -x nor -y names a raw or text file"});
  }
  refused(64, {"--column", "b"}, {"--column: neither -x nor -y"});
  write("two.npy", npy(std::vector<double>{2, 3, 10, 0}, "(2, 2)")), write("row.npy", npy(std::vector<double>{2, 3, 10}, "(1, 3)"));
  refused(65, {"-x", "two.npy"}, {"two.npy", "shape", "2 dimensions", "expected a vector: one column or one row"});
  EXPECT_THAT(product<double>({"-x", "row.npy"}), ElementsAre(23, -12));
  write("x.bin", raw(std::vector<c64>{{2, 1}, {0, 0}, {0, 3}}));
  EXPECT_THAT(product<c64>({"-x", "x.bin", "--dtype", "c64", "--precision", "f32"}), ElementsAre(c64(3, 7.5), c64(0, 0)));
  refused(64, {"-x", "x.bin", "--dtype", "c32"}, {"--dtype: found 'c32'", "f64, c64, c128"});
  refused(64, {"-x", "x.csv", "--column", "b", "--dtype", "c64"}, {"x.csv", "c64", "real numbers", ".npy, .mtx or a raw name"});
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
  EXPECT_THAT(said, HasSubstr("eps (|alpha||A||x| + |beta||y|)"));
  // What nothing is added to is not read.
  write("nan.npy", npy(std::vector<double>{NAN, NAN}));
  EXPECT_THAT(product<double>({"--beta", "0", "-y", "nan.npy"}), ElementsAre(7.5, -8));
  EXPECT_THAT(said, HasSubstr("y = A x + 0 y"));
  EXPECT_THAT(said, HasSubstr("offsets, x and y each once"));
  for (std::string const strategy : {"sequential", "chained", "auxiliary-block", "reduce-then-scan", "waiting-look-back"})
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
  for (std::string const strategy :
       {"decoupled-look-back", "chained", "auxiliary-block", "reduce-then-scan", "waiting-look-back", "sequential"})
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
