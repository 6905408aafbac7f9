// What can go wrong in a command, one type per exit code; main.cpp maps them. The library's own types are in lookback/error.hpp.
#pragma once
#include <lookback/error.hpp>
#include <string>

#include "printable.hpp"

namespace lookback::app {

/// Exit codes, after sysexits.h.
enum class exit_code {
  ok = 0,
  mismatch = 1,
  usage = 64,
  bad_data = 65,
  no_input = 66,
  unavailable = 69,
  internal = 70,
  memory = 71,
  io = 74
};

/// A result differs from its reference.
struct mismatch : error {
  using error::error;
};
/// The command line asks for what makes no sense.
struct usage_error : error {
  using error::error;
};
/// The content of an input is wrong. See refuse().
struct bad_data : error {
  using error::error;
};
/// An input file cannot be opened.
struct no_input : error {
  using error::error;
};

/// Throws bad_data, or a kind of it, naming the file, the place in it ("byte 8", "line 7"), what was found and what was expected.
template <class Failure = bad_data>
[[noreturn]] void refuse(std::string const& file, std::string const& place, std::string const& found, std::string const& expected) {
  throw Failure(printable(file + ": " + place + ": found " + found + ", expected " + expected));
}

}  // namespace lookback::app
