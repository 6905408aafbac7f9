// gen, compare, demo, info: what they promise and what they print.
#include <cmath>
#include <map>

#include "program.hpp"

using ::testing::HasSubstr;
using ::testing::Not;

class commands : public program {
 protected:
  outcome succeeds(std::vector<std::string> const& words) {
    auto done = run(words);
    EXPECT_EQ(done.code, 0) << done.err;
    EXPECT_EQ(done.out, "");
    return done;
  }
  /// As the program says it; empty where there is a GPU.
  std::string why_no_gpu() {
    auto const about = succeeds({"info"}).err;
    auto const none = about.find("gpu         none: ");
    return none == std::string::npos ? "" : about.substr(none, about.find('\n', none) - none);
  }
  template <class T>
  std::vector<T> generated(std::vector<std::string> words) {
    words.insert(words.begin(), "gen");
    words.insert(words.end(), {"-o", "gen.npy", "--quiet"});
    EXPECT_EQ(succeeds(words).err, "");
    auto const content = open_npy(read("gen.npy"));
    EXPECT_THAT(content.dict, HasSubstr("'" + descr_of<T>() + "'"));
    return elements<T>(content.data);
  }
};

// ---- gen

TEST_F(commands, gen_says_the_same_for_the_same_seed) {
  auto const one = generated<int>({"uniform", "--n", "1000", "--seed", "5"});
  EXPECT_EQ(one.size(), 1000u);
  EXPECT_EQ(one, generated<int>({"uniform", "--n", "1000", "--seed", "5"}));
  EXPECT_NE(one, generated<int>({"uniform", "--n", "1000", "--seed", "6"}));
  // The first values of seed 1 on every machine: files made from a seed are part of what others can check.
  EXPECT_EQ(generated<std::uint64_t>({"uniform", "--n", "3", "--dtype", "u64"}),
            (std::vector<std::uint64_t>{17629623748622851610u, 13810761654074628661u, 15286609552136564448u}));
}

TEST_F(commands, gen_uniform_keeps_its_bounds) {
  auto const values = generated<int>({"uniform", "--n", "64k", "--low", "-3", "--high", "4"});
  ASSERT_EQ(values.size(), 65536u);
  std::map<int, int> count;
  for (int const x : values) ++count[x];
  EXPECT_EQ(count.size(), 7u);
  for (auto const& [value, times] : count)
    EXPECT_TRUE(value >= -3 && value < 4 && std::abs(times - 65536 / 7) < 500) << value << " " << times;
  for (float const x : generated<float>({"uniform", "--dtype", "f32", "--n", "2^14", "--low", "-8", "--high", "-2.5"}))
    ASSERT_TRUE(x >= -8 && x < -2.5f);
  for (double const x : generated<double>({"uniform", "--dtype", "f64", "--n", "2^14"})) ASSERT_TRUE(x >= 0 && x < 1);
}

TEST_F(commands, gen_entropy_halves_the_bits_with_each_level) {
  for (int const level : {0, 1, 3}) {
    double bits = 0;
    for (auto const x : generated<std::uint32_t>({"entropy", "--dtype", "u32", "--n", "10000", "--level", std::to_string(level)}))
      bits += __builtin_popcount(x);
    EXPECT_NEAR(bits / 320000, std::pow(0.5, level + 1), 0.01);
  }
}

TEST_F(commands, gen_runs_and_segments_have_their_mean_length) {
  auto const runs = generated<int>({"runs", "--n", "100000", "--mean", "10"});
  double count = 1;
  for (std::size_t i = 1; i < runs.size(); ++i) count += runs[i] != runs[i - 1];
  EXPECT_NEAR(100000 / count, 10, 0.5);
  auto const offsets = generated<std::int64_t>(
      {"segments", "--form", "offsets", "--n", "100000", "--mean", "10", "--power", "3.5", "--empty", "0.25"});
  EXPECT_EQ(offsets.front(), 0);
  EXPECT_EQ(offsets.back(), 100000);
  double empty = 0, longest = 0;
  for (std::size_t k = 1; k < offsets.size(); ++k) {
    ASSERT_GE(offsets[k], offsets[k - 1]);
    empty += offsets[k] == offsets[k - 1];
    longest = std::max(longest, static_cast<double>(offsets[k] - offsets[k - 1]));
  }
  EXPECT_NEAR(empty / static_cast<double>(offsets.size()), 0.25, 0.02);
  EXPECT_GT(longest, 100);  // a geometric law with this mean stays below 150, a power law does not stay near 10
}

