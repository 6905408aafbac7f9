// One line on a terminal that says how far long work has come.
#pragma once
#include <unistd.h>

#include <chrono>
#include <cstdio>
#include <string>

#include "printable.hpp"

namespace lookback::app {

/// Shows nothing unless stderr is a terminal, `--quiet` is off and the work lasts longer than a second. Wipes its line at the end.
class progress {
 public:
  static inline bool quiet = false;

  progress(std::string const& what, double total) : what_{printable(what)}, total_{total}, shows_{!quiet && isatty(2) == 1} {}
  ~progress() {
    if (written_) std::fputs("\r\x1b[K", stderr);
  }
  progress(progress const&) = delete;

  /// `done` of `total`. Costs a clock read: call it every few milliseconds of work, not for every item.
  /// `more` stands behind the name.
  void at(double done, std::string const& more = {}) {
    if (!shows_) return;
    auto const now = std::chrono::steady_clock::now();
    if (now < next_) return;
    next_ = now + std::chrono::milliseconds(200);
    written_ = true;
    std::fprintf(stderr, "\r\x1b[K%s%s %3.0f %%", what_.c_str(), more.c_str(), total_ > 0 ? 100 * done / total_ : 100.0);
    std::fflush(stderr);
  }

 private:
  std::string what_;
  double total_;
  bool shows_;
  bool written_ = false;
  std::chrono::steady_clock::time_point next_ = std::chrono::steady_clock::now() + std::chrono::seconds(1);
};

}  // namespace lookback::app
