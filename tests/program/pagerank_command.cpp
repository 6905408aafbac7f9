// lookback pagerank from outside: graphs whose ranks are known, what it refuses, what it says.
#include <numeric>

#include "program.hpp"

using ::testing::ContainsRegex;
using ::testing::HasSubstr;
using ::testing::Not;

namespace {
using words = std::vector<std::string>;
std::string links(std::string const& lines, std::string const& field = "pattern") {
  return "%%MatrixMarket matrix coordinate " + field + " general\n" + lines;
}
}  // namespace

class pagerank_command : public program {
 protected:
  /// Of m.mtx, validated by the program; what it says is in `said`.
  std::vector<double> ranks(words more = {}, int code = 0, std::string const& matrix = "m.mtx") {
    more.insert(more.begin(), {"pagerank", matrix, "-o", "r.npy", "--validate"});
    auto const done = run(more);
    EXPECT_EQ(done.code, code) << done.err;
    EXPECT_EQ(done.out, "");
    said = done.err;
    auto const content = open_npy(read("r.npy"));
    EXPECT_THAT(content.dict, HasSubstr("'<f8'"));
    auto const all = elements<double>(content.data);
    if (!all.empty()) {
      EXPECT_NEAR(static_cast<double>(std::accumulate(all.begin(), all.end(), 0.0L) - 1), 0, 1e-12);
    }
    return all;
  }
  void expect_ranks(std::string const& graph, std::vector<double> const& wanted, words const& more = {}) {
    write("m.mtx", graph);
    auto const got = ranks(more);
    ASSERT_EQ(got.size(), wanted.size());
    for (std::size_t i = 0; i < wanted.size(); ++i) EXPECT_NEAR(got[i], wanted[i], 1e-7) << graph << " page " << i + 1;
  }
  void refused(int code, words more, words const& named) {
    more.insert(more.begin(), {"pagerank", "m.mtx", "-o", "new.npy"});
    auto const before = files();
    auto const done = run(more);
    EXPECT_EQ(done.code, code) << done.err;
    for (auto const& text : named) EXPECT_THAT(done.err, HasSubstr(text));
    EXPECT_EQ(files(), before);
  }
  std::string said;
};

TEST_F(pagerank_command, pages_that_link_to_each_other) { expect_ranks(links("2 2 2\n1 2\n2 1\n"), {0.5, 0.5}); }

// Page 2 has no link: from there any page comes next. r1 = (1 - d + d r2) / 2, r1 + r2 = 1.
TEST_F(pagerank_command, a_dangling_page_is_linked_to) { expect_ranks(links("2 2 1\n1 2\n"), {1 / 2.85, 1.85 / 2.85}); }

TEST_F(pagerank_command, parts_that_do_not_touch) {
  expect_ranks(links("4 4 4\n1 2\n2 1\n3 4\n4 3\n"), {0.25, 0.25, 0.25, 0.25});
  expect_ranks(links("3 3 1\n1 1\n"), {1 / 1.3, 0.15 / 1.3, 0.15 / 1.3});  // to itself, beside two dangling ones
  expect_ranks(links("3 3 0\n"), {1.0 / 3, 1.0 / 3, 1.0 / 3});
}

// A page is left by its links in proportion to their weights.
TEST_F(pagerank_command, weights) {
  double const first = 0.135 / (1 - 0.7225);
  std::vector<double> const wanted{first, 0.05 + 0.85 * 0.75 * first, 0.05 + 0.85 * 0.25 * first};
  expect_ranks(links("3 3 4\n1 2 3\n1 3 1\n2 1 7\n3 1 0.5\n", "real"), wanted);
  expect_ranks(links("3 3 4\n1 2 3\n1 3 1\n2 1 7\n3 1 5\n", "integer"), wanted);
  expect_ranks(links("3 3 6\n1 2\n1 2\n1 2\n1 3\n2 1\n3 1\n"), wanted);                // a link three times
  expect_ranks(links("3 3 4\n1 2 1.7e308\n1 3 1.7e308\n2 1 1e-320\n3 1 5\n", "real"),  // a sum beyond all doubles
               {first, 0.05 + 0.85 * 0.5 * first, 0.05 + 0.85 * 0.5 * first});
  std::vector<double> const even{first, 0.05 + 0.85 * 0.5 * first, 0.05 + 0.85 * 0.5 * first};
  expect_ranks(links("3 3 4\n1 2 -3\n1 3 1\n2 1 7\n3 1 0.5\n", "real"), even, {"--unweighted"});
}