TEST_F(commands, gen_describes_the_same_segments_in_every_form) {
  auto const with = [](std::string const& form) {
    return std::vector<std::string>{"segments", "--form", form, "--n", "1001", "--mean", "5", "--seed", "9"};
  };
  auto const flags = generated<std::uint8_t>(with("flags")), bits = generated<std::uint8_t>(with("bits"));
  auto const offsets = generated<std::int64_t>(with("offsets"));
  auto const keys = generated<int>(with("keys"));
  ASSERT_EQ(flags.size(), 1001u);
  ASSERT_EQ(bits.size(), 126u);
  std::vector<std::int64_t> heads;
  for (std::size_t i = 0; i < 1001; ++i) {
    EXPECT_EQ(flags[i], bits[i / 8] >> i % 8 & 1);
    if (flags[i] != 0) heads.push_back(static_cast<std::int64_t>(i));
    if (i > 0) {
      EXPECT_EQ(flags[i] != 0, keys[i] != keys[i - 1]);
    }
  }
  heads.push_back(1001);
  EXPECT_EQ(heads, offsets);
}

TEST_F(commands, gen_shapes_and_refusals) {
  generated<int>({"uniform", "--n", "12", "--columns", "4"});
  EXPECT_THAT(open_npy(read("gen.npy")).dict, HasSubstr("(3, 4)"));
  EXPECT_EQ(run({"gen", "uniform", "--n", "12", "--columns", "5", "-o", "x.npy"}).code, 64);
  EXPECT_EQ(run({"gen", "noise", "-o", "x.npy"}).code, 64);
  EXPECT_EQ(run({"gen", "uniform", "--n", "many", "-o", "x.npy"}).code, 64);
  EXPECT_EQ(run({"gen", "uniform", "--low", "5", "--high", "5", "-o", "x.npy"}).code, 64);
  EXPECT_EQ(run({"gen", "uniform", "--dtype", "f32", "--low", "-inf", "-o", "x.npy"}).code, 64);
  EXPECT_EQ(run({"gen", "entropy", "--dtype", "f32", "-o", "x.npy"}).code, 64);
  EXPECT_EQ(run({"gen", "segments", "--mean", "0.5", "-o", "x.npy"}).code, 64);
  EXPECT_EQ(run({"gen", "uniform", "--n", "1G", "--dtype", "f64", "-o", "no/x.npy"}).code, 74);  // found before 8 GB are made
  EXPECT_FALSE(exists("x.npy"));
}

TEST_F(commands, gen_refuses_what_its_generator_would_not_hear) {
  auto const refused = [&](std::vector<std::string> words, char const* text) {
    words.insert(words.begin(), "gen");
    words.insert(words.end(), {"-o", "x.npy"});
    auto const done = run(words);
    EXPECT_EQ(done.code, 64) << words[1];
    EXPECT_THAT(done.err, HasSubstr(text));
    EXPECT_FALSE(exists("x.npy"));
  };
  refused(
      {"uniform", "--mean", "3"},
      "--mean: belongs to gen runs, segments, dense-row, circuit, geometric-rows, varied-rows and empty-rows, found gen uniform");
  refused({"entropy", "--power", "3"}, "--power: belongs to gen runs and segments, found gen entropy");
  refused({"runs", "--low", "3"}, "--low: belongs to gen uniform, found gen runs");
  refused({"segments", "--high", "3"}, "--high: belongs to gen uniform");
  refused({"runs", "--level", "3"}, "--level: belongs to gen entropy");
  refused({"runs", "--form", "bits"}, "--form: belongs to gen segments");
  refused({"runs", "--empty", "0.5"}, "--empty: belongs to gen segments");
  for (std::string const share : {"0.5", "0", "-0.5", "nan"})
    refused({"segments", "--empty=" + share}, "--empty: belongs to --form offsets, found flags");
}

