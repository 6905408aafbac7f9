#include "output_file.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <climits>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <random>
#include <utility>

#include "numbers.hpp"
#include "report/failures.hpp"

namespace lookback::app {

namespace {

std::string folder_of(std::string const& path) {
  auto const slash = path.find_last_of('/');
  return slash == std::string::npos ? "." : slash == 0 ? "/" : path.substr(0, slash);
}

// The file that symbolic links lead to, which need not exist: the links then stay. The path itself if the links form a circle.
std::string behind_links(std::string const& path) {
  char buffer[PATH_MAX];
  if (realpath(path.c_str(), buffer)) return buffer;
  std::string target = path;
  for (int links = 0; links < 40; ++links) {  // as many as the system follows
    auto const length = readlink(target.c_str(), buffer, sizeof buffer);
    if (length < 0) return target;
    std::string const to(buffer, static_cast<std::size_t>(length));
    target = to.starts_with('/') ? to : folder_of(target) + '/' + to;
  }
  return path;
}

// The folder that keeps `path` from being written: one that may not be entered, or its own. Empty if no folder does.
std::string folder_that_refuses(std::string const& path) {
  auto const refuses = [](std::string const& folder, int mode) { return access(folder.c_str(), mode) != 0 && errno != ENOENT; };
  for (auto slash = path.find('/', 1); slash != std::string::npos; slash = path.find('/', slash + 1))
    if (auto const folder = path.substr(0, slash); refuses(folder, X_OK)) return folder;
  auto const own = folder_of(path);
  return refuses(own, W_OK | X_OK) ? own : std::string();
}

std::string random_letters(int count) {
  constexpr std::string_view letters = "abcdefghijklmnopqrstuvwxyz0123456789";
  std::string made;
  std::random_device random;
  for (int k = 0; k < count; ++k) made += letters[random() % letters.size()];
  return made;
}

// A random name beside `target`, of at most 114 bytes: folders take 255.
std::string name_beside(std::string const& target) {
  constexpr std::size_t longest = 100;
  auto const begin = target.find_last_of('/') + 1;  // 0 where there is no slash
  auto end = std::min(target.size(), begin + longest);
  while (end != target.size() && end != begin && (static_cast<unsigned char>(target[end]) >> 6) == 2) --end;  // within a character
  return target.substr(0, end) + ".part-" + random_letters(8);
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

void output_file::fail(char const* what) const {
  auto const code = errno;
  std::string folder;
  if (code == EACCES || code == EPERM || code == EROFS) folder = folder_that_refuses(target_);
  if (code == ENOENT && !direct_) folder = folder_of(target_);
  if (!folder.empty()) folder = "folder " + folder + ": ";
  throw io_error(path_ + ": " + what + ": " + folder + std::strerror(code));
}

output_file::output_file(std::string path) : path_{std::move(path)}, target_{path_} {
  if (path_.empty()) throw usage_error("output: found an empty name, expected a file");
  struct stat about {};
  bool const exists = stat(path_.c_str(), &about) == 0;
  if (!exists && errno != ENOENT) fail("cannot be written");
  if (exists && S_ISDIR(about.st_mode)) throw io_error(path_ + ": cannot be written: is a directory");
  if (exists && access(path_.c_str(), W_OK) != 0) fail("cannot be written");
  if (exists && (!S_ISREG(about.st_mode) || descriptor_named(path_) >= 0)) return;
  target_ = behind_links(path_);
  direct_ = false;
  // Made and removed again: only so is it known that it can be made when the work is done.
  open_now();
  close(descriptor_);
  descriptor_ = -1;
  remove();
}

bool output_file::is_same_file(std::string const& path) const {
  // Neither exists yet, as a rule: folders are compared, and names in them.
  auto const place_of = [](std::string const& name) {
    std::filesystem::path const file(behind_links(name));
    std::error_code none;
    return std::filesystem::weakly_canonical(std::filesystem::absolute(file, none), none);
  };
  return !direct_ && place_of(path) == place_of(target_);
}

output_file::output_file(output_file&& other) noexcept
    : path_{std::move(other.path_)},
      target_{std::move(other.target_)},
      direct_{other.direct_},
      temporary_{std::exchange(other.temporary_, std::string())},
      descriptor_{std::exchange(other.descriptor_, -1)},
      unfinished_{std::move(other.unfinished_)} {}

output_file::~output_file() {
  if (descriptor_ >= 0) close(descriptor_);
  remove();
}

void output_file::remove() {
  if (!temporary_.empty()) unlink(temporary_.c_str());
  temporary_.clear();
  unfinished_ = {};
}

void output_file::open_now() {
  if (!direct_) return open_temporary();
  int const open_already = descriptor_named(target_);
  descriptor_ = open_already >= 0 ? fcntl(open_already, F_DUPFD_CLOEXEC, 0) : open(target_.c_str(), O_WRONLY | O_CLOEXEC);
  if (descriptor_ < 0) fail("cannot be written");
}

void output_file::open_temporary() {
  constexpr int most = 100;  // a taken name is rare: so many in a row have another cause
  for (int tries = 0; tries < most && descriptor_ < 0; ++tries) {
    auto const name = name_beside(target_);
    descriptor_ = open(name.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    if (descriptor_ >= 0) temporary_ = name;
    else if (errno != EEXIST) break;
  }
  if (descriptor_ < 0) fail("cannot be written");
  unfinished_ = unfinished_file(temporary_);
  struct stat about {};
  if (stat(target_.c_str(), &about) == 0) static_cast<void>(fchmod(descriptor_, about.st_mode & 07777));
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

void output_file::expect_room(std::size_t bytes) const {
  struct statvfs about {};
  if (direct_ || statvfs(folder_of(target_).c_str(), &about) != 0 || about.f_blocks == 0) return;  // some do not say
  auto const room = static_cast<double>(about.f_bavail) * static_cast<double>(about.f_frsize);
  if (static_cast<double>(bytes) > room)
    throw io_error(path_ + ": cannot be written: needs " + bytes_text(static_cast<double>(bytes)) + ", and the file system has " +
                   bytes_text(room) + " left");
}

void output_file::write_at(std::size_t place, std::span<std::byte const> bytes) {
  if (descriptor_ < 0) open_now();
  while (!bytes.empty()) {
    auto const written =
        ::pwrite(descriptor_, bytes.data(), std::min<std::size_t>(bytes.size(), std::size_t{1} << 30), static_cast<off_t>(place));
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) fail("cannot be written");
    bytes = bytes.subspan(static_cast<std::size_t>(written));
    place += static_cast<std::size_t>(written);
  }
}

void output_file::finish() {
  if (descriptor_ < 0) open_now();
  if (close(std::exchange(descriptor_, -1)) != 0) fail("cannot be written");
}

void output_file::commit() {
  if (direct_) return;
  if (rename(temporary_.c_str(), target_.c_str()) != 0) fail("cannot be replaced");
  temporary_.clear();
  unfinished_ = {};
}

}  // namespace lookback::app
