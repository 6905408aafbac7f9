// Output files, from inside and from outside: whole or not at all, under names of every kind.
#include <sys/resource.h>
#include <sys/wait.h>

#include <functional>
#include <numeric>

#include "io/output_file.hpp"
#include "io/scratch_file.hpp"
#include "io/text_column.hpp"
#include "io/write_array.hpp"
#include "io/write_parts.hpp"
#include "jobs/chunked_job.hpp"
#include "jobs/perform.hpp"
#include "jobs/reduce_job.hpp"
#include "jobs/scan_job.hpp"
#include "program.hpp"
#include "report/failures.hpp"

using namespace lookback;
using namespace lookback::app;
using ::testing::HasSubstr;

class output : public program {};

TEST_F(output, exists_whole_or_not_at_all) {
  auto const path = (folder / "out").string();
  std::string const half = "half";
  {
    output_file out(path);
    EXPECT_EQ(files(), std::vector<std::string>{});  // looked at, not left there
    out.write(std::as_bytes(std::span(half)));
  }
  EXPECT_EQ(files(), std::vector<std::string>{});
  output_file out(path);
  out.write(std::as_bytes(std::span(half)));
  out.finish();
  EXPECT_FALSE(exists("out"));
  out.commit();
  EXPECT_EQ(read("out"), "half");
}

/// Runs `body` in a process of its own; returns how that ended.
template <class Body>
int ended(Body body) {
  pid_t const child = fork();
  if (child == 0) {
    end_cleanly_on_signals();
    body();
    _exit(0);
  }
  int status = 0;
  waitpid(child, &status, 0);
  return status;
}

TEST_F(output, a_signal_leaves_no_half_file) {
  auto const path = (folder / "out").string();
  std::string const half = "half";
  for (int const signal : {SIGINT, SIGTERM, SIGHUP}) {
    int const status = ended([&] {
      output_file out(path), beside(path + "2");
      out.write(std::as_bytes(std::span(half)));
      beside.write(std::as_bytes(std::span(half)));
      raise(signal);
    });
    EXPECT_TRUE(WIFSIGNALED(status) && WTERMSIG(status) == signal) << status;
    EXPECT_EQ(files(), std::vector<std::string>{});
  }
  int const status = ended([&] {  // what is finished stays
    output_file out(path);
    out.write(std::as_bytes(std::span(half)));
    out.finish();
    out.commit();
    raise(SIGTERM);
  });
  EXPECT_TRUE(WIFSIGNALED(status));
  EXPECT_EQ(read("out"), "half");
}

TEST_F(output, a_scratch_file_is_gone_with_its_value_and_with_a_signal) {
  auto const like = folder / "out.csv";
  {
    scratch_file const one(like);
    EXPECT_EQ(files(), std::vector<std::string>{fs::path(one.path).filename().string()});
    EXPECT_EQ(fs::path(one.path).extension(), ".csv");
  }
  EXPECT_EQ(files(), std::vector<std::string>{});
  int const status = ended([&] {
    scratch_file const one(like);
    if (files().size() == 1) raise(SIGTERM);
  });
  EXPECT_TRUE(WIFSIGNALED(status));
  EXPECT_EQ(files(), std::vector<std::string>{});
}

TEST_F(output, a_file_past_the_limit_is_an_error_of_its_write) {
  int const status = ended([&] {
    rlimit const little{1000, 1000};
    setrlimit(RLIMIT_FSIZE, &little);
    try {
      output_file out((folder / "out").string());
      std::vector<std::byte> const much(100'000);
      out.write(much);
    } catch (lookback::io_error const&) {
      _exit(74);
    }
  });
  EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 74) << status;
  EXPECT_EQ(files(), std::vector<std::string>{});
}

TEST_F(output, pipes_are_written_directly) {
  auto const path = (folder / "pipe").string();
  ASSERT_EQ(mkfifo(path.c_str(), 0600), 0);
  int const reader = open(path.c_str(), O_RDONLY | O_NONBLOCK);
  output_file out(path);
  std::string const text = "through";
  out.write(std::as_bytes(std::span(text)));
  out.finish();
  out.commit();
  char got[8] = {};
  EXPECT_EQ(::read(reader, got, 7), 7);
  EXPECT_STREQ(got, "through");
  close(reader);
}