TEST_F(commands, words_that_the_parser_refuses_are_said_by_the_program) {
  auto const done = run({"gen", "uniform", "--nonsense", "-o", "x.npy"});
  EXPECT_EQ(done.code, 64);
  EXPECT_EQ(done.err.substr(0, 10), "lookback: ");
  EXPECT_THAT(done.err, HasSubstr("--nonsense"));
  EXPECT_THAT(run({"--help"}).out, HasSubstr("Exit codes: 0"));
}

// ---- compare

TEST_F(commands, compare_shows_every_part_cold_and_warm) {
  write("in.npy", npy(std::vector<int>(100000, 3)));
  auto const done = succeeds({"compare", "scan", "in.npy", "--on", "cpu", "--repeat", "2", "--validate", "--json", "all.json"});
  for (std::string const word : {"load",
                                 "parse",
                                 "in",
                                 "kernel",
                                 "out",
                                 "store",
                                 "total",
                                 "cold",
                                 "warm",
                                 "lookback decoupled-look-back",
                                 "\nlookback overlapped",
                                 "lookback overlapped is the command as it runs by itself",
                                 "lookback chained",
                                 "lookback auxiliary-block",
                                 "lookback reduce-then-scan",
                                 "lookback scan-then-propagate",
                                 "lookback sequential",
                                 "std",
                                 "std par",
                                 "tbb",
                                 "memcpy",
                                 "ok"})
    EXPECT_THAT(done.err, HasSubstr(word));
  EXPECT_THAT(done.err, Not(HasSubstr("differs")));
  EXPECT_THAT(read("all.json"), HasSubstr("compare_scan/cpu/std par/i32/100000/warm"));
  EXPECT_THAT(read("all.json"), HasSubstr("compare_scan/cpu/lookback overlapped/i32/100000/warm"));
  EXPECT_EQ(files(), (std::vector<std::string>{"all.json", "in.npy"}));
}

TEST_F(commands, compare_on_a_gpu_names_every_peer) {
  auto const found = succeeds({"info"}).err;
  if (found.find("no GPU in this build") == std::string::npos) {
    EXPECT_THAT(found, HasSubstr("gpu: CUB, Thrust, CUB lifted"));
  }
  if (auto const none = why_no_gpu(); !none.empty()) GTEST_SKIP() << none;
  write("in.npy", npy(std::vector<int>(100000, 3)));
  for (std::string const form : {"--op=max", "--exclusive", "--init=7"}) {
    auto const done =
        succeeds({"compare", "scan", "in.npy", "--on", "gpu", "--repeat", "2", "--validate", "--json", "all.json", form});
    for (std::string const word : {"CUB", "Thrust", "cudaMemcpy", "lookback decoupled-look-back", "lookback chained",
                                   "lookback auxiliary-block", "lookback reduce-then-scan", "lookback sequential-look-back"})
      EXPECT_THAT(done.err, HasSubstr(word));
    EXPECT_THAT(done.err, Not(HasSubstr("differs")));
    EXPECT_THAT(read("all.json"), HasSubstr("compare_scan/gpu/Thrust/i32/100000/warm"));
  }
}

TEST_F(commands, compare_of_segments_in_every_direction_is_right) {
  write("in.npy", npy(std::vector<double>(50000, 1)));
  for (auto const& more : std::vector<std::vector<std::string>>{{"--row-length", "9"},
                                                                {"--row-length", "9", "--exclusive", "--init", "2"},
                                                                {"--reverse"},
                                                                {"--reverse", "--exclusive"},
                                                                {"--exclusive", "--op", "max", "--init", "0"},
                                                                {"--init", "5"},
                                                                {"--as", "i64", "--op", "min"}}) {
    std::vector<std::string> words{"compare", "scan", "in.npy", "--repeat", "1", "--validate"};
    words.insert(words.end(), more.begin(), more.end());
    auto const done = succeeds(words);
    EXPECT_THAT(done.err, HasSubstr("ok"));
    EXPECT_THAT(done.err, Not(HasSubstr("differs")));
  }
}

