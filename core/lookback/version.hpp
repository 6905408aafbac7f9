// The version of the library. CMake and the program read it here.
#pragma once

namespace lookback {

inline constexpr char const* version = "0.1.0";

}  // namespace lookback
