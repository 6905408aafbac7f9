// Text files as they are.
#pragma once
#include <string>
#include <string_view>

#include "file.hpp"
#include "read_array.hpp"

namespace lookback::app {

/// The text of a file, decompressed where it is gzip's by its name.
struct text_file {
  input_file file;
  std::string held;  // what was decompressed
  bool packed = false;

  std::string_view text() const { return packed ? std::string_view(held) : file.text(); }
  std::string const& name() const { return file.path(); }
};

/// Throws no_input, bad_data, out_of_memory.
text_file read_text_file(std::string const& path, input_reading* times);

}  // namespace lookback::app