TEST_F(commands, compare_keeps_the_output_it_is_asked_for) {
  write("in.npy", npy(std::vector<int>{1, 2, 3}));
  succeeds({"compare", "scan", "in.npy", "-o", "out.npy", "--repeat", "1", "--strategy", "sequential"});
  EXPECT_EQ(elements<int>(open_npy(read("out.npy")).data), (std::vector<int>{1, 3, 6}));
  EXPECT_EQ(run({"compare", "scan", "gone.npy"}).code, 66);
  EXPECT_EQ(run({"compare", "scan", "in.npy", "-o", "no/out.npy"}).code, 74);
  EXPECT_EQ(run({"compare"}).code, 64);
}

/// Items that are equal bit by bit: std's forms for another type of the width serve.
TEST_F(commands, compare_unique_has_std_for_integers_of_its_widths) {
  write("i8.npy", npy(std::vector<std::int8_t>{1, 1, -1, -1, 2}));
  write("u32.npy", npy(std::vector<std::uint32_t>{7, 7, 0xffffffff, 0}));
  write("u64.npy", npy(std::vector<std::uint64_t>{5, 5, 5, ~std::uint64_t{0}}));
  for (std::string const file : {"i8.npy", "u32.npy", "u64.npy"}) {
    auto const done = succeeds({"compare", "unique", file, "--on", "cpu", "--repeat", "1", "--validate"});
    for (std::string const peer : {"std", "std par"}) EXPECT_THAT(done.err, HasSubstr("\n" + peer + " ")) << file;
    EXPECT_THAT(done.err, Not(HasSubstr("differs"))) << file;
  }
}

TEST_F(commands, compare_knows_every_compaction) {
  generated<int>({"runs", "--n", "50000", "--mean", "3"});
  write("lengths.npy", npy(std::vector<std::uint8_t>(50000, 3)));
  for (auto const& [words, peers] : std::vector<std::pair<std::vector<std::string>, std::vector<std::string>>>{
           {{"select", "gen.npy", "--above", "0"}, {"std", "std par", "loop", "memcpy"}},
           {{"select", "gen.npy", "--above", "0", "--in-place"}, {"std", "std par", "loop"}},
           {{"select", "gen.npy", "--above", "0", "--rejected", "rest.npy"}, {"std", "std par", "loop", "memcpy"}},
           {{"unique", "gen.npy"}, {"std", "std par", "loop", "memcpy"}},
           {{"rle", "encode", "gen.npy"}, {"loop", "memcpy"}},
           {{"rle", "decode", "gen.npy", "--lengths", "lengths.npy"}, {"std par", "loop"}},
           {{"reduce-by-key", "gen.npy", "gen.npy", "-o", "keys.npy"}, {"loop", "memcpy"}}}) {
    auto all = words;
    all.insert(all.begin(), "compare");
    all.insert(all.end(), {"--on", "cpu", "--repeat", "2", "--validate"});
    auto const done = succeeds(all);
    for (auto const& peer : peers) EXPECT_THAT(done.err, HasSubstr("\n" + peer + " ")) << words[0];
    for (std::string const how :
         {"decoupled-look-back", "chained", "auxiliary-block", "reduce-then-scan", "waiting-look-back", "sequential"})
      if (words[1] != "decode" || how == "decoupled-look-back" || how == "sequential") {
        EXPECT_THAT(done.err, HasSubstr("\nlookback " + how)) << words[0];
      }
    bool const in_place = std::find(words.begin(), words.end(), "--in-place") != words.end();
    EXPECT_EQ(done.err.find("\nlookback overlapped ") == std::string::npos, in_place) << words[0];
    EXPECT_THAT(done.err, Not(HasSubstr("differs")));
  }
  EXPECT_EQ(files(), (std::vector<std::string>{"gen.npy", "keys.npy", "lengths.npy", "rest.npy"}));
}

