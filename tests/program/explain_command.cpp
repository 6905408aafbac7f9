// lookback explain, and --explain: what a command moves, which way it takes, and how far it is from a copy.
#include <sstream>

#include "program.hpp"

using ::testing::HasSubstr;
using ::testing::Not;

struct explain_command : program {
  /// The number that follows "key": in a file of JSON; -1 where there is none.
  double figure(std::string const& file, std::string const& key) {
    auto const text = read(file);
    auto const at = text.find("\"" + key + "\": ");
    return at == std::string::npos ? -1 : std::strtod(text.c_str() + at + key.size() + 4, nullptr);
  }
  void expect_explained(std::string const& text) {
    for (std::string const word : {"explained: cpu", "\n  bytes ", "\n  copy ", "\n  time ", "\n  gap ", "\n  scratch ", "\n  way ",
                                   "% of the speed of that copy"})
      EXPECT_THAT(text, HasSubstr(word));
  }
};

TEST_F(explain_command, tells_of_every_command_and_leaves_no_file) {
  auto const commands = every_command();
  auto const before = files();
  for (auto const& words : commands) {
    auto all = words;
    all.insert(all.begin(), "explain");
    all.insert(all.end(), {"--on", "cpu", "--repeat", "2", "--validate"});
    SCOPED_TRACE(words[0]);
    auto const done = run(all);
    EXPECT_EQ(done.code, 0) << done.err;
    expect_explained(done.err);
    EXPECT_EQ(files(), before);
  }
}