TEST_F(pagerank_command, a_link_without_weight_is_none) {
  expect_ranks(links("2 2 2\n1 2 1\n2 1 0\n", "real"), {1 / 2.85, 1.85 / 2.85});
  EXPECT_THAT(said, HasSubstr("dangling 1 of 2"));
}

TEST_F(pagerank_command, damping_and_tolerance) {
  auto const graph = links("3 3 3\n1 2\n3 2\n2 1\n");
  expect_ranks(graph, {1.0 / 3, 1.0 / 3, 1.0 / 3}, {"--damping", "0"});
  EXPECT_THAT(said, HasSubstr("1 iteration,"));
  // r3 = h, r2 = h + d (r1 + r3), r1 = h + d r2, h = (1 - d) / 3
  double const d = 0.5, h = (1 - d) / 3, r2 = (h + 2 * d * h) / (1 - d * d);
  expect_ranks(graph, {h + d * r2, r2, h}, {"--damping", "0.5", "--tolerance", "1e-12"});
}

TEST_F(pagerank_command, no_pages) {
  write("m.mtx", links("0 0 0\n"));
  EXPECT_TRUE(ranks().empty());
}

TEST_F(pagerank_command, too_few_iterations) {
  write("m.mtx", links("3 3 3\n1 2\n3 2\n2 1\n"));
  auto const first = ranks({"--iterations", "2"}, 1);
  EXPECT_EQ(first.size(), 3u);  // written all the same
  EXPECT_THAT(said, HasSubstr("no convergence: after 2 iterations the last change is "));
  EXPECT_THAT(said, HasSubstr("expected at most 1e-08"));
  // A walk between two sides never comes to rest.
  write("m.mtx", links("3 3 4\n1 2\n1 3\n2 1\n3 1\n"));
  ranks({"--damping", "1", "--iterations", "50"}, 1);
}

TEST_F(pagerank_command, shows_the_first_pages) {
  write("m.mtx", links("4 4 3\n1 3\n2 3\n4 3\n"));
  ranks({"--top", "2", "--json", "all.json"});
  EXPECT_THAT(said, HasSubstr("4 pages, 3 links, dangling 1 of 4 (25.0 %)"));
  EXPECT_THAT(said, HasSubstr("\n  1. page 3: 0."));
  EXPECT_THAT(said, HasSubstr("\n  2. page 1: 0."));
  EXPECT_THAT(said, ContainsRegex("page 3: 0\\.[0-9]{6}\n"));  // six digits, the files have them all
  EXPECT_THAT(said, HasSubstr(", store "));
  EXPECT_THAT(said, Not(HasSubstr("\n  3. ")));
  EXPECT_THAT(said, HasSubstr("sum of ranks 1.000000000000"));
  EXPECT_THAT(read("all.json"), HasSubstr("\"pagerank_iterations\": "));
  auto const done = run({"pagerank", "m.mtx", "--top", "9"});
  EXPECT_EQ(done.code, 0);
  EXPECT_THAT(done.err, HasSubstr("\n  4. page 4: "));
  EXPECT_THAT(done.err, Not(HasSubstr("store")));  // nothing was
}