TEST_F(commands, compare_on_a_gpu_knows_every_compaction) {
  if (auto const none = why_no_gpu(); !none.empty()) GTEST_SKIP() << none;
  generated<int>({"runs", "--n", "50000", "--mean", "3"});
  write("flags.npy", npy(std::vector<std::uint8_t>(50000, 1)));
  write("lengths.npy", npy(std::vector<std::uint8_t>(50000, 3)));
  std::vector<std::uint8_t> mixed(50000);  // 0 first, last and between
  for (std::size_t r = 1; r + 1 < mixed.size(); ++r) mixed[r] = static_cast<std::uint8_t>(r % 5 == 0 ? 0 : r % 40);
  write("mixed.npy", npy(mixed));
  write("bytes.npy", npy(std::vector<std::uint8_t>(mixed.rbegin(), mixed.rend())));
  using words = std::vector<std::string>;
  std::vector<std::string> const with_peer{"CUB", "cudaMemcpy"}, in_place{"CUB"}, alone{"cudaMemcpy"},
      decode{"CUB by scan", "CUB by copies"};
  for (auto const& [command, peers] :
       std::vector<std::pair<words, words>>{{{"select", "gen.npy", "--above", "0"}, with_peer},
                                            {{"select", "gen.npy", "--flags", "flags.npy"}, with_peer},
                                            {{"select", "gen.npy", "--above", "0", "--in-place"}, in_place},
                                            {{"select", "gen.npy", "--above", "0", "--rejected", "rest.npy"}, with_peer},
                                            {{"select", "gen.npy", "--flags", "flags.npy", "--rejected", "rest.npy"}, alone},
                                            {{"unique", "gen.npy"}, with_peer},
                                            {{"unique", "gen.npy", "--counts", "counts.npy"}, with_peer},
                                            {{"rle", "encode", "gen.npy"}, with_peer},
                                            {{"rle", "decode", "gen.npy", "--lengths", "lengths.npy"}, decode},
                                            {{"rle", "decode", "bytes.npy", "--lengths", "mixed.npy"}, decode},
                                            {{"reduce-by-key", "gen.npy", "gen.npy"}, with_peer},
                                            {{"reduce-by-key", "gen.npy", "gen.npy", "--op", "max"}, alone}}) {
    auto all = command;
    all.insert(all.begin(), "compare");
    all.insert(all.end(), {"--on", "gpu", "--repeat", "2", "--validate"});
    auto const done = succeeds(all);
    EXPECT_THAT(done.err, HasSubstr("\nlookback decoupled-look-back")) << command[0];
    for (std::string const how : {"chained", "auxiliary-block", "reduce-then-scan", "immediate-look-back", "sequential-look-back",
                                  "wide-look-back", "fenced-look-back"})
      EXPECT_EQ(done.err.find("\nlookback " + how) != std::string::npos, command[1] != "decode") << command[0] << " " << how;
    for (auto const& peer : peers) EXPECT_THAT(done.err, HasSubstr("\n" + peer + " ")) << command[0];
    EXPECT_THAT(done.err, Not(HasSubstr("differs")));
  }
}

TEST_F(commands, a_comparison_that_fails_leaves_outputs_as_they_were) {
  write("in.npy", npy(std::vector<int>{1, 2, 3}));
  write("out.npy", "what was there");
  EXPECT_EQ(run({"compare", "select", "in.npy", "--below", "2", "-o", "out.npy", "--strategy", "none"}).code, 69);
  EXPECT_EQ(run({"compare", "reduce-by-key", "in.npy", "in.npy", "-o", "out.npy", "--op", "nothing"}).code, 64);
  EXPECT_EQ(run({"compare", "select", "in.npy", "--below", "2", "-o", "out.npy", "--on", "gpu", "--strategy", "sequential"}).code,
            69);
  EXPECT_EQ(read("out.npy"), "what was there");
}

// ---- demo and info