// ---- names

namespace {
void write_to(std::string const& path, std::string const& text) {
  output_file out(path);
  out.write(text);
  out.finish();
  out.commit();
}
}  // namespace

TEST_F(output, names_as_long_as_a_folder_takes_them) {
  std::string accents;
  for (int k = 0; k < 127; ++k) accents += "\xc3\xa9";
  for (std::string const& name : {std::string(255, 'n'), std::string(251, 'n') + ".npy", accents, std::string("n")}) {
    write_to((folder / name).string(), "whole");
    EXPECT_EQ(read(name), "whole") << name;
    EXPECT_EQ(files(), std::vector{name});
    fs::remove(folder / name);
  }
  EXPECT_THROW(output_file((folder / std::string(256, 'n')).string()), io_error);
}

/// Process numbers come again in every container, and a program that is killed leaves its file.
TEST_F(output, leftovers_of_another_process_are_in_nobodys_way) {
  write("out.part" + std::to_string(getpid()), "left over");
  auto const path = (folder / "out").string();
  output_file one(path), other(path);  // as two processes would that write one file
  one.write("one"), other.write("other");
  EXPECT_EQ(files().size(), 3u);
  one.finish(), other.finish();
  one.commit(), other.commit();
  EXPECT_EQ(read("out"), "other");
  EXPECT_EQ(files(), (std::vector{std::string("out"), "out.part" + std::to_string(getpid())}));
}

TEST_F(output, links_stay_and_what_they_lead_to_is_written) {
  fs::create_directory(folder / "d");
  fs::create_symlink("d/second", folder / "first");
  fs::create_symlink("../target", folder / "d/second");  // which is not there yet
  auto const first = (folder / "first").string();
  EXPECT_TRUE(output_file(first).is_same_file((folder / "target").string()));
  for (std::string const text : {"new", "newer"}) {
    write_to(first, text);
    EXPECT_TRUE(fs::is_symlink(folder / "first") && fs::is_symlink(folder / "d/second"));
    EXPECT_EQ(read("target"), text);
  }
  fs::create_symlink((folder / "absolute").string(), folder / "third");
  write_to((folder / "third").string(), "text");
  EXPECT_EQ(read("absolute"), "text");
  EXPECT_EQ(files(), (std::vector<std::string>{"absolute", "d", "first", "target", "third"}));
  fs::create_symlink("circle", folder / "circle");
  EXPECT_THROW(output_file((folder / "circle").string()), io_error);
  fs::create_symlink("no/such/folder/out", folder / "nowhere");
  try {
    output_file((folder / "nowhere").string());
    ADD_FAILURE() << "written";
  } catch (io_error const& e) {
    EXPECT_THAT(e.what(), HasSubstr("nowhere: cannot be written: folder " + (folder / "no/such/folder").string() + ": No such"));
  }
}

/// As the help says.
TEST_F(output, another_name_of_the_file_keeps_its_content) {
  write("one", "old");
  fs::create_hard_link(folder / "one", folder / "other");
  write_to((folder / "one").string(), "new");
  EXPECT_EQ(read("one"), "new");
  EXPECT_EQ(read("other"), "old");
}

TEST_F(output, who_refuses_is_named) {
  fs::create_directories(folder / "closed/inner");
  fs::create_directory(folder / "read-only");
  write("read-only/out", "old"), write("locked", "old");
  fs::permissions(folder, fs::perms(0777));
  fs::permissions(folder / "read-only/out", fs::perms(0666));
  fs::permissions(folder / "locked", fs::perms(0444));
  fs::permissions(folder / "read-only", fs::perms(0555));
  fs::permissions(folder / "closed", fs::perms(0600));
  auto const message = [&](std::string const& name) {
    int const status = ended([&] {
      if (geteuid() == 0 && setuid(65534) != 0) _exit(2);
      try {
        output_file out((folder / name).string());
      } catch (io_error const& e) {
        std::ofstream(folder / "message") << e.what();
      }
    });
    EXPECT_EQ(status, 0);
    auto const text = read("message");
    fs::remove(folder / "message");
    return text;
  };
  auto const in = [&](char const* name) { return (folder / name).string(); };
  EXPECT_EQ(message("read-only/out"),
            in("read-only/out") + ": cannot be written: folder " + in("read-only") + ": Permission denied");
  EXPECT_EQ(message("read-only/new"),
            in("read-only/new") + ": cannot be written: folder " + in("read-only") + ": Permission denied");
  EXPECT_EQ(message("closed/inner/out"),
            in("closed/inner/out") + ": cannot be written: folder " + in("closed") + ": Permission denied");
  EXPECT_EQ(message("locked"), in("locked") + ": cannot be written: Permission denied");
  fs::permissions(folder / "closed", fs::perms(0700)), fs::permissions(folder / "read-only", fs::perms(0700));
}