TEST_F(explain_command, bytes_are_those_of_input_output_and_data) {
  std::vector<int> in(100'000);
  for (std::size_t i = 0; i < in.size(); ++i) in[i] = static_cast<int>(i % 10);
  write("in.npy", npy(in));
  auto const explained = [&](std::vector<std::string> words) {
    words.insert(words.begin(), "explain");
    words.insert(words.end(), {"--on", "cpu", "--repeat", "1", "--json", "figures.json"});
    auto const done = run(words);
    EXPECT_EQ(done.code, 0) << done.err;
    return done.err;
  };
  explained({"scan", "in.npy"});
  EXPECT_EQ(figure("figures.json", "bytes_read"), 400'000);
  EXPECT_EQ(figure("figures.json", "bytes_written"), 400'000);
  EXPECT_EQ(figure("figures.json", "bytes_moved"), 800'000);
  EXPECT_EQ(figure("figures.json", "launches"), 1);
  EXPECT_GT(figure("figures.json", "floor_seconds"), 0);
  EXPECT_GT(figure("figures.json", "share_of_copy"), 0);
  EXPECT_THAT(read("figures.json"), HasSubstr("\"way\": \"one worker\""));
  explained({"select", "in.npy", "--below", "3"});
  EXPECT_EQ(figure("figures.json", "bytes_read"), 400'000);
  EXPECT_EQ(figure("figures.json", "bytes_written"), 120'000);
  std::vector<std::uint8_t> flags(in.size());
  for (std::size_t i = 0; i < flags.size(); i += 4) flags[i] = 1;
  write("flags.npy", npy(flags));
  explained({"scan", "in.npy", "--heads", "flags.npy"});
  EXPECT_EQ(figure("figures.json", "bytes_read"), 500'000);
  explained({"select", "in.npy", "--flags", "flags.npy"});
  EXPECT_EQ(figure("figures.json", "bytes_read"), 500'000);
  EXPECT_EQ(figure("figures.json", "bytes_written"), 100'000);
  explained({"select", "in.npy", "--below", "3", "--rejected", "rest.npy", "-o", "kept.npy"});
  EXPECT_EQ(figure("figures.json", "bytes_written"), 400'000) << "what is kept and what is not";
  write("a.mtx", "%%MatrixMarket matrix coordinate real general\n3 3 3\n1 1 1\n2 3 2\n3 1 3\n");
  write("y.npy", npy(std::vector<double>{1, 2, 3}));
  explained({"spmv", "a.mtx"});
  double const without = figure("figures.json", "bytes_read");
  explained({"spmv", "a.mtx", "--beta", "2", "-y", "y.npy"});
  EXPECT_EQ(figure("figures.json", "bytes_read"), without + 24) << "y is read, too";
  // What in place goes by way of scratch memory is not known.
  write("large.npy", npy(std::vector<int>(1'000'000, 1)));
  explained({"select", "large.npy", "--below", "3", "--in-place", "--strategy", "reduce-then-scan", "--threads", "2"});
  EXPECT_EQ(figure("figures.json", "bytes_moved"), -1);
  EXPECT_THAT(read("figures.json"), HasSubstr("second pass"));
  // A strategy that reads twice says so, where several workers have tiles.
  auto const twice = explained({"scan", "large.npy", "--strategy", "reduce-then-scan", "--threads", "2"});
  EXPECT_EQ(figure("figures.json", "bytes_moved"), 12'000'000);
  EXPECT_THAT(twice, HasSubstr("which reads 2.0 times and writes 1.0 times"));
  EXPECT_GE(figure("figures.json", "launches"), 2);
  EXPECT_GT(figure("figures.json", "scratch_bytes"), 0);
  EXPECT_THAT(twice, HasSubstr("reduce_then_scan"));
  EXPECT_THAT(twice, HasSubstr("second pass ("));
}

TEST_F(explain_command, the_option_explains_a_run_that_writes) {
  write("in.npy", npy(std::vector<int>{1, 2, 3}));
  auto const done = run({"scan", "in.npy", "-o", "out.npy", "--on", "cpu", "--explain"});
  EXPECT_EQ(done.code, 0) << done.err;
  expect_explained(done.err);
  EXPECT_EQ(elements<int>(open_npy(read("out.npy")).data), (std::vector<int>{1, 3, 6}));
  auto const quiet = run({"scan", "in.npy", "-o", "out.npy", "--on", "cpu", "--explain", "--quiet", "--json", "figures.json"});
  EXPECT_EQ(quiet.err, "");
  EXPECT_EQ(figure("figures.json", "bytes_read"), 12);
  EXPECT_NEAR(figure("figures.json", "share_of_copy"),
              figure("figures.json", "floor_seconds") / figure("figures.json", "explained_seconds"), 1e-6);
  // Nothing at all, too: there is no copy of it.
  write("none.npy", npy(std::vector<int>{}));
  auto const none = run({"scan", "none.npy", "-o", "out.npy", "--on", "cpu", "--explain"});
  EXPECT_EQ(none.code, 0) << none.err;
  EXPECT_THAT(none.err, Not(HasSubstr("\n  copy ")));
}

TEST_F(explain_command, many_calls_are_counted_and_one_worker_wakes_nobody) {
  write("a.mtx", "%%MatrixMarket matrix coordinate real general\n3 3 4\n1 2 1\n2 3 1\n3 1 1\n1 3 1\n");
  auto const done = run({"explain", "pagerank", "a.mtx", "--on", "cpu", "--threads", "2", "--json", "figures.json"});
  EXPECT_EQ(done.code, 0) << done.err;
  EXPECT_THAT(done.err, ::testing::ContainsRegex(", in [0-9]+ calls"));
  EXPECT_GT(figure("figures.json", "launches"), 5);
  EXPECT_THAT(read("figures.json"), HasSubstr("\"gap\": \"\"")) << "passes of one worker";
}

TEST_F(explain_command, a_result_with_a_name_is_written_and_some_names_are_refused) {
  write("in.npy", npy(std::vector<int>{4, 4, 5}));
  EXPECT_EQ(run({"explain", "rle", "encode", "in.npy", "-o", "values.npy", "--lengths", "lengths.npy", "--on", "cpu"}).code, 0);
  EXPECT_EQ(elements<int>(open_npy(read("values.npy")).data), (std::vector<int>{4, 5}));
  auto const some = run({"explain", "rle", "encode", "in.npy", "-o", "alone.npy", "--on", "cpu"});
  EXPECT_EQ(some.code, 64);
  EXPECT_THAT(some.err, HasSubstr("expected one for each, or none"));
  EXPECT_EQ(run({"explain", "scan", "gone.npy"}).code, 66);
  EXPECT_EQ(run({"explain"}).code, 64);
  EXPECT_THAT(run({"explain"}).err, HasSubstr("expected one of scan"));
}

TEST_F(explain_command, compare_has_the_same_figures) {
  write("in.npy", npy(std::vector<int>(300'000, 3)));
  auto const done = run({"compare", "scan", "in.npy", "--on", "cpu", "--repeat", "2", "--json", "all.json"});
  EXPECT_EQ(done.code, 0) << done.err;
  EXPECT_THAT(done.err, HasSubstr("of a copy"));
  for (std::string const key :
       {"bytes_read", "bytes_written", "bytes_moved", "scratch_bytes", "launches", "floor_seconds", "share_of_copy"})
    EXPECT_GE(figure("all.json", key), 0) << key;
  EXPECT_EQ(figure("all.json", "bytes_read"), 1'200'000);
  std::istringstream lines(read("all.json"));
  bool seen = false;
  for (std::string line; std::getline(lines, line);) {
    if (line.find("/cpu/std/i32/300000/warm") == std::string::npos) continue;
    seen = true;
    EXPECT_THAT(line, HasSubstr("share_of_copy"));
    EXPECT_THAT(line, Not(HasSubstr("scratch_bytes"))) << "a peer tells nothing";
  }
  EXPECT_TRUE(seen);
}
