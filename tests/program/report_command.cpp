// lookback report and compare --html: pages of pictures, of what was measured.
#include "program.hpp"

using ::testing::HasSubstr;
using ::testing::Not;

struct report_command : program {
  static std::size_t count_of(std::string const& text, std::string const& word) {
    std::size_t count = 0;
    for (auto at = text.find(word); at != std::string::npos; at = text.find(word, at + 1)) ++count;
    return count;
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
