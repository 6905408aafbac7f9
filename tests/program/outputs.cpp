// Output files: whole or not at all.
#include <sys/resource.h>
#include <sys/wait.h>

#include "io/output_file.hpp"
#include "program.hpp"
#include "report/failures.hpp"

using namespace lookback;
using namespace lookback::app;

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
