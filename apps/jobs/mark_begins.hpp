// Segments as bits, whatever describes them. A chunk that runs on a GPU has its segments so.
#pragma once
#include <cstdint>
#include <lookback/segments.hpp>
#include <span>

namespace lookback::app {

/// Sets bit i of `bits` where a segment begins at item begin + i of the whole that `by` describes, for i < items, and clears the
/// others. Every kind of segments but flags. O(items), in parallel where it reads keys; offsets are found by bisection first.
void mark_begins(segments const& by, index_t begin, index_t items, std::span<std::uint8_t> bits);

}  // namespace lookback::app
