// A file that nobody asked to keep: gone with the value, and when a signal ends the program.
#pragma once
#include <filesystem>
#include <string>

#include "unfinished.hpp"

namespace lookback::app {

struct scratch_file {
  std::string path;
  unfinished_file removed_on_signals;

  /// An empty file beside `like` and with its ending, so that to store there takes as long; without a name a .npy in the folder of
  /// temporary files. Throws io_error.
  explicit scratch_file(std::filesystem::path const& like = {});
  ~scratch_file();
  scratch_file(scratch_file&& other) noexcept;
};

}  // namespace lookback::app
