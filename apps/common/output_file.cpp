#include "output_file.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <climits>
#include <cstdlib>
#include <cstring>
#include <utility>

#include "failures.hpp"
#include "numbers.hpp"

namespace lookback::app {

namespace {

// The file that a link leads to, so that the link stays; the path itself where there is none yet.
std::string behind_links(std::string const& path) {
  char buffer[PATH_MAX];
  return realpath(path.c_str(), buffer) ? std::string(buffer) : path;
}

// /dev/stdout leads to whatever the shell opened: that file is written, not replaced.
bool names_a_descriptor(std::string const& path) { return path.starts_with("/dev/") || path.starts_with("/proc/"); }

}  // namespace

void output_file::fail(char const* what) const { throw io_error(path_ + ": " + what + ": " + std::strerror(errno)); }

output_file::output_file(std::string path) : path_{std::move(path)}, target_{path_} {
  struct stat about {};
  bool const exists = stat(path_.c_str(), &about) == 0;
  if (!exists && errno != ENOENT) fail("cannot be written");
  if (exists && S_ISDIR(about.st_mode)) throw io_error(path_ + ": cannot be written: is a directory");
  if (exists && access(path_.c_str(), W_OK) != 0) fail("cannot be written");
  if (exists && (!S_ISREG(about.st_mode) || names_a_descriptor(path_))) return;
  target_ = behind_links(path_);
  temporary_ = target_ + ".part" + text_of(getpid());
  // Made and removed again: only so is it known that it can be made when the work is done.
  open_now();
  close(descriptor_);
  descriptor_ = -1;
  unlink(temporary_.c_str());
}

output_file::output_file(output_file&& other) noexcept
    : path_{std::move(other.path_)},
      target_{std::move(other.target_)},
      temporary_{std::exchange(other.temporary_, std::string())},
      descriptor_{std::exchange(other.descriptor_, -1)} {}

output_file::~output_file() {
  if (descriptor_ >= 0) close(descriptor_);
  if (!temporary_.empty()) unlink(temporary_.c_str());
}

void output_file::open_now() {
  bool const direct = temporary_.empty();
  descriptor_ = direct ? open(target_.c_str(), O_WRONLY | O_CLOEXEC)
                       : open(temporary_.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
  if (descriptor_ < 0) fail("cannot be written");
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
}

}  // namespace lookback::app
