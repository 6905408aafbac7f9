// What a tile has told its successors so far. It only moves down this list.
#pragma once
#include <cstdint>

namespace lookback {

enum class status : std::uint32_t {
  empty,      // nothing yet
  aggregate,  // the value of the tile alone
  prefix,     // the value of everything up to and including the tile
  failed,     // an operator threw in this tile or before it (CPU only): successors give up as well
};

}  // namespace lookback
