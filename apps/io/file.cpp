#include "file.hpp"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cctype>
#include <cerrno>
#include <cstring>

#ifndef MADV_POPULATE_READ
#define MADV_POPULATE_READ 22  // Linux 5.14; older kernels answer EINVAL
#endif

namespace lookback::app {

namespace {

std::string reason() { return std::strerror(errno); }

// Everything that a pipe or a device has to say, in memory that doubles.
std::size_t read_to_end(int descriptor, std::string const& path, host_memory& into) {
  std::size_t size = 0;
  into = host_memory(std::size_t{1} << 16);
  for (;;) {
    if (size == into.bytes()) {
      host_memory larger(2 * into.bytes());
      std::memcpy(larger.data(), into.data(), size);
      into = std::move(larger);
    }
    auto const got = read(descriptor, into.data() + size, into.bytes() - size);
    if (got == 0) return size;
    if (got < 0 && errno != EINTR) throw io_error(path + ": cannot be read: " + reason());
    if (got > 0) size += static_cast<std::size_t>(got);
  }
}

struct open_file {
  int descriptor;
  ~open_file() {
    if (descriptor >= 0) close(descriptor);
  }
};

}  // namespace

input_file::input_file(std::string path) : path_{std::move(path)} {
  open_file const file{open(path_.c_str(), O_RDONLY | O_CLOEXEC)};
  if (file.descriptor < 0) throw no_input(path_ + ": cannot be opened: " + reason());
  struct stat about {};
  if (fstat(file.descriptor, &about) != 0) throw no_input(path_ + ": cannot be opened: " + reason());
  if (S_ISDIR(about.st_mode)) throw no_input(path_ + ": is a directory, expected a file");
  if (!S_ISREG(about.st_mode) || about.st_size == 0) {  // files of /proc say 0 and have content
    size_ = read_to_end(file.descriptor, path_, read_);
    data_ = read_.data();
    return;
  }
  size_ = static_cast<std::size_t>(about.st_size);
  void* const got = mmap(nullptr, size_, PROT_READ, MAP_PRIVATE, file.descriptor, 0);
  if (got == MAP_FAILED && errno == ENOMEM)
    throw out_of_memory(path_ + ": no memory to map the " + bytes_text(static_cast<double>(size_)) + " of the file");
  if (got == MAP_FAILED) throw io_error(path_ + ": cannot be mapped: " + reason());
  data_ = static_cast<std::byte const*>(got);
  mapped_ = true;
}

input_file::~input_file() {
  if (mapped_) munmap(const_cast<std::byte*>(data_), size_);
}

input_file::input_file(input_file&& other) noexcept { *this = std::move(other); }

input_file& input_file::operator=(input_file&& other) noexcept {
  std::swap(path_, other.path_);
  std::swap(data_, other.data_);
  std::swap(size_, other.size_);
  std::swap(mapped_, other.mapped_);
  std::swap(read_, other.read_);
  return *this;
}

void input_file::load() const {
  auto const page = static_cast<std::size_t>(sysconf(_SC_PAGESIZE)), pages = static_cast<std::size_t>(sysconf(_SC_PHYS_PAGES));
  if (size_ / page > pages)  // a file with holes can be of any size
    throw out_of_memory(path_ + ": has " + bytes_text(static_cast<double>(size_)) + ", more than this machine's memory of " +
                        bytes_text(static_cast<double>(pages) * static_cast<double>(page)));
  load(data_, size_);
}

void input_file::load(std::byte const* begin, std::size_t bytes) const {
  if (!mapped_ || bytes == 0 || begin < data_ || begin >= data_ + size_) return;
  auto const page = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
  auto const first = static_cast<std::size_t>(begin - data_) / page * page;
  auto const end = std::min(static_cast<std::size_t>(begin - data_) + bytes, size_);
  if (madvise(const_cast<std::byte*>(data_) + first, end - first, MADV_POPULATE_READ) == 0) return;
  for (std::size_t at = first; at < end; at += page) static_cast<void>(*static_cast<std::byte const volatile*>(data_ + at));
}

std::string extension_of(std::string_view path) {
  auto const name = path.substr(path.find_last_of('/') + 1);
  auto const dot = name.find_last_of('.');
  if (dot == std::string_view::npos || dot == 0) return {};
  std::string ending(name.substr(dot));
  std::transform(ending.begin(), ending.end(), ending.begin(), [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return ending;
}

}  // namespace lookback::app
