// lookback tune, and what later runs make of its file.
#include <csignal>

#include "program.hpp"

using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::StartsWith;

struct tune_command : program {
  void SetUp() override {
    program::SetUp();
    std::vector<int> in(300'000);
    for (std::size_t i = 0; i < in.size(); ++i) in[i] = static_cast<int>(i * 2654435761u >> 8);
    write("in.npy", npy(in));
  }
  /// An entry for that input on this machine.
  std::string entry(std::string const& more, std::string const& version = "") {
    write("probe.npy", npy(std::vector<int>(100'000, 1)));
    auto const about = run({"info"}).err;
    auto const cpu = about.substr(about.find("cpu         ") + 12);
    auto const number = about.substr(9, about.find_first_of(" ,", 9) - 9);
    return "[cpu]\ndevice = " + cpu.substr(0, cpu.find(" cores") + 6) + "\nversion = " + (version.empty() ? number : version) +
           "\ncommand = scan\nmanner = inclusive plus\ntype = i32\nitems = 300000\n" + more;
  }
};

TEST_F(tune_command, tunes_every_command_and_leaves_no_other_file) {
  auto const commands = every_command();
  auto const before = files();
  for (auto const& words : commands) {
    auto all = words;
    all.insert(all.begin(), "tune");
    all.insert(all.end(), {"--on", "cpu", "--seconds", "0.1", "--dry-run"});
    SCOPED_TRACE(words[0]);
    auto const done = run(all);
    EXPECT_EQ(done.code, 0) << done.err;
    EXPECT_THAT(done.err, HasSubstr("configurations"));
    EXPECT_EQ(files(), before);
  }
}

TEST_F(tune_command, writes_all_configurations_as_json_and_maps_to_the_terminal) {
  auto const done = run({"tune", "scan", "in.npy", "--on", "cpu", "--maps", "--json", "all.json", "--dry-run"});
  EXPECT_EQ(done.code, 0) << done.err;
  EXPECT_THAT(done.err, HasSubstr("until no step along an axis was better"));
  EXPECT_THAT(done.err, HasSubstr("throughput, GB/s, by threads (down) and tile (across)"));
  EXPECT_THAT(done.err, HasSubstr("of the fastest at that size, %, by threads (down) and items (across)"));
  EXPECT_THAT(done.err, HasSubstr("by threads (down) and items (across)"));
  EXPECT_THAT(done.err, HasSubstr("by tile (down) and items (across)"));
  EXPECT_THAT(done.err, HasSubstr("75,000"));
  auto const json = read("all.json");
  EXPECT_THAT(json, HasSubstr("\"is_default\": true"));
  EXPECT_THAT(json, HasSubstr("\"is_best\": true"));
  EXPECT_FALSE(exists("tunings.ini"));
}

TEST_F(tune_command, later_runs_take_what_the_file_says_unless_they_are_told_not_to) {
  write("tunings.ini", entry("threads = 1\ntile_bytes = 32768\nstream_above_bytes = 1\nsimd = portable\nstrategy = chained\n"));
  std::string const tuned = "tuned: 1 thread, tiles of 32768 bytes, always streaming stores, SIMD at most portable, chained";
  auto const whole = run({"scan", "in.npy", "-o", "out.npy", "--on", "cpu", "--repeat", "2", "--validate"});
  EXPECT_EQ(whole.code, 0) << whole.err;
  EXPECT_THAT(whole.err, HasSubstr(tuned));
  EXPECT_THAT(whole.err, HasSubstr("cpu, 1 thread"));
  EXPECT_THAT(run({"scan", "in.npy", "-o", "out.npy", "--on", "cpu"}).err, Not(HasSubstr("tuned"))) << "files limit chunks";
  EXPECT_THAT(run({"scan", "in.npy", "-o", "out.npy", "--on", "cpu", "--threads", "2", "--repeat", "2"}).err,
              Not(HasSubstr("tuned")))
      << "it is for no number of threads in particular";
  EXPECT_EQ(run({"scan", "in.npy", "-o", "out.npy", "--on", "cpu", "--repeat", "2", "--quiet", "--json", "run.json"}).code, 0);
  EXPECT_THAT(read("run.json"), HasSubstr("\"tuned\": \"1 thread, tiles of 32768 bytes"));
  for (std::string const no : {"--no-tuning", "--reproducible", "--strategy=decoupled-look-back"})
    EXPECT_THAT(run({"scan", "in.npy", "-o", "out.npy", "--on", "cpu", "--repeat", "2", no}).err, Not(HasSubstr("tuned"))) << no;
  for (auto const& other : std::vector<std::vector<std::string>>{{"--exclusive"}, {"--op", "max"}, {"--reverse"}}) {
    std::vector<std::string> words{"scan", "in.npy", "-o", "out.npy", "--on", "cpu", "--repeat", "2"};
    words.insert(words.end(), other.begin(), other.end());
    EXPECT_THAT(run(words).err, Not(HasSubstr("tuned"))) << other[0];
  }
  EXPECT_THAT(run({"scan", "probe.npy", "-o", "out.npy", "--on", "cpu", "--repeat", "2"}).err, Not(HasSubstr("tuned")))
      << "a third of the items";
  auto const compared = run({"compare", "scan", "in.npy", "--on", "cpu", "--repeat", "1", "--validate"});
  EXPECT_EQ(compared.code, 0) << compared.err;
  EXPECT_THAT(compared.err, HasSubstr("lookback tuned has 1 thread, tiles of 32768 bytes"));
  EXPECT_THAT(run({"compare", "scan", "in.npy", "--on", "cpu", "--repeat", "1", "--no-tuning"}).err,
              Not(HasSubstr("lookback tuned")));
  EXPECT_THAT(run({"info"}).err, HasSubstr("scan, inclusive plus, 300,000 x i32, cpu: 1 thread, tiles of 32768 bytes"));
}

TEST_F(tune_command, an_entry_may_say_the_default_and_no_more_threads_than_there_are) {
  auto const run_whole = [&] { return run({"scan", "in.npy", "-o", "out.npy", "--on", "cpu", "--repeat", "2"}); };
  write("tunings.ini", entry("default_seconds = 0.001\n"));
  EXPECT_THAT(run_whole().err, Not(HasSubstr("tuned")));
  write("tunings.ini", entry("threads = 5000000\n"));
  auto const done = run_whole();
  EXPECT_EQ(done.code, 0) << done.err;
  EXPECT_THAT(done.err, HasSubstr("tuned: "));
  EXPECT_THAT(done.err, Not(HasSubstr("5000000")));
}

TEST_F(tune_command, threads_that_are_asked_for_have_tunings_of_their_own) {
  write("tunings.ini", entry("asked_threads = 2\ntile_bytes = 32768\n"));
  auto const runs = [&](std::string const& threads) {
    return run({"scan", "in.npy", "-o", "out.npy", "--on", "cpu", "--repeat", "2", "--threads", threads}).err;
  };
  EXPECT_THAT(runs("2"), HasSubstr("tuned: tiles of 32768 bytes"));
  EXPECT_THAT(runs("1"), Not(HasSubstr("tuned")));
  EXPECT_THAT(runs("0"), Not(HasSubstr("tuned")));
}

TEST_F(tune_command, a_search_that_ended_is_kept_and_one_that_was_not_loses_nothing) {
  auto const ended = run({"tune", "scan", "in.npy", "--on", "cpu"});
  EXPECT_EQ(ended.code, 0) << ended.err;
  auto const first = read("tunings.ini");
  EXPECT_THAT(first, HasSubstr("command = scan\nmanner = inclusive plus\ntype = i32\nitems = 300000\n"));
  EXPECT_THAT(first, HasSubstr("configurations = "));
  write("tunings.ini", entry("threads = 1\ntile_bytes = 32768\n"));
  auto const before = read("tunings.ini");
  auto const shortly = run({"tune", "scan", "in.npy", "--on", "cpu", "--seconds", "0"});
  EXPECT_EQ(shortly.code, 0) << shortly.err;
  EXPECT_THAT(shortly.err, Not(HasSubstr("kept in")));
  EXPECT_EQ(read("tunings.ini"), before);
  EXPECT_EQ(run({"tune", "scan", "in.npy", "--on", "cpu", "--threads", "1", "--seconds", "5"}).code, 0);
  EXPECT_THAT(read("tunings.ini"), HasSubstr("tile_bytes = 32768")) << "the other one stays";
  EXPECT_THAT(read("tunings.ini"), HasSubstr("asked_threads = 1"));
  EXPECT_THAT(run({"info"}).err, HasSubstr("scan, inclusive plus, 300,000 x i32, cpu, --threads 1: "));
}

TEST_F(tune_command, a_file_that_cannot_be_written_is_found_before_anything_is_measured) {
  write("file", "");
  setenv("LOOKBACK_TUNINGS", (folder / "file" / "tunings.ini").c_str(), 1);
  auto const done = run({"tune", "scan", "in.npy", "--on", "cpu"});
  EXPECT_EQ(done.code, 74) << done.err;
  EXPECT_THAT(done.err, Not(HasSubstr("configurations")));
  EXPECT_LT(done.seconds, soon);
  EXPECT_EQ(run({"tune", "scan", "in.npy", "--on", "cpu", "--seconds", "0", "--dry-run"}).code, 0) << "nothing is to be kept";
  for (char const* name : {"LOOKBACK_TUNINGS", "XDG_CONFIG_HOME"}) unsetenv(name);
  std::string const home = getenv("HOME") ? getenv("HOME") : "";
  unsetenv("HOME");
  EXPECT_EQ(run({"tune", "scan", "in.npy", "--on", "cpu"}).code, 74);
  if (!home.empty()) setenv("HOME", home.c_str(), 1);
  setenv("LOOKBACK_TUNINGS", (folder / "new" / "folder" / "tunings.ini").c_str(), 1);
  EXPECT_EQ(run({"tune", "scan", "in.npy", "--on", "cpu"}).code, 0);
  EXPECT_TRUE(exists("new/folder/tunings.ini"));
  EXPECT_EQ(run({"tune", "scan", "in.npy", "--on", "cpu", "--json", "new/folder/tunings.ini"}).code, 64);
}

TEST_F(tune_command, what_is_of_another_version_or_machine_is_passed_over_with_a_word) {
  auto const word = [&] { return run({"scan", "in.npy", "-o", "out.npy", "--on", "cpu", "--repeat", "2"}).err; };
  write("tunings.ini", entry("threads = 1\n", "0.0.1"));
  EXPECT_THAT(word(), HasSubstr("note: the tuning of scan for i32 is of version 0.0.1, not of version "));
  EXPECT_THAT(run({"info"}).err, HasSubstr("of version 0.0.1, passed over"));
  auto other = entry("threads = 1\n");
  other.replace(other.find("device = "), 9, "device = other ");
  write("tunings.ini", other);
  EXPECT_THAT(word(), HasSubstr("note: the tuning of scan for i32 is of other "));
  write("tunings.ini", other + entry("tile_bytes = 32768\n"));
  EXPECT_THAT(word(), Not(HasSubstr("note: "))) << "this machine has its own";
  other.replace(other.find("items = 300000"), 14, "items = 900000");
  write("tunings.ini", other);
  EXPECT_THAT(word(), Not(HasSubstr("note: "))) << "and nobody asks for that many";
  write("tunings.ini", entry("strategy = no-such\n"));
  EXPECT_THAT(word(), HasSubstr("is passed over: --strategy no-such: no such strategy"));
  write("tunings.ini", "[cpu]\nthreads = many\n");
  auto const done = run({"scan", "in.npy", "-o", "out.npy", "--on", "cpu", "--repeat", "2"});
  EXPECT_EQ(done.code, 0) << "a tuning stops nobody";
  EXPECT_THAT(done.err,
              HasSubstr("tunings.ini: line 2: found 'threads = many', expected a number behind threads =: no tuning is used"));
  EXPECT_THAT(run({"info"}).err, HasSubstr("line 2: found 'threads = many'"));
  auto const tuned = run({"tune", "scan", "in.npy", "--on", "cpu", "--seconds", "0"});
  EXPECT_EQ(read("tunings.ini"), "[cpu]\nthreads = many\n") << "and a file that cannot be read is not replaced";
  EXPECT_EQ(tuned.code, 65) << tuned.err;
}

TEST_F(tune_command, what_makes_no_sense_is_refused) {
  write("none.npy", npy(std::vector<int>{}));
  EXPECT_EQ(run({"tune", "scan", "none.npy"}).code, 64);
  EXPECT_EQ(run({"tune", "scan", "missing.npy"}).code, 66);
  EXPECT_EQ(run({"tune", "scan", "in.npy", "-o", "out.npy"}).code, 64);
  EXPECT_EQ(run({"tune", "scan", "in.npy", "--seconds", "-1"}).code, 64);
  auto const rejects =
      run({"tune", "select", "in.npy", "--below", "5", "--rejected", "rest.npy", "--on", "cpu", "--seconds", "0", "--dry-run"});
  EXPECT_EQ(rejects.code, 0) << rejects.err;
  EXPECT_THAT(rejects.err, HasSubstr("rejected items too"));
  EXPECT_THAT(rejects.err, HasSubstr("note: tune keeps no result of its runs: rest.npy is not written"));
  EXPECT_FALSE(exists("rest.npy"));
  EXPECT_EQ(run({"tune", "scan", "in.npy", "--json", "in.npy"}).code, 64);
  EXPECT_EQ(run({"tune", "gather", "in.npy"}).code, 64);
  EXPECT_EQ(run({"tune"}).code, 64);
  EXPECT_FALSE(exists("tunings.ini"));
}

TEST_F(tune_command, an_interrupt_keeps_what_was_found_and_is_told) {
  write("large.npy", npy(std::vector<int>(4'000'000, 1)));
  auto text = entry("threads = 1\n");
  text.replace(text.find("items = 300000"), 14, "items = 4000000");
  write("tunings.ini", text);
  pid_t const child = fork();
  if (child == 0) {
    if (chdir(folder.c_str()) != 0) _exit(127);
    dup2(open("err", O_CREAT | O_TRUNC | O_WRONLY, 0600), 2);
    execl(LOOKBACK_PROGRAM, LOOKBACK_PROGRAM, "tune", "scan", "large.npy", "--on", "cpu", "--all", "--json", "all.json", nullptr);
    _exit(127);
  }
  usleep(harness::sanitized ? 4'000'000 : 1'000'000);
  kill(child, SIGINT);
  int status = 0;
  waitpid(child, &status, 0);
  EXPECT_TRUE(WIFSIGNALED(status) && WTERMSIG(status) == SIGINT) << "who started it sees the signal";
  EXPECT_THAT(read("err"), HasSubstr("stopped"));
  EXPECT_THAT(read("all.json"), HasSubstr("\"benchmarks\""));
  EXPECT_THAT(read("tunings.ini"), HasSubstr("items = 4000000\n")) << "what was known stays, or something better";
}
