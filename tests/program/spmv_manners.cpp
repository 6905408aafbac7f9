// What lookback spmv says, writes, refuses and compares itself with.
#include "spmv_command.hpp"

using ::testing::HasSubstr;
using ::testing::Not;

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

TEST_F(spmv_command, no_vector_replaces_the_matrix) {
  write("m.mtx", real_2_by_3);
  refused(64, {"-o", "m.mtx"}, {"m.mtx", "is the matrix", "another name"});
  refused(64, {"-o", "./m.mtx"}, {"is the matrix"});
  EXPECT_EQ(read("m.mtx"), real_2_by_3);
  write("links.mtx", market("coordinate pattern general", "1 1 1\n1 1\n"));
  auto const ranks = run({"pagerank", "links.mtx", "-o", "links.mtx"});
  EXPECT_EQ(ranks.code, 64);
  EXPECT_THAT(ranks.err, HasSubstr("is the matrix"));
  EXPECT_EQ(read("links.mtx"), market("coordinate pattern general", "1 1 1\n1 1\n"));
  // Vectors may become the result: so one adds to what one has.
  write("y0.npy", npy(std::vector<double>{10, 20}));
  ASSERT_EQ(run({"spmv", "m.mtx", "--beta", "1", "-y", "y0.npy", "-o", "y0.npy", "--quiet"}).code, 0);
  EXPECT_EQ(read("y0.npy"), npy(std::vector<double>{17.5, 12}));
}

// What readers would take for something else.
TEST_F(spmv_command, names_that_no_array_is_written_to) {
  write("m.mtx", real_2_by_3), write("in.npy", npy(std::vector<int>{1}));
  for (std::string const name : {"new.npz", "new.mtx.gz", "new.gz"}) {
    refused(64, {"-o", name}, {name, "cannot be written as", ".npy, .mtx"});
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
  for (std::string const how : {"chained", "auxiliary-block", "reduce-then-scan", "immediate-look-back", "waiting-look-back"})
    refused(69, {"--strategy", how}, {"no " + how, "i64"});
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
    for (std::string const name :
         {"lookback decoupled-look-back", "lookback chained", "lookback auxiliary-block", "lookback reduce-then-scan",
          "lookback sequential", "Eigen ", "loop ", "Eigen OpenMP ", "memcpy "})
      EXPECT_THAT(done.err, HasSubstr("\n" + name));
    EXPECT_THAT(done.err, Not(HasSubstr("differs")));
    EXPECT_THAT(read("all.json"), HasSubstr("compare_spmv/cpu/Eigen/"));
  }
  write("m.mtx", market("coordinate complex hermitian", "2 2 2\n1 1 7 0\n2 1 4 5\n"));
  EXPECT_EQ(run({"compare", "spmv", "m.mtx", "--on", "cpu", "--repeat", "1", "--validate"}).code, 0);
}

// A strategy that somebody may look for in the table does not leave it without a word.
TEST_F(spmv_command, compare_says_which_strategies_it_leaves_out) {
  ASSERT_EQ(run({"gen", "poisson2d", "--size", "30", "-o", "m.npz"}).code, 0);
  ASSERT_EQ(run({"gen", "dense", "--rows", "9", "--columns", "9", "--dtype", "i32", "-o", "i32.npz"}).code, 0);
  words const how{"--on", "cpu", "--repeat", "1"};
  auto const compared = [&](words all) {
    all.insert(all.end(), how.begin(), how.end());
    auto const done = run(all);
    EXPECT_EQ(done.code, 0) << done.err;
    return done.err;
  };
  EXPECT_THAT(compared({"compare", "spmv", "m.npz"}), Not(HasSubstr("Not ")));
  auto const bits = compared({"compare", "spmv", "m.npz", "--reproducible"});
  EXPECT_THAT(bits, HasSubstr("Not reproducible on the cpu: lookback chained, lookback auxiliary-block, lookback reduce-then-scan, "
                              "lookback waiting-look-back, lookback sequential.\n"));
  EXPECT_THAT(bits, Not(HasSubstr("\nlookback reduce-then-scan")));
  auto const integers = compared({"compare", "spmv", "i32.npz", "--reproducible"});
  EXPECT_THAT(
      integers,
      HasSubstr("Not in this build for i32 on the cpu: lookback chained, lookback auxiliary-block, lookback reduce-then-scan, "
                "lookback waiting-look-back.\n"));
  EXPECT_THAT(integers, HasSubstr("\nlookback sequential"));
  EXPECT_THAT(compared({"compare", "spmv", "m.npz", "--reproducible", "--strategy", "decoupled-look-back"}),
              Not(HasSubstr("Not ")));
  write("c.mtx", market("coordinate complex hermitian", "2 2 2\n1 1 7 0\n2 1 4 5\n"));
  auto const complex = compared({"compare", "spmv", "c.mtx", "--reproducible"});
  EXPECT_THAT(complex, HasSubstr("Not reproducible on the cpu: lookback sequential.\n"));
  EXPECT_THAT(complex, Not(HasSubstr("\nlookback sequential")));
  auto const none = run({"compare", "spmv", "m.npz", "--reproducible", "--strategy", "reduce-then-scan"});
  EXPECT_EQ(none.code, 64);
  EXPECT_THAT(none.err, HasSubstr("--reproducible and --strategy reduce-then-scan exclude each other"));
}

TEST_F(spmv_command, compare_on_a_gpu_knows_cusparse) {
  auto const about = run({"info"}).err;
  if (auto const none = about.find("gpu         none: "); none != std::string::npos)
    GTEST_SKIP() << about.substr(none, about.find('\n', none) - none);
  ASSERT_EQ(run({"gen", "poisson2d", "--size", "100", "-o", "m.npz"}).code, 0);
  auto const done = run({"compare", "spmv", "m.npz", "--on", "gpu", "--repeat", "2", "--validate"});
  EXPECT_EQ(done.code, 0) << done.err;
  if (done.err.find("cuSPARSE is not among the peers") != std::string::npos) GTEST_SKIP() << done.err;
  for (std::string const algorithm : {"CSR_ALG1", "CSR_ALG2", "COO_ALG1", "COO_ALG2"})
    for (std::string const how : {" ", " preprocessed "}) EXPECT_THAT(done.err, HasSubstr("\ncuSPARSE " + algorithm + how));
  EXPECT_THAT(done.err, Not(HasSubstr("differs")));
}
