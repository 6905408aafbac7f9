// Shapes of segments (which items begin one), and every way to describe a shape to the library.
#pragma once
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <lookback/segments.hpp>
#include <string>
#include <vector>

#include "array.hpp"
#include "oracle.hpp"
#include "random.hpp"

namespace harness {

using oracle::heads;

struct shape {
  std::string name;
  harness::heads heads;
};

/// Segments of lengths next(), one after the other.
template <class Next>
heads lengths(std::size_t n, Next next) {
  heads h(n, 0);
  for (std::size_t i = 0; i < n; i += std::max<std::size_t>(1, next())) h[i] = 1;
  return h;
}

/// Segments of 1 to 19 items, then of 100 003, then of 1 to 19.
inline heads short_long_short(std::size_t n) {
  heads h(n, 0);
  for (std::size_t i = 0; i < n; i += i / (n / 3) == 1 ? 100'003 : 1 + i % 19) h[i] = 1;
  return h;
}

/// None, all, random of several means, power law, and heads on the first and last item of tiles of `tile` items.
inline std::vector<shape> shapes(std::size_t n, std::size_t tile) {
  generator random(n * 31 + tile);
  auto const mean = [&](std::size_t m) { return lengths(n, [&, m] { return 1 + random.below(2 * m - 1); }); };
  heads tile_firsts(n, 0), tile_lasts(n, 0), last(n, 0);
  for (std::size_t i = 0; i < n; i += tile) tile_firsts[i] = 1;
  for (std::size_t i = tile - 1; i < n; i += tile) tile_lasts[i] = 1;
  if (n != 0) last[n - 1] = 1;
  return {{"no heads", heads(n, 0)},
          {"all heads", heads(n, 1)},
          {"mean length 2", mean(2)},
          {"mean length 30", mean(30)},
          {"mean length 3000", mean(3000)},
          {"power law", lengths(n, [&] { return static_cast<std::size_t>(1 / (random.unit() + 1e-6)); })},
          {"first item of every tile", tile_firsts},
          {"last item of every tile", tile_lasts},
          {"the last item alone", last}};
}

// ---- the same shape in every description; item 0 begins a segment in all of them

/// Flags of any non-zero value: 1, 2, 128 and 255 in turn, or the same shifted to the top of wider types.
template <class Flag>
std::vector<Flag> flags_of(heads const& h) {
  std::uint8_t const values[] = {1, 2, 128, 255};
  std::vector<Flag> flags(h.size());
  std::size_t k = 0;
  for (std::size_t i = 0; i < h.size(); ++i) {
    if (h[i] == 0) continue;
    if constexpr (std::is_same_v<Flag, bool>) flags[i] = true;
    else flags[i] = static_cast<Flag>(static_cast<std::uint64_t>(values[k % 4]) << 8 * (k / 4 % sizeof(Flag)));
    ++k;
  }
  return flags;
}

inline std::vector<std::uint8_t> bits_of(heads const& h) {
  std::vector<std::uint8_t> bits((h.size() + 7) / 8, 0);
  for (std::size_t i = 0; i < h.size(); ++i)
    if (h[i] != 0) bits[i / 8] = static_cast<std::uint8_t>(bits[i / 8] | 1u << i % 8);
  return bits;
}

/// First 0, last n; `empty` more segments of no item at every `every`-th head.
template <class Offset>
std::vector<Offset> offsets_of(heads const& h, std::size_t empty = 0, std::size_t every = 1) {
  std::vector<Offset> offsets{0};
  std::size_t k = 0;
  for (std::size_t i = 0; i < h.size(); ++i) {
    if (i == 0 || h[i] == 0) continue;
    std::size_t const copies = k++ % every == 0 ? 1 + empty : 1;
    offsets.insert(offsets.end(), copies, static_cast<Offset>(i));
  }
  offsets.push_back(static_cast<Offset>(h.size()));
  return offsets;
}

/// A key per item that changes at every head; neighbouring runs differ in one high or low bit, and come back later.
template <class Key>
std::vector<Key> keys_of(heads const& h) {
  std::vector<Key> keys(h.size());
  std::uint64_t run = 0;
  for (std::size_t i = 0; i < h.size(); ++i) {
    if (h[i] != 0) ++run;
    if constexpr (std::is_floating_point_v<Key>) keys[i] = static_cast<Key>(run % 3) - Key(0.5);
    else keys[i] = static_cast<Key>(run % 3 == 0 ? 0 : run % 3 == 1 ? 1 : std::uint64_t{1} << (8 * sizeof(Key) - 1));
  }
  return keys;
}

}  // namespace harness
