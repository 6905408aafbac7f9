// Web servers' access logs in the common log format: who asked, and how many bytes went out.
#pragma once
#include <string>
#include <string_view>

#include "io/array.hpp"

namespace lookback::app {

/// Of every line: its client as a number (equal where the text is, as far as 64 bits tell), and the bytes that it was sent.
struct access_log {
  array clients;  // u64
  array bytes;    // i64; 0 where the log says "-"
};

/// Does the text begin with a line such as `1.2.3.4 - - [17/May/2015:10:05:03 +0000] "GET / HTTP/1.1" 200 203023`?
bool is_access_log(std::string_view text);

/// Throws bad_data naming file and line.
access_log read_access_log(std::string_view text, std::string const& file);

}  // namespace lookback::app
