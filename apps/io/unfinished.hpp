// Files that must not outlive the program unless it finishes: a signal that ends it removes them first.
#pragma once
#include <string>

namespace lookback::app {

/// Before any file is written: interrupts remove what is registered, then end the program as they would have; a file that outgrows
/// the process's limit is an error of its write, not the end.
void end_cleanly_on_signals();

/// `path` is removed if a signal ends the program while this lives. Beyond eight at a time nobody is remembered.
class unfinished_file {
 public:
  unfinished_file() = default;
  explicit unfinished_file(std::string const& path);
  unfinished_file(unfinished_file&& other) noexcept;
  unfinished_file& operator=(unfinished_file&& other) noexcept;
  ~unfinished_file();

 private:
  int place_ = -1;
};

}  // namespace lookback::app
