#include "output_file.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <climits>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <utility>

#include "numbers.hpp"
#include "report/failures.hpp"

namespace lookback::app {

namespace {

// The file that a link leads to, so that the link stays; the path itself where there is none yet.
std::string behind_links(std::string const& path) {
  char buffer[PATH_MAX];
  return realpath(path.c_str(), buffer) ? std::string(buffer) : path;
}

// /dev/stdout and its like are what this process has open, and go on where that stands. -1: it is another name.
int descriptor_named(std::string const& path) {
  if (path == "/dev/stdout") return 1;
  if (path == "/dev/stderr") return 2;
  for (std::string_view const folder : {"/dev/fd/", "/proc/self/fd/"})
    if (int number = -1;
        path.starts_with(folder) && parse_number(std::string_view(path).substr(folder.size()), number) == parsed::ok)
      return number;
  return -1;
}

}  // namespace

void output_file::fail(char const* what) const { throw io_error(path_ + ": " + what + ": " + std::strerror(errno)); }

output_file::output_file(std::string path) : path_{std::move(path)}, target_{path_} {
  if (path_.empty()) throw usage_error("output: found an empty name, expected a file");
  struct stat about {};
  bool const exists = stat(path_.c_str(), &about) == 0;
  if (!exists && errno != ENOENT) fail("cannot be written");
  if (exists && S_ISDIR(about.st_mode)) throw io_error(path_ + ": cannot be written: is a directory");
  if (exists && access(path_.c_str(), W_OK) != 0) fail("cannot be written");
  if (exists && (!S_ISREG(about.st_mode) || descriptor_named(path_) >= 0)) return;
  target_ = behind_links(path_);
  temporary_ = target_ + ".part" + text_of(getpid());
  // Made and removed again: only so is it known that it can be made when the work is done.
  open_now();
  close(descriptor_);
  descriptor_ = -1;
  unlink(temporary_.c_str());
  unfinished_ = {};
}

bool output_file::is_same_file(std::string const& path) const {
  // Neither exists yet, as a rule: folders are compared, and names in them.
  auto const place_of = [](std::string const& name) {
    std::filesystem::path const file(behind_links(name));
    std::error_code none;
    return std::filesystem::weakly_canonical(std::filesystem::absolute(file, none), none);
  };
  return !temporary_.empty() && place_of(path) == place_of(target_);
}

output_file::output_file(output_file&& other) noexcept
    : path_{std::move(other.path_)},
      target_{std::move(other.target_)},
      temporary_{std::exchange(other.temporary_, std::string())},
      descriptor_{std::exchange(other.descriptor_, -1)},
      unfinished_{std::move(other.unfinished_)} {}

output_file::~output_file() {
  if (descriptor_ >= 0) close(descriptor_);
  if (!temporary_.empty()) unlink(temporary_.c_str());
}

void output_file::open_now() {
  bool const direct = temporary_.empty();
  int const open_already = direct ? descriptor_named(target_) : -1;
  if (open_already >= 0) descriptor_ = fcntl(open_already, F_DUPFD_CLOEXEC, 0);
  else if (direct) descriptor_ = open(target_.c_str(), O_WRONLY | O_CLOEXEC);
  else descriptor_ = open(temporary_.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
  if (descriptor_ < 0) fail("cannot be written");
  if (!direct) unfinished_ = unfinished_file(temporary_);
  struct stat about {};
  if (!direct && stat(target_.c_str(), &about) == 0) static_cast<void>(fchmod(descriptor_, about.st_mode & 07777));
}

void output_file::write(std::span<std::byte const> bytes) {
  if (descriptor_ < 0) open_now();
  while (!bytes.empty()) {
    auto const written = ::write(descriptor_, bytes.data(), std::min<std::size_t>(bytes.size(), std::size_t{1} << 30));
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) fail("cannot be written");
    bytes = bytes.subspan(static_cast<std::size_t>(written));
  }
}

void output_file::finish() {
  if (descriptor_ < 0) open_now();
  if (close(std::exchange(descriptor_, -1)) != 0) fail("cannot be written");
}

void output_file::commit() {
  if (temporary_.empty()) return;
  if (rename(temporary_.c_str(), target_.c_str()) != 0) fail("cannot be renamed to");
  temporary_.clear();
  unfinished_ = {};
}

}  // namespace lookback::app
