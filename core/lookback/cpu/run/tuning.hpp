// The sizes that steer a call on the CPU. All zero is the default, chosen from this machine's caches (docs/tuning_cpu.md).
#pragma once
#include <algorithm>
#include <cstdint>

#include "../../fn.hpp"
#include "../../model/tile.hpp"
#include "../simd/unit.hpp"
#include "machine.hpp"

namespace lookback::cpu::inline LOOKBACK_UNIT {

enum class simd_level : int { automatic, portable, avx2, avx512 };

struct tuning {
  index_t tile_bytes = 0;          // of input in a tile; default a quarter of the L2 cache, 64 to 256 KB
  index_t tile_items = 0;          // the same in items, exactly, for tests of the protocol
  index_t serial_below_bytes = 0;  // less input than this is one worker's; default 512 KB, of products 128 KB: see wakes_from
  index_t stream_above_bytes = 0;  // more output than this bypasses the caches; default half the last-level cache
  index_t known_rows = 0;          // so few rows of a sparse matrix are summed one by one; -1: none ever are; see order_of_rows
  bool protocol_always = false;    // look back even with one worker
  simd_level simd = simd_level::automatic;  // the best that may be used; never below what the compiler was told to use (-march)
};

/// Marks are found for so many items before what they mark is gathered out of the first-level cache, while those of the next block
/// are asked for: whole words of marks, some 6 KB, and no multiple of 4 (docs/lab/cpu.md, 4). Where a predicate says what is
/// kept there are no marks: then it is how far ahead lines are asked for (26).
constexpr index_t marks_block(index_t item_bytes) {
  return std::max<index_t>(6144 / std::max<index_t>(item_bytes, 1) / 64, 1) * 64;
}

/// Are so few of a block's items marked that the places of marks are noted once, for all that is made of them?
constexpr bool are_few(index_t marks, index_t items) { return marks * 8 <= items; }

inline index_t default_tile_items(tuning const& t, index_t item_bytes) {
  index_t const bytes = t.tile_bytes > 0 ? t.tile_bytes : std::clamp<index_t>(machine().l2_bytes / 4, 64 << 10, 256 << 10);
  return std::max<index_t>(bytes / item_bytes / 64, 1) * 64;  // whole words of head bits
}

/// What is read elsewhere, too, takes longer: a second worker pays sooner (docs/lab/cpu.md, 33).
inline index_t serial_below(tuning const& t, bool elsewhere = false) {
  return t.serial_below_bytes > 0 ? t.serial_below_bytes : elsewhere ? 128 << 10 : 512 << 10;
}

/// To wake workers for it takes some 30 us: less input of what is read elsewhere is only for those that a call before has kept
/// awake (docs/lab/cpu.md, 33).
inline index_t wakes_from(tuning const& t) { return t.serial_below_bytes > 0 ? t.serial_below_bytes : 5 << 18; }

/// Of a path along known ends, of so many items and ends: a tile is read once and need not fit into a cache, while to find where it
/// begins costs some 5 us. As many tiles for any number of threads, since sums depend on where tiles end: 128, which some 30
/// threads share evenly (docs/lab/cpu.md, 30); four, if there is less than a tile for each of four but more than one worker's.
inline index_t default_path_items(tuning const& t, index_t item_bytes, index_t length, index_t serial_below_bytes) {
  index_t const one = default_tile_items(t, item_bytes);
  if (t.tile_bytes > 0) return one;
  index_t const quarter = (length / 4 + 64) / 64 * 64,
                least = length < tiles_of(serial_below_bytes, item_bytes) ? one : std::min(one, quarter);
  return std::clamp<index_t>(length / 128 / 64 * 64, least, std::max<index_t>(one, (4 << 20) / item_bytes / 64 * 64));
}

/// How the rows of a sparse matrix are summed: side by side, where no branch is about the length of one, or one by one.
enum class row_order : std::uint8_t { side_by_side, by_length, one_by_one };

/// One by one where rows are so few, of so many items in all, that a processor soon knows by heart how long each is, or so short.
/// Else side by side, but for tiles whose rows are so long on average that a wrong guess of it costs little (docs/lab/cpu.md,
/// 33). Sums depend on it: so it depends on sizes and offsets alone; rows of six and more on columns, too (34, 36).
constexpr row_order order_of_rows(tuning const& t, index_t rows, index_t items) {
  bool const known = t.known_rows != 0 ? rows <= t.known_rows : rows <= 8 << 10 || (rows <= 128 << 10 && items < 3 * rows);
  return known ? row_order::one_by_one : t.known_rows < 0 ? row_order::side_by_side : row_order::by_length;
}
constexpr bool are_one_by_one(row_order how, index_t rows, index_t items, index_t value_bytes) {
  return how == row_order::one_by_one || (how == row_order::by_length && items * value_bytes >= 192 * rows);
}

inline index_t stream_above(tuning const& t) { return t.stream_above_bytes > 0 ? t.stream_above_bytes : machine().llc_bytes / 2; }

}  // namespace lookback::cpu::inline LOOKBACK_UNIT
