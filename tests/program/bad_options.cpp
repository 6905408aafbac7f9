// Command lines that ask for what makes no sense: the option is named, and what it expects.
#include "bad_input.hpp"

using ::testing::HasSubstr;

struct bad_options : bad_input {};

TEST_F(bad_options, operators) {
  write("in.npy", npy(std::vector<float>(4)));
  scan_refused(64, {"--op", "and"}, {"--op and", "f32", "plus, multiplies, min or max"});
  scan_refused(64, {"--op", "median"}, {"--op", "median", "plus"});
  write("in.npy", npy(std::vector<int>(4)));
  scan_refused(64, {"--op", "xor", "--as", "f64"}, {"--op xor", "f64"});
}

TEST_F(bad_options, initial_values) {
  write("in.npy", npy(std::vector<std::int8_t>(4)));
  scan_refused(64, {"--init", "128"}, {"--init", "'128'", "from -128 to 127"});
  scan_refused(64, {"--init", "1.5"}, {"--init", "'1.5'", "an integer of i8"});
  scan_refused(64, {"--init", "-129"}, {"--init", "'-129'"});
  scan_refused(64, {"--init", ""}, {"--init: found '', expected an integer of i8"});
  scan_refused(64, {"--init="}, {"--init: found ''"});
  write("in.npy", npy(std::vector<float>(4)));
  scan_refused(64, {"--init", "1e99"}, {"--init", "'1e99'", "f32"});
}

TEST_F(bad_options, options) {
  write("in.npy", npy(std::vector<int>(4)));
  write("f.npy", npy(std::vector<std::uint8_t>(4)));
  scan_refused(64, {"--heads", "f.npy", "--keys", "f.npy"}, {"--heads", "--keys", "at most 1"});
  scan_refused(64, {"--row-length", "0"}, {"--row-length"});
  scan_refused(64, {"--as", "i128"}, {"--as", "'i128'", "i8, i16"});
  scan_refused(64, {"--dtype", "f32"}, {"in.npy", "--dtype f32", "i32"});
  scan_refused(64, {"--on", "tpu"}, {"--on", "tpu"});
  scan_refused(64, {"--threads", "-1"}, {"--threads"});
  scan_refused(64, {"--frobnicate"}, {"frobnicate"});
  scan_refused(64, {"--reproducible", "--strategy", "reduce-then-scan"}, {"--reproducible", "exclude"});
  scan_refused(69, {"--strategy", "astrology"}, {"astrology", "decoupled-look-back"});
  refused(64, {"scan", "in.npy"}, {"--output"});
  refused(64, {"scan"}, {"IN"});
  refused(64, {"frobnicate"}, {"'frobnicate'", "scan"});
  refused(64, {}, {"scan", "--help"});
}

TEST_F(bad_options, strategy_that_the_type_lacks) {
  write("in.npy", npy(std::vector<std::int16_t>(4)));
  for (std::string const how :
       {"chained", "auxiliary-block", "reduce-then-scan", "immediate-look-back", "waiting-look-back", "scan-then-propagate"})
    scan_refused(69, {"--on", "cpu", "--strategy", how}, {how, "i16", "expected --strategy decoupled-look-back, sequential"});
}

TEST_F(bad_options, strategy_that_the_segments_lack) {
  write("in.npy", npy(std::vector<std::int32_t>(4)));
  write("f.npy", npy(std::vector<std::uint8_t>(4)));
  write("o.npy", npy(std::vector<std::int64_t>{0, 4}));
  for (std::string const how : {"lifted", "lifted-reduce-then-scan"}) {
    scan_refused(69, {"--on", "cpu", "--strategy", how}, {"no " + how, "scan-then-propagate, sequential"});
    scan_refused(69, {"--on", "cpu", "--offsets", "o.npy", "--strategy", how},
                 {"no " + how, "by offsets", "(for scans by --heads, --head-bits, --keys or --row-length)"});
  }
  scan_refused(
      69, {"--on", "cpu", "--heads", "f.npy", "--strategy", "fast-tracked-look-back"},
      {"no fast-tracked-look-back", "lifted, lifted-reduce-then-scan, sequential", "(a strategy of GPUs, for scans of segments)"});
}

TEST_F(bad_options, float_that_no_integer_stands_for) {
  write("in.npy", npy(std::vector<double>{1, 2, 1e30}));
  scan_refused(65, {"--as", "i32"}, {"in.npy", "item 2", "1e+30", "i32"});
}

