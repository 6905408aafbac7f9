// Seeded inputs, made in memory. Each is a pure function of its arguments.
#pragma once
#include <optional>
#include <string>

#include "io/array.hpp"
#include "io/scalar.hpp"

namespace lookback::app {

/// Equally likely values in [low, high); without bounds every integer of the type, for floats [0, 1).
array uniform_values(element type, index_t n, std::uint64_t seed, std::optional<scalar> low = {}, std::optional<scalar> high = {});

/// Integers that are the AND of `level` + 1 random words: the more, the fewer bits are set (Thearling & Smith 1992).
array entropy_values(element type, index_t n, std::uint64_t seed, int level);

/// How long segments and runs are.
///   mean   items on average, >= 1
///   power  0: geometric lengths; above 2: lengths follow a power law with this exponent
///   empty  share of segments without an item, in [0, 1): for offsets only
struct length_law {
  double mean = 32, power = 0, empty = 0;
};

/// Runs of equal values, each value random.
array run_values(element type, index_t n, std::uint64_t seed, length_law law);

/// Segments of n items as "flags" (u8), "bits" (u8), "offsets" (i32, i64) or "keys" (any type; the segment's number, wrapping).
array random_segments(std::string const& form, element type, index_t n, std::uint64_t seed, length_law law);

}  // namespace lookback::app
