#include "scratch_file.hpp"

#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <lookback/error.hpp>
#include <utility>

namespace lookback::app {

scratch_file::scratch_file(std::filesystem::path const& like) {
  std::error_code code;
  auto const folder = like.empty() ? std::filesystem::temp_directory_path(code) : like.parent_path();
  if (code) throw io_error("the folder of temporary files cannot be used: " + code.message() + ", expected TMPDIR to name one");
  auto const ending = like.empty() ? ".npy" : like.extension().string();
  path = (folder / ("lookback-scratch-XXXXXX" + ending)).string();
  int const made = mkstemps(path.data(), static_cast<int>(ending.size()));
  if (made < 0) throw io_error(path + ": cannot be created: " + std::strerror(errno));
  close(made);
  removed_on_signals = unfinished_file(path);
}
scratch_file::~scratch_file() {
  if (!path.empty()) unlink(path.c_str());
}
scratch_file::scratch_file(scratch_file&& other) noexcept
    : path{std::exchange(other.path, {})}, removed_on_signals{std::move(other.removed_on_signals)} {}

}  // namespace lookback::app
