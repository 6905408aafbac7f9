#include "tunings_file.hpp"

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <filesystem>

#include "io/output_file.hpp"

namespace lookback::app {

namespace {

std::string folder_of(std::string const& path) {
  auto const folder = std::filesystem::path(path).parent_path();
  return folder.empty() ? "." : folder.string();
}

/// Holds a folder for one program at a time, where the file system can.
class locked_folder {
 public:
  explicit locked_folder(std::string const& folder) : descriptor_{open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC)} {
    if (descriptor_ >= 0) flock(descriptor_, LOCK_EX);
  }
  ~locked_folder() {
    if (descriptor_ >= 0) close(descriptor_);
  }
  locked_folder(locked_folder const&) = delete;

 private:
  int descriptor_;
};

}  // namespace

tunings_file::tunings_file() : path_{tunings::path_of_this_user()} {
  if (path_.empty()) throw io_error("no folder for the tuning, expected HOME, XDG_CONFIG_HOME or LOOKBACK_TUNINGS to be set");
  tunings::of_this_user();
  std::error_code code;
  std::filesystem::create_directories(folder_of(path_), code);
  output_file const probe(path_);
}

void tunings_file::keep(known_tuning const& entry) const {
  locked_folder const mine(folder_of(path_));
  auto known = tunings::of_this_user();
  known.keep(entry);
  output_file file(path_);
  file.write(known.text());
  file.finish();
  file.commit();
}

}  // namespace lookback::app
