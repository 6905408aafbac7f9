// A tile is the run of items that one worker (a GPU block, a CPU thread) scans at a time.
#pragma once
#include "../fn.hpp"

namespace lookback {

struct tile {
  index_t id;          // in the order of the scan: tile 0 waits for nobody
  index_t begin, end;  // items [begin, end), in memory order
};

LOOKBACK_FN index_t tiles_of(index_t n, index_t items_per_tile) { return n / items_per_tile + (n % items_per_tile != 0); }

/// Tile `id` of n items. Edges are multiples of `items_per_tile` in memory whatever the direction, so that alignment does not
/// depend on it: from right to left, tile 0 is the last one in memory and may be short.
LOOKBACK_FN tile tile_at(index_t id, index_t n, index_t items_per_tile, bool backwards = false) {
  index_t const place = backwards ? tiles_of(n, items_per_tile) - 1 - id : id;
  index_t const begin = place * items_per_tile;
  return {id, begin, n - begin < items_per_tile ? n : begin + items_per_tile};
}

}  // namespace lookback