TEST_F(commands, demo_takes_any_folder) {
  fs::create_directory(folder / "d");
  write("d/values.npy", npy(std::vector<float>(1000, 0.25f)));
  write("d/values.heads.npy", npy(std::vector<std::uint8_t>(1000, 1)));
  write("d/table.csv", "day,count\n2024-01-01 00:00,4\n2024-01-01 12:00,5\n2024-01-02 00:00,6\n");
  write("d/words.txt", "one\ntwo\nthree\n");
  write("d/blob", std::string("\0\0\1\1\1", 5));
  write("d/broken.npy", "no numpy");
  write("d/broken.csv", "a,b\nx,y\n");
  write("d/empty", "");
  write("d/links.mtx", "%%MatrixMarket matrix coordinate pattern general\n2 2 2\n1 2\n2 1\n");
  write("d/wide.mtx", "%%MatrixMarket matrix coordinate integer general\n1 2 1\n1 2 5\n");
  write("d/broken.mtx", "%%MatrixMarket matrix coordinate integer general\n1 2 1\n2 2 5\n");
  write("d/broken.npz", "PK");
  auto const done = succeeds({"demo", "--data", "d"});
  for (std::string const text :
       {"values.npy", "by heads", "count: running total per day", "count: running maximum per day", "count: rows in order",
        "position in the line", "different lines, in order", "position in a run of bytes", "skipped: d/broken.npy",
        "skipped: d/broken.csv", "skipped: d/broken.mtx: line 3: found '2'", "skipped: d/broken.npz", "pagerank       links.mtx",
        "spmv           wide.mtx", "  on  ", "  cpu  ", "skipped: d/empty", "results equal their reference"})
    EXPECT_THAT(done.err, HasSubstr(text));
  EXPECT_THAT(done.err, Not(HasSubstr("DIFFERS")));
  EXPECT_EQ(run({"demo", "--data", "nowhere"}).code, 66);
}

TEST_F(commands, demo_lists_what_does_not_match) {
  fs::create_directory(folder / "d");
  write("d/a.npy", npy(std::vector<int>(100000, 3)));
  write("d/a.keys.npy", npy(std::vector<int>(10, 3)));
  write("d/log", "1.2.3.4 - - [17/May/2015:10:05:03 +0000] \"GET / HTTP/1.1\" 200 203\n1.2.3.4 - - [17/May/20");
  auto const done = run({"demo", "--data", "d"});
  EXPECT_EQ(done.code, 0) << done.err;
  EXPECT_THAT(done.err, HasSubstr("10 keys"));
  EXPECT_THAT(done.err, HasSubstr("line 2"));
  EXPECT_THAT(done.err, HasSubstr("position in the line"));
}

TEST_F(commands, demo_knows_an_access_log) {
  fs::create_directory(folder / "d");
  std::string const end = " - - [17/May/2015:10:05:03 +0000] \"GET /\\\" HTTP/1.1\" 200 ";
  write("d/log", "1.2.3.4" + end + "203 \"-\"\n1.2.3.4" + end + "-\n5.6.7.8" + end + "7\n");
  auto const done = run({"demo", "--data", "d"});
  EXPECT_EQ(done.code, 0) << done.err;
  for (std::string const text : {"consecutive hits of a client", "bytes sent in them", "answers above the mean size"})
    EXPECT_THAT(done.err, HasSubstr(text));
  EXPECT_THAT(done.err, Not(HasSubstr("skipped")));
}

TEST_F(commands, info_names_back_ends_and_versions) {
  auto const done = succeeds({"info"});
  for (std::string const text :
       {"lookback 0.", "cpu", "cores", "gpu", "strategies", "decoupled-look-back", "lifted, lifted-reduce-then-scan, sequential",
        "std, std par, tbb, loop, Eigen", ".npy", "c64, c128", ".mtx also .gz"})
    EXPECT_THAT(done.err, HasSubstr(text));
}

TEST_F(commands, help_and_version) {
  EXPECT_THAT(run({"--help"}).out, HasSubstr("scan"));
  EXPECT_THAT(run({"scan", "--help"}).out, HasSubstr("--head-bits"));
  // What the CPU has is said apart from what the GPU has, and what scans have apart from what others have.
  for (std::string const text : {"reduce-then-scan, waiting-look-back on the CPU", "wide-look-back, fenced-look-back on the GPU",
                                 "scan also immediate-look-back, scan-then-propagate on the CPU, scan-then-propagate on the GPU",
                                 "also lifted, lifted-reduce-then-scan on the CPU, fast-tracked-look-back, lifted,"})
    EXPECT_THAT(run({"scan", "--help"}).out, HasSubstr(text));
  EXPECT_EQ(run({"scan", "--help"}).code, 0);
  EXPECT_THAT(run({"--version"}).out, HasSubstr("0."));
}
