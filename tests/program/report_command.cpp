// lookback report and compare --html: pages of pictures, of what was measured.
#include <algorithm>
#include <regex>

#include "program.hpp"

using ::testing::HasSubstr;
using ::testing::Not;

struct report_command : program {
  static std::size_t count_of(std::string const& text, std::string const& word) {
    std::size_t count = 0;
    for (auto at = text.find(word); at != std::string::npos; at = text.find(word, at + 1)) ++count;
    return count;
  }
  /// A figure whose title holds `words`.
  struct drawn {
    std::string title;
    std::vector<std::vector<std::string>> rows;  // of its numbers; the first is the head

    std::size_t column(std::string const& name) const {
      return static_cast<std::size_t>(std::find(rows[0].begin(), rows[0].end(), name) - rows[0].begin());
    }
    double number(std::size_t row, std::size_t at) const { return std::stod(rows[row].at(at)); }
    /// The number behind `words` in the title.
    double said(std::string const& words) const { return std::stod(title.substr(title.find(words) + words.size())); }
  };
  static drawn figure_with(std::string const& page, std::string const& words) {
    std::size_t const at = page.find(words);
    if (at == page.npos) return {};
    std::size_t const begin = page.rfind("<figure>", at), end = page.find("</figure>", at);
    std::string const text = page.substr(begin, end - begin);
    std::size_t const title = text.find("<figcaption>") + 12;
    drawn made{std::regex_replace(text.substr(title, text.find("</figcaption>") - title), std::regex("<[^>]*>"), ""), {}};
    std::regex const row("<tr>(.*?)</tr>"), cell("<t[hd][^>]*>(.*?)</t[hd]>");
    for (std::sregex_iterator r(text.begin(), text.end(), row), none; r != none; ++r) {
      std::string const cells = (*r)[1];
      made.rows.emplace_back();
      for (std::sregex_iterator c(cells.begin(), cells.end(), cell); c != none; ++c) made.rows.back().push_back((*c)[1]);
    }
    return made;
  }
  void expect_page(std::string const& page) {
    EXPECT_TRUE(page.starts_with("<!DOCTYPE html>"));
    EXPECT_EQ(count_of(page, "<script"), 0u);
    EXPECT_EQ(count_of(page, ">nan<"), 0u);
    EXPECT_EQ(count_of(page, "<figure"), count_of(page, "<details"));
  }
};

TEST_F(report_command, a_small_report_has_every_section) {
  auto const done = run({"report", "-o", "made", "--quick", "--on", "cpu", "--n", "4096"});
  EXPECT_EQ(done.code, 0) << done.err;
  EXPECT_THAT(done.err, HasSubstr("made/report.html: written in"));
  auto const page = read("made/report.html");
  expect_page(page);
  for (std::string const section : {"Throughput", "Segments", "Strategies", "Applications", "Sparse products", "Flatness",
                                    "Sizes of tiles", "From file to file"})
    EXPECT_GE(count_of(page, section), 1u) << section;
  EXPECT_EQ(count_of(page, "<figure"), 20u);
  EXPECT_LT(page.find("From file to file"), page.find("Throughput")) << "what a user waits for comes first";
  EXPECT_THAT(page, HasSubstr("<dt>Date</dt>\n<dd>20"));
  EXPECT_THAT(done.err, Not(HasSubstr("left out")));
  for (std::string const words :
       {"Behind the bars: time of the fastest peer over that of the bar.", " items the default is ", " times as fast as chained, ",
        " items the fastest other strategy (", "Beside its fastest peer, ", "No copy runs beside rle decode, order of u32.",
        "Throughput, CPU, ", "times as fast as the peer that is fastest at each variation.", " of the best cell, at "})
    EXPECT_GE(count_of(page, words), 1u) << words;

  std::smatch speedups;
  ASSERT_TRUE(std::regex_search(page, speedups, std::regex("lookback is ([0-9.]+) to ([0-9.]+) times as fast as the peer that")));
  EXPECT_LE(std::stod(speedups[1]), std::stod(speedups[2]));

  // Titles say what is in their tables, to two digits behind the point.
  auto const speeds = figure_with(page, " items the default is ");
  ASSERT_GE(speeds.rows.size(), 2u);
  EXPECT_NEAR(speeds.said("the default is "), speeds.number(speeds.rows.size() - 1, speeds.column("chained")), 0.006)
      << speeds.title;
  auto const costs = figure_with(page, " items the fastest other strategy (");
  double least = 1e9;
  for (std::size_t row = 1; row + 1 < costs.rows.size(); ++row)  // the last is the default's
    for (std::size_t at = 1; at < costs.rows[row].size(); ++at)
      if (costs.rows[row][at] != "-") least = std::min(least, costs.number(row, at));
  EXPECT_NEAR(costs.said(") takes "), least, 0.006) << costs.title;
  auto const flat = figure_with(page, "What matters most is the ");
  double most = 0, of_peer = 0;
  for (std::size_t row = 1; row + 1 < flat.rows.size(); ++row)
    if (flat.number(row, 1) > most) most = flat.number(row, 1), of_peer = flat.rows[row][2] == "-" ? 0 : flat.number(row, 2);
  EXPECT_NEAR(flat.said(": "), most, 0.006) << flat.title;
  if (of_peer > 0) {
    EXPECT_NEAR(flat.said("; its fastest peer: "), of_peer, 0.006) << flat.title;
  }
}