TEST_F(pagerank_command, every_strategy_of_a_larger_graph) {
  ASSERT_EQ(run({"gen", "rmat", "--scale", "12", "-o", "m.npz"}).code, 0);
  auto const one = ranks({"--unweighted", "--threads", "1"}, 0, "m.npz");
  auto const by = [&](words more) {
    more.push_back("--unweighted");
    return ranks(more, 0, "m.npz");
  };
  EXPECT_EQ(by({"--threads", "3"}), one);
  for (auto const& how : std::vector<words>{{"--strategy", "sequential"},
                                            {"--strategy", "chained"},
                                            {"--strategy", "auxiliary-block"},
                                            {"--strategy", "reduce-then-scan"},
                                            {"--reproducible"}}) {
    auto const other = by(how);
    ASSERT_EQ(other.size(), one.size());
    for (std::size_t i = 0; i < one.size(); ++i) ASSERT_NEAR(other[i], one[i], 1e-12);
  }
  auto const done = run({"compare", "pagerank", "m.npz", "--unweighted", "--on", "cpu", "--repeat", "1", "--validate"});
  EXPECT_EQ(done.code, 0) << done.err;
  EXPECT_THAT(done.err, HasSubstr("\nloop "));
}

TEST_F(pagerank_command, the_same_bits_for_any_number_of_threads) {
  ASSERT_EQ(run({"gen", "rmat", "--scale", "16", "-o", "m.npz"}).code, 0);
  words const how{"--unweighted", "--reproducible", "--threads"};
  auto const by = [&](std::string const& threads) {
    auto more = how;
    more.push_back(threads);
    return ranks(more, 0, "m.npz");
  };
  auto const one = by("1");
  EXPECT_EQ(one.size(), 65536u);
  EXPECT_EQ(by("2"), one);
  EXPECT_EQ(by("3"), one);
}

// r1 = 1/(n + d), and so has every page but the second, which has (1 + d) r1: of millions of equal ranks the sum is good to more
// than twelve digits, and what rounding there is stays within the bound of the check.
TEST_F(pagerank_command, millions_of_dangling_pages) {
  constexpr double pages = 1 << 22;
  write("m.mtx", links("4194304 4194304 1\n1 2\n"));
  auto const got = ranks();
  ASSERT_EQ(got.size(), static_cast<std::size_t>(pages));
  double const rank = 1 / (pages + 0.85);
  double worst = std::abs(got[1] / (1.85 * rank) - 1);
  for (std::size_t page = 0; page < got.size(); ++page)
    if (page != 1) worst = std::max(worst, std::abs(got[page] / rank - 1));
  EXPECT_LE(worst, 1e-13);
}

TEST_F(pagerank_command, what_is_no_graph) {
  write("m.mtx", links("2 3 1\n1 2\n"));
  refused(65, {}, {"m.mtx", "2 rows and 3 columns", "page i links to page j"});
  write("m.mtx", links("2 2 1\n1 2 1 0\n", "complex"));
  refused(65, {}, {"m.mtx", "complex", "real"});
  write("m.mtx", links("2 2 2\n1 2 1\n2 1 -0.5\n", "real"));
  refused(65, {}, {"m.mtx", "row 2, column 1", "-0.5", "not negative"});
  for (std::string const weight : {"inf", "nan"}) {
    write("m.mtx", links("2 2 1\n2 1 " + weight + "\n", "real"));
    refused(65, {}, {"row 2, column 1", weight, "finite"});
  }
}

TEST_F(pagerank_command, words_that_make_no_sense) {
  write("m.mtx", links("2 2 1\n1 2\n"));
  refused(64, {"--damping", "1.5"}, {"--damping", "1.5", "0 to 1"});
  refused(64, {"--damping=-0.1"}, {"--damping"});
  refused(64, {"--damping", "nan"}, {"--damping"});
  refused(64, {"--tolerance=-1"}, {"--tolerance", "0 or more"});
  refused(64, {"--iterations", "0"}, {"--iterations", "1 or more"});
  refused(64, {"--top=-1"}, {"--top", "0 or more"});
  refused(69, {"--strategy", "none"}, {"none"});
}
