// Programs of others, run as processes.
#pragma once
#include <string>

#include "job.hpp"

namespace lookback::app {

/// Is there a program of that name in PATH?
bool is_installed(std::string const& program);

/// Runs it to its end, and returns the seconds. Its messages go to stderr. Throws io_error where it cannot be started or fails.
double run_outside(outside_program const& what);

}  // namespace lookback::app
