#include "outside.hpp"

#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <sstream>

#include "io/numbers.hpp"
#include "report/clock.hpp"

extern char** environ;

namespace lookback::app {

bool is_installed(std::string const& program) {
  char const* const path = std::getenv("PATH");
  std::istringstream folders(path ? path : "");
  for (std::string folder; std::getline(folders, folder, ':');)
    if (access(((folder.empty() ? "." : folder) + "/" + program).c_str(), X_OK) == 0) return true;
  return false;
}

double run_outside(outside_program const& what) {
  std::vector<char*> words;
  for (auto const& word : what.words) words.push_back(const_cast<char*>(word.c_str()));
  words.push_back(nullptr);
  stopwatch clock;
  pid_t process = 0;
  if (int const failed = posix_spawnp(&process, words[0], nullptr, nullptr, words.data(), environ); failed != 0)
    throw io_error(what.name + ": cannot be started: " + std::strerror(failed));
  int status = 0;
  while (waitpid(process, &status, 0) < 0)
    if (errno != EINTR) throw io_error(what.name + ": cannot be waited for: " + std::strerror(errno));
  double const seconds = clock.lap();
  if (!WIFEXITED(status) || WEXITSTATUS(status) != 0)
    throw io_error(what.name + ": failed" + (WIFEXITED(status) ? " with exit code " + text_of(WEXITSTATUS(status)) : ""));
  return seconds;
}

}  // namespace lookback::app
