// Commands that read, run and write at the same time: chunks of any size give the file that a run of the whole gives.
#include <gmock/gmock.h>

#include <cmath>

#include "program.hpp"

namespace {

using ::testing::HasSubstr;

/// More than one chunk of whatever a machine's tiles are, and no multiple of one.
constexpr std::size_t many = 17 * 35'296;  // whole rows of either length

template <class T>
std::vector<T> some_values(std::size_t n) {
  std::vector<T> all(n);
  std::uint32_t random = 1;
  for (auto& x : all) {
    random = random * 1664525 + 1013904223;
    x = std::is_floating_point_v<T> ? static_cast<T>(random >> 8) / 1000 : static_cast<T>(random >> 16);
  }
  return all;
}

/// Types differ in kernels alone, which a sanitizer does not look at here.
std::vector<std::string> some_of(std::vector<std::string> all) {
  if (harness::sanitized) all.resize(2);
  return all;
}

class chunked_commands : public program {
 protected:
  /// The command writes the same bytes to `outputs` in one piece, by chunks as large as may be, and by the smallest there are.
  void check(std::vector<std::string> words, std::vector<std::string> const& outputs = {"out.npy"}) {
    words.insert(words.end(), {"--on", "cpu"});
    auto const run_with = [&](std::vector<std::string> more) {
      more.insert(more.begin(), words.begin(), words.end());
      auto const done = run(more);
      EXPECT_EQ(done.code, 0) << done.err;
      std::vector<std::string> files;
      for (auto const& name : outputs) files.push_back(read(name)), fs::remove(folder / name);
      files.push_back(done.err.find(" chunk") == std::string::npos ? "whole" : "chunked");
      return files;
    };
    // The smallest chunks are many, whatever the tiles of this machine.
    auto const cut = run([&] {
      auto more = words;
      more.insert(more.end(), {"--memory", "1"});
      return more;
    }());
    auto const number = cut.err.find(" chunks: ");
    ASSERT_NE(number, std::string::npos) << cut.err;
    EXPECT_GE(std::stoi(cut.err.substr(cut.err.rfind(' ', number - 1))), 5) << cut.err;
    auto want = run_with({"--repeat", "2"});
    EXPECT_EQ(want.back(), "whole");
    want.back() = "chunked";
    EXPECT_TRUE(run_with({"--memory", "1", "--threads", "3", "--validate"}) == want);
    if (harness::sanitized) return;
    for (std::string const memory : {"1", "10M", "4G"}) EXPECT_TRUE(run_with({"--memory", memory}) == want) << memory;
  }
};

TEST_F(chunked_commands, scans) {
  write("i32.npy", npy(some_values<std::int32_t>(many)));
  write("i8.npy", npy(some_values<std::int8_t>(many)));
  write("f32.npy", npy(some_values<float>(many)));
  write("f64.npy", npy(some_values<double>(many)));
  for (auto const& type : some_of({"i32", "i8", "f32", "f64"})) {
    SCOPED_TRACE(type);
    check({"scan", type + ".npy", "-o", "out.npy"});
    check({"scan", type + ".npy", "-o", "out.npy", "--exclusive", "--init", "3", "--reverse"});
    check({"scan", type + ".npy", "-o", "out.npy", "--op", "max", "--init", "1"});
  }
  check({"scan", "f32.npy", "-o", "out.npy", "--reproducible"});
  check({"scan", "f64.npy", "-o", "out.npy", "--reproducible", "--exclusive"});
  check({"scan", "f64.npy", "-o", "out.npy", "--reproducible", "--reverse"});
}

TEST_F(chunked_commands, scans_of_raw_files_and_shapes) {
  auto const in = some_values<std::int32_t>(many + 4);
  write("in.raw", raw(in));
  check({"scan", "in.raw", "--dtype", "i32", "-o", "out.raw"}, {"out.raw"});
  check({"scan", "in.raw", "--dtype", "i32", "-o", "out.npy"});
  write("in.npy", npy(in, "(2, " + std::to_string((many + 4) / 2) + ")"));
  check({"scan", "in.npy", "-o", "out.npy"});
  write("odd.npy", npy_text(dict_of("<i4", "(" + std::to_string(in.size()) + ",)") + std::string(51, ' '), raw(in)));
  check({"scan", "odd.npy", "-o", "out.npy"});
}

TEST_F(chunked_commands, scans_of_segments) {
  write("in.npy", npy(some_values<std::int32_t>(many)));
  std::vector<std::uint8_t> flags(many), bits((many + 7) / 8);
  std::vector<std::uint32_t> words(many);
  std::vector<std::int64_t> offsets{0};
  std::uint32_t random = 7;
  for (std::size_t i = 1; i < many; ++i) {
    random = random * 1664525 + 1013904223;
    if ((random >> 16) % (i < many / 2 ? 100 : 30000) != 0) continue;  // short segments, then some longer than the smallest chunks
    flags[i] = 1, words[i] = 1u << i % 32;
    bits[i / 8] = static_cast<std::uint8_t>(bits[i / 8] | 1 << i % 8);
    offsets.push_back(static_cast<std::int64_t>(i));
  }
  offsets.push_back(many);
  write("flags.npy", npy(flags));
  write("words.npy", npy(words));
  write("bits.npy", npy(bits));
  write("offsets.npy", npy(offsets));
  for (std::vector<std::string> const& described :
       std::vector<std::vector<std::string>>{{"--heads", "flags.npy"},
                                             {"--heads", "words.npy", "--segments-dtype", "u32"},
                                             {"--head-bits", "bits.npy"},
                                             {"--offsets", "offsets.npy"},
                                             {"--row-length", "17"},
                                             {"--row-length", "35296"}})
    for (std::vector<std::string> const& how :
         std::vector<std::vector<std::string>>{{}, {"--reverse"}, {"--exclusive", "--init", "5"}, {"--exclusive", "--reverse"}}) {
      std::vector<std::string> command{"scan", "in.npy", "-o", "out.npy"};
      command.insert(command.end(), described.begin(), described.end());
      command.insert(command.end(), how.begin(), how.end());
      SCOPED_TRACE(described[0] + " " + (how.empty() ? "" : how[0]));
      check(command);
    }
}

// From the end only whole rows are cut; else it runs in one piece.
TEST_F(chunked_commands, scans_of_rows_of_which_one_is_short) {
  auto in = some_values<std::int32_t>(many);
  in.pop_back();
  write("in.npy", npy(in));
  check({"scan", "in.npy", "-o", "out.npy", "--row-length", "17"});
  auto const want = run({"scan", "in.npy", "-o", "want.npy", "--row-length", "17", "--reverse", "--on", "cpu", "--repeat", "2"});
  auto const got = run({"scan", "in.npy", "-o", "out.npy", "--row-length", "17", "--reverse", "--on", "cpu", "--memory", "1"});
  EXPECT_EQ(want.code + got.code, 0);
  EXPECT_TRUE(read("out.npy") == read("want.npy"));
}

TEST_F(chunked_commands, selections) {
  write("in.npy", npy(some_values<std::int32_t>(many)));
  write("f32.npy", npy(some_values<float>(many)));
  auto flags = some_values<std::uint8_t>(many);
  for (auto& flag : flags) flag = flag % 3 == 0;
  write("flags.npy", npy(flags));
  for (std::string const below : {"-1", "30000", "65536"}) {  // nothing, some, everything
    check({"select", "in.npy", "-o", "out.npy", "--below", below});
    check({"select", "in.npy", "-o", "out.npy", "--rejected", "not.npy", "--below", below}, {"out.npy", "not.npy"});
  }
  check({"select", "f32.npy", "-o", "out.raw", "--between", "100,5000.5"}, {"out.raw"});
  check({"select", "f32.npy", "-o", "out.npy", "--rejected", "not.raw", "--flags", "flags.npy"}, {"out.npy", "not.raw"});
}

TEST_F(chunked_commands, runs) {
  auto const numbers = some_values<std::int32_t>(many);
  std::vector<std::int32_t> short_runs(many), long_runs(many), one_run(many, 5);
  for (std::size_t i = 0; i < many; ++i) short_runs[i] = numbers[i] % 2, long_runs[i] = static_cast<std::int32_t>(i / 250'000);
  std::vector<float> odd(many);  // NaNs, of which none equals another, and zeros of either sign, which do
  for (std::size_t i = 0; i < many; ++i) odd[i] = i % 5000 < 4500 ? (i % 3 == 0 ? -0.0f : 0.0f) : std::nanf("");
  write("numbers.npy", npy(numbers));
  write("short.npy", npy(short_runs));
  write("long.npy", npy(long_runs));
  write("one.npy", npy(one_run));
  write("odd.npy", npy(odd));
  for (std::string const in : {"numbers.npy", "short.npy", "long.npy", "one.npy", "odd.npy"}) {
    SCOPED_TRACE(in);
    check({"unique", in, "-o", "out.npy"});
    check({"unique", in, "-o", "out.npy", "--counts", "counts.npy"}, {"out.npy", "counts.npy"});
    check({"rle", "encode", in, "-o", "out.npy", "--lengths", "lengths.raw"}, {"out.npy", "lengths.raw"});
  }
}

/// Keys in runs: of one item, of a few, longer than the smallest chunks, and NaNs among floats, of which none equals another.
template <class Key>
std::vector<Key> some_keys() {
  std::vector<Key> keys(many);
  for (std::size_t i = 0; i < many; ++i) {
    std::size_t const run = i < many / 4 ? i : i < many / 2 ? i / 7 : i / 90'000;
    keys[i] = static_cast<Key>(run % 100);
    if (std::is_floating_point_v<Key> && run % 100 == 3) keys[i] = static_cast<Key>(std::nan(""));
  }
  return keys;
}

TEST_F(chunked_commands, scans_by_keys) {
  write("in.npy", npy(some_values<std::int32_t>(many)));
  write("f64.npy", npy(some_values<double>(many)));
  write("u8.npy", npy(some_keys<std::uint8_t>()));
  write("i16.npy", npy(some_keys<std::int16_t>()));
  write("f32.npy", npy(some_keys<float>()));
  write("i64.npy", npy(some_keys<std::int64_t>()));
  for (auto const& keys : some_of({"u8.npy", "i16.npy", "f32.npy", "i64.npy"})) {
    SCOPED_TRACE(keys);
    check({"scan", "in.npy", "-o", "out.npy", "--keys", keys});
    check({"scan", "in.npy", "-o", "out.npy", "--keys", keys, "--reverse", "--exclusive"});
  }
  check({"scan", "f64.npy", "-o", "out.npy", "--keys", "u8.npy"});
}

TEST_F(chunked_commands, reductions_by_key) {
  write("i32.npy", npy(some_values<std::int32_t>(many)));
  write("f32.npy", npy(some_values<float>(many)));
  write("f64.npy", npy(some_values<double>(many)));
  write("i16.npy", npy(some_values<std::int16_t>(many)));
  write("k8.npy", npy(some_keys<std::uint8_t>()));
  write("k32.npy", npy(some_keys<std::int32_t>()));
  write("k64.npy", npy(some_keys<std::int64_t>()));
  write("kf.npy", npy(some_keys<float>()));
  auto const reduces = [&](std::string const& keys, std::string const& values, std::string const& op) {
    SCOPED_TRACE(keys + " " + values + " " + op);
    check({"reduce-by-key", keys, values, "-o", "out.npy", "--values-out", "sums.npy", "--op", op}, {"out.npy", "sums.npy"});
  };
  for (auto const& keys : some_of({"k8.npy", "k32.npy", "k64.npy", "kf.npy"})) reduces(keys, "f32.npy", "plus");
  for (std::string const keys : {"k8.npy", "k32.npy"})
    for (std::string const values : {"i32.npy", "f64.npy", "i16.npy"}) reduces(keys, values, "plus");
  for (std::string const values : {"i32.npy", "f32.npy", "i16.npy"}) reduces("k64.npy", values, "max");
  check({"reduce-by-key", "k32.npy", "i32.npy", "-o", "out.raw", "--values-out", "sums.npy", "--op", "or"},
        {"out.raw", "sums.npy"});
}

TEST_F(chunked_commands, runs_written_out) {
  std::vector<std::int64_t> lengths(many / 8);
  std::vector<std::int32_t> wide(lengths.size());
  std::int64_t total = 0;
  std::uint32_t random = 3;
  for (std::size_t r = 0; r < lengths.size(); ++r) {
    random = random * 1664525 + 1013904223;
    lengths[r] = r % 30'000 == 11 ? 150'000 : r > 40'000 ? 0 : (random >> 16) % 5;  // long ones, and many empty ones
    wide[r] = static_cast<std::int32_t>(lengths[r]);
    total += lengths[r];
  }
  lengths.push_back(3), wide.push_back(3);
  write("lengths.npy", npy(lengths));
  write("wide.npy", npy(wide));
  write("f64.npy", npy(some_values<double>(lengths.size())));
  write("i8.npy", npy(some_values<std::int8_t>(lengths.size())));
  check({"rle", "decode", "f64.npy", "--lengths", "lengths.npy", "-o", "out.npy"});
  check({"rle", "decode", "i8.npy", "--lengths", "wide.npy", "-o", "out.raw"}, {"out.raw"});
  // As large as no memory is: the file is asked for its room before anything is written.
  lengths[5] = std::int64_t{1} << 60;
  write("long.npy", npy(lengths));
  auto const done = run({"rle", "decode", "i8.npy", "--lengths", "long.npy", "-o", "out.npy", "--on", "cpu"});
  EXPECT_NE(done.code, 0);
  EXPECT_FALSE(exists("out.npy"));
}

TEST_F(chunked_commands, say_what_took_how_long) {
  write("in.npy", npy(some_values<std::int32_t>(many)));
  auto const done = run({"scan", "in.npy", "-o", "out.npy", "--on", "cpu", "--json", "times.json"});
  EXPECT_THAT(done.err, HasSubstr("at the same time in "));
  EXPECT_THAT(done.err, HasSubstr("limited by "));
  auto const json = read("times.json");
  EXPECT_THAT(json, HasSubstr("\"overlapped_seconds\""));
  EXPECT_THAT(json, HasSubstr("\"limit\""));
  auto const kept = run({"select", "in.npy", "-o", "out.npy", "--below", "0", "--on", "cpu"});
  EXPECT_THAT(kept.err, HasSubstr("kept 0 of 600,032"));
}

// What cannot be cut runs in one piece, as it did.
TEST_F(chunked_commands, what_needs_a_whole_gets_one) {
  auto const in = some_values<std::int32_t>(1000);
  write("in.npy", npy(in));
  for (std::vector<std::string> const& words :
       std::vector<std::vector<std::string>>{{"scan", "in.npy", "-o", "out.csv"},
                                             {"scan", "in.npy", "-o", "out.npy", "--repeat", "2"},
                                             {"scan", "in.npy", "-o", "/dev/null"},
                                             {"select", "in.npy", "-o", "out.npy", "--below", "9", "--in-place"}}) {
    auto more = words;
    more.insert(more.end(), {"--on", "cpu"});
    auto const done = run(more);
    EXPECT_EQ(done.code, 0);
    EXPECT_THAT(done.err, ::testing::Not(HasSubstr(" chunks: ")));
  }
}

TEST_F(chunked_commands, an_input_may_be_its_output) {
  auto const in = some_values<std::int32_t>(many);
  write("in.npy", npy(in));
  std::vector<std::int32_t> want(many);
  std::uint32_t sum = 0;
  for (std::size_t i = 0; i < many; ++i) want[i] = static_cast<std::int32_t>(sum += static_cast<std::uint32_t>(in[i]));
  EXPECT_EQ(run({"scan", "in.npy", "-o", "in.npy", "--on", "cpu", "--memory", "1"}).code, 0);
  EXPECT_EQ(elements<std::int32_t>(open_npy(read("in.npy")).data), want);
}

// A disk that is full, as a limit on the length of files: the error of the stage that writes is told, and nothing is left.
TEST_F(chunked_commands, a_disk_that_is_full_leaves_nothing) {
  write("in.npy", npy(some_values<std::int32_t>(many)));
  write("run.sh", "trap '' XFSZ; ulimit -f 500; exec \"$@\"\n");
  auto const before = files();
  fs::permissions(folder / "run.sh", fs::perms::owner_all);
  for (std::string const command : {"scan in.npy -o out.npy", "select in.npy -o out.npy --below 60000"}) {
    auto const line = "cd " + folder.string() + " && bash run.sh " LOOKBACK_PROGRAM " " + command + " --on cpu 2>err";
    int const status = std::system(line.c_str());
    EXPECT_EQ(WEXITSTATUS(status), 74);
    EXPECT_THAT(read("err"), HasSubstr("out.npy: cannot be written: File too large"));
    fs::remove(folder / "err");
    EXPECT_EQ(files(), before);
  }
}

TEST_F(chunked_commands, memory_that_has_no_effect_is_told) {
  write("in.npy", npy(some_values<std::int32_t>(many)));
  std::vector<std::string> const words{"scan", "in.npy", "-o", "out.npy", "--on", "cpu", "--memory", "1M"};
  auto const said = [&](std::vector<std::string> more) {
    more.insert(more.begin(), words.begin(), words.end());
    auto const done = run(more);
    EXPECT_EQ(done.code, 0) << done.err;
    return done.err;
  };
  EXPECT_THAT(said({"--strategy", "chained"}), HasSubstr("--memory has no effect"));
  EXPECT_THAT(said({}), ::testing::Not(HasSubstr("--memory has no effect")));
}

TEST_F(chunked_commands, a_size_of_memory_that_is_none) {
  write("in.npy", npy(some_values<std::int32_t>(10)));
  for (std::string const memory : {"", "x", "-1"}) {
    auto const done = run({"scan", "in.npy", "-o", "out.npy", "--memory", memory});
    EXPECT_EQ(done.code, 64) << memory;
    EXPECT_THAT(done.err, HasSubstr("--memory"));
  }
  EXPECT_FALSE(exists("out.npy"));
}

}  // namespace