TEST_F(report_command, a_section_that_fails_leaves_the_others_and_the_command_fails) {
  write("file", "");
  setenv("TMPDIR", (folder / "file").c_str(), 1);
  auto const done = run({"report", "-o", "made", "--quick", "--on", "cpu", "--n", "4096", "--quiet"});
  unsetenv("TMPDIR");
  EXPECT_EQ(done.code, 1);
  EXPECT_THAT(done.err, HasSubstr("written without a section, files: the folder of temporary files cannot be used"));
  auto const page = read("made/report.html");
  EXPECT_EQ(count_of(page, "<figure"), 17u);
  EXPECT_EQ(count_of(page, "From file to file"), 0u);
}

TEST_F(report_command, what_it_cannot_do_it_says) {
  EXPECT_EQ(run({"report", "--n", "many"}).code, 64);
  EXPECT_EQ(run({"report", "--n", "4095"}).code, 64);
  for (std::string const option : {"--json=x", "--memory=1M", "--repeat=3", "--strategy=chained", "--validate", "--reproducible"})
    EXPECT_EQ(run({"report", "--n", "4096", option}).code, 64) << option;
  auto const without_gpu = run({"report", "--on", "gpu", "-o", "folder", "--quick", "--n", "4096"});
  if (without_gpu.code == 69) {
    EXPECT_FALSE(fs::exists(folder / "folder"));
  }
  write("file", "");
  EXPECT_EQ(run({"report", "-o", "file", "--n", "4096"}).code, 74);
  EXPECT_EQ(files(), (std::vector<std::string>{"file"}));
}

TEST_F(report_command, compare_draws_its_parts) {
  write("in.npy", npy(std::vector<int>(100'000, 3)));
  auto const done = run({"compare", "scan", "in.npy", "--on", "cpu", "--repeat", "1", "--html", "page.html"});
  EXPECT_EQ(done.code, 0) << done.err;
  auto const page = read("page.html");
  expect_page(page);
  EXPECT_EQ(count_of(page, "<figure"), 2u);
  for (std::string const word : {"lookback chained", "kernel", "store", "in.npy", "100,000"})
    EXPECT_GE(count_of(page, word), 1u) << word;
  EXPECT_EQ(run({"compare", "scan", "in.npy", "--html", "in.npy"}).code, 64);
  EXPECT_EQ(run({"compare", "scan", "in.npy", "--html", "no/page.html"}).code, 74);
}
