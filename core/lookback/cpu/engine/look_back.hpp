// The look-back: what comes before a tile, from what its predecessors have published.
// Source: Merrill & Garland, Single-pass Parallel Prefix Scan with Decoupled Look-back, NVR-2016-002, section 4.
#pragma once
#include <array>

#include "../../source.hpp"
#include "descriptors.hpp"

namespace lookback::cpu {

/// The prefix of the tiles before `tile` > 0; absent if one of them failed. Waits for them; needs no other help.
///
/// Walks back to the nearest prefix, then combines the aggregates forward: combine(prefix, aggregate) -> prefix. The
/// association is that of a serial chain, so that a float comes out the same whatever the timing and the number of threads.
template <class Descriptors, class Combine>
maybe<typename Descriptors::prefix_type> look_back(Descriptors const& published, index_t tile, Combine combine) {
  index_t from = tile - 1;
  for (;; --from) {
    status const s = published.wait_for(from);
    if (s == status::failed) return {};
    if (s == status::prefix) break;  // at tile 0 at the latest, which has nothing to look back for
  }
  maybe<typename Descriptors::prefix_type> before{published.prefix(from)};
  for (index_t t = from + 1; t < tile; ++t)
    before = maybe<typename Descriptors::prefix_type>{combine(before.value, published.aggregate(t))};
  return before;
}

/// T[k]: k counters that look back together, as a split into k classes needs.
template <class T, int Classes>
struct counters {
  std::array<T, Classes> of;
  friend counters operator+(counters a, counters const& b) {
    for (int c = 0; c < Classes; ++c) a.of[c] += b.of[c];
    return a;
  }
};

}  // namespace lookback::cpu
