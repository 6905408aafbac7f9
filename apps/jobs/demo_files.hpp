// What the demo makes of a file, by its kind.
#pragma once
#include <filesystem>

#include "demo_inputs.hpp"

namespace lookback::app {

/// Adds the cases of one file, called `name` in the table; with a file that cannot be read, the reason.
void add_file(demo_inputs& to, std::filesystem::path const& path, std::string const& name);

/// As bytes, whatever its name.
void add_bytes(demo_inputs& to, std::string const& file, std::string const& name);

}  // namespace lookback::app
