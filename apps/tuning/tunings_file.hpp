// The file of this user's tunings, as the tuner changes it.
#pragma once
#include <lookback/tunings.hpp>
#include <string>

namespace lookback::app {

class tunings_file {
 public:
  /// Finds out before anything is measured whether it can be read and written; makes its folder. Throws io_error where no folder is
  /// known or it cannot be written, invalid_argument for what it holds.
  tunings_file();

  std::string const& path() const { return path_; }
  /// Takes the place of an older entry for the same call of as many items. Reads the file again, since another program may have
  /// written it meanwhile, and replaces it as a whole; two that do so at once wait for each other.
  void keep(known_tuning const& entry) const;

 private:
  std::string path_;
};

}  // namespace lookback::app