/// As in scripts, of a variable that is not set: wherever the option stands, and joined to it or apart.
TEST_F(bad_options, options_without_a_value) {
  write("in.npy", npy(std::vector<int>(4)));
  write("m.mtx", "%%MatrixMarket matrix array real general\n1 1\n1\n");
  auto const refused_anywhere = [&](std::vector<std::string> const& command, std::string const& option) {
    for (auto const& words : {std::vector<std::string>{option, ""}, std::vector<std::string>{option + "="}}) {
      auto first = command, last = command;
      first.insert(first.end(), words.begin(), words.end());
      first.insert(first.end(), {"-o", "out.npy", "--quiet"});
      last.insert(last.end(), {"-o", "out.npy", "--quiet"});
      last.insert(last.end(), words.begin(), words.end());
      refused(64, first, {"lookback: " + option + ": found '', expected "});
      refused(64, last, {"lookback: " + option + ": found '', expected "});
    }
  };
  for (std::string const option : {"--init", "--dtype", "--column", "--header", "--op", "--as", "--heads", "--head-bits",
                                   "--offsets", "--keys", "--row-length", "--segments-dtype", "--segments-column", "--on",
                                   "--threads", "--device", "--strategy", "--repeat", "--json"})
    refused_anywhere({"scan", "in.npy"}, option);
  for (std::string const option : {"--below", "--above", "--equal", "--flags"}) refused_anywhere({"select", "in.npy"}, option);
  for (std::string const option : {"--rejected", "--flags-dtype", "--flags-column"})
    refused_anywhere({"select", "in.npy", "--below", "1"}, option);
  for (std::string const option : {"--alpha", "--beta", "--precision"}) refused_anywhere({"spmv", "m.mtx"}, option);
  for (std::string const option : {"--n", "--low", "--high", "--seed", "--columns"}) refused_anywhere({"gen", "uniform"}, option);
  refused_anywhere({"unique", "in.npy"}, "--counts");
  for (std::string const option : {"--values", "--values-out", "--indices-out", "--bits"})
    refused_anywhere({"sort", "in.npy"}, option);
  for (std::string const option : {"--values", "--values-out", "--offsets"}) refused_anywhere({"quicksort", "in.npy"}, option);
  refused_anywhere({"compare", "scan", "in.npy"}, "--json");
  refused(64, {"spmv", "m.mtx", "-x", "", "-o", "out.npy"}, {"-x: found ''"});
  refused(64, {"compare", "scan", "in.npy", "-o", ""}, {"--output: found ''"});
  refused(64, {"scan", "", "-o", "out.npy"}, {"found '' where no option takes a value, expected no empty argument"});
  for (auto const& [low, high] : {std::pair{"", "5"}, {"5", ""}, {"", ""}})
    refused(64, {"select", "in.npy", "-o", "out.npy", "--between", low, high}, {"--between: found '', expected LO HI"});
  // The parser never ended.
  for (std::string const word : {"--quiet", "--nonsense", "-z", "more"})
    refused(64, {"scan", "in.npy", "-o", "out.npy", word, ""}, {"found ''"});
  refused(64, {"scan", "in.npy", "-o", "out.npy", "--quiet="}, {"found ''"});
}

TEST_F(bad_options, the_option_of_the_second_file_is_named) {
  write("in.csv", "1\n2\n");
  write("two.csv", "k,v\n1,2\n3,4\n");
  refused(64, {"reduce-by-key", "two.csv", "in.csv", "-o", "out.csv", "--values-out", "sums.csv"},
          {"two.csv: line 1: found 2 columns (k, v), choose one with --keys-column NAME|INDEX"});
  refused(64, {"scan", "in.csv", "--keys", "two.csv", "-o", "out.csv"}, {"choose one with --segments-column NAME|INDEX"});
}

TEST_F(bad_options, an_option_is_no_value_of_another) {
  write("in.csv", "1\n2\n");
  refused(64, {"select", "in.csv", "--above", "-o", "out.csv"}, {"--above: found the option -o, expected a number"});
  refused(64, {"scan", "in.csv", "--heads", "-o", "out.csv"}, {"--heads: found the option -o, expected FLAGS"});
  refused(64, {"scan", "in.csv", "-o", "--exclusive"}, {"-o: found the option --exclusive, expected OUT"});
  EXPECT_EQ(run({"select", "in.csv", "--above", "-1", "-o", "out.csv"}).code, 0);
  EXPECT_EQ(run({"select", "in.csv", "--between", "-5", "-1", "-o", "out.csv"}).code, 0);
  refused(64, {"--hepl"}, {"found '--hepl', expected a command, --help or --version"});
}

TEST_F(bad_options, options_that_cannot_apply) {
  write("in.npy", npy(std::vector<int>(4)));
  scan_refused(64, {"--column", "1"}, {"in.npy", "column", "one array"});
  scan_refused(64, {"--device", "0", "--on", "cpu"}, {"--device", "--on cpu"});
  scan_refused(69, {"--device", "4096"}, {"--device 4096"});
  refused(64, {"compare", "scan", "in.npy", "--device", "0", "--on", "cpu"}, {"--device", "--on cpu"});
  refused(69, {"compare", "scan", "in.npy", "--device", "4096"}, {"--device 4096"});
}
