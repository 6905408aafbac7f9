// Configurations for a GPU that were compiled ahead (the target lookback_tunings): loaded where they are wanted and there.
#pragma once
#include <string>

#include "dispatch/tuned_form.hpp"

namespace lookback::app {

/// Those of a command for items of a type; or null, and why.
struct compiled_forms {
  dispatch::tuned_forms const* of = nullptr;
  std::string why_none;
};
/// Looks for liblookback_tunings.so beside the program and, as it is installed, in ../lib. `device`: the number of the
/// GPU that will run them.
compiled_forms forms_of(std::string const& command, dispatch::element type, int device);

}  // namespace lookback::app
