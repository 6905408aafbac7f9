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

/// May a worker read a tile that another has claimed, to compute what that one has not published yet?
enum class rereading : unsigned char {
  freely,    // nothing is stored over what is read
  as_guest,  // a tile is stored over what it reads itself: not while others read it
  never,     // tiles are stored over what other tiles read
};

}  // namespace lookback