/// Several threads write blocks of numbers: rows end where they do, and every number stands in its place.
TEST_F(output, of_text_in_many_blocks) {
  std::vector<std::int64_t> numbers(3 * 20'011);
  std::iota(numbers.begin(), numbers.end(), -7);
  auto const path = (folder / "out.csv").string();
  output_file out(path);
  write_array(out, {element::i64, {20'011, 3}, reinterpret_cast<std::byte const*>(numbers.data()), {}});
  out.commit();
  for (std::size_t const column : {0, 1, 2}) {
    auto const text = read_text_column(input_file(path), false, {',', std::to_string(column)});
    auto const got = text.as<std::int64_t>();
    ASSERT_EQ(got.size(), numbers.size() / 3);
    for (std::size_t i = 0; i < got.size(); ++i) ASSERT_EQ(got[i], numbers[3 * i + column]) << i;
  }
}

/// --validate of a run by chunks looks at the file: a number that is wrong there is found, and so is one too few.
TEST_F(output, that_is_wrong_is_no_valid_one) {
  write("in.npy", npy(std::vector<std::int32_t>{1, 2, 3, 4}));
  scan_options options;
  options.in = (folder / "in.npy").string();
  auto const scan = read_scan_job(options, nullptr);
  for (std::string const name : {"out.npy", "out.raw"}) {
    auto const check = [&](std::vector<std::int32_t> const& content) {
      auto files = open_outputs({(folder / name).string()});
      auto const chunks = chunks_of(*scan, files, dispatch::back_end::cpu, false);
      array_parts parts(files[0], element::i32, {4});
      parts.write(0, std::as_bytes(std::span(content)));
      parts.finish({static_cast<index_t>(content.size())});
      expect_valid_files(*scan, *chunks, files);
    };
    EXPECT_NO_THROW(check({1, 3, 6, 10}));
    EXPECT_THROW(check({1, 3, 7, 10}), mismatch);
    EXPECT_THROW(check({1, 3, 6}), mismatch);
  }
}

/// --validate of reductions by keys: what is wrong with a run is said, whatever the types of keys and values are.
TEST_F(output, of_wrong_reductions_says_which_run) {
  write("keys.npy", npy(std::vector<std::int16_t>{7, 7, 8, 7}));
  write("values.npy", npy(std::vector<double>{1, 2, 3, 4}));
  reduce_options options;
  options.keys = (folder / "keys.npy").string(), options.values = (folder / "values.npy").string();
  auto const job = read_reduce_job(options);
  job->load();
  auto const difference = [&](std::vector<std::int16_t> const& keys, std::vector<double> const& sums) {
    auto const n = static_cast<index_t>(keys.size());
    auto const view = [](auto const& of) {
      auto const bytes = std::as_bytes(std::span(of));
      return host_memory::view(bytes.data(), bytes.size());
    };
    outputs made;
    made.push_back(view(keys)), made.push_back(view(sums)), made.push_back(view(std::span(&n, 1)));
    return job->first_difference(made);
  };
  EXPECT_EQ(difference({7, 8, 7}, {3, 3, 4}), "");
  EXPECT_THAT(difference({7, 8, 7}, {3, 3, 5}), HasSubstr("run 2, items 3 to below 4: found 5, expected 4"));
  EXPECT_EQ(difference({7, 9, 7}, {3, 3, 4}), "run 1, items 2 to below 3: found key 9, expected 8");
  EXPECT_EQ(difference({7, 8}, {3, 3}), "run 2, items 3 to below 4: found none, expected key 7");
  EXPECT_EQ(difference({7, 8, 7, 1}, {3, 3, 4, 0}), "found 4 runs, expected 3");
}
