// The look-back: what comes before a tile, from what its predecessors have published.
// Source: Merrill & Garland, Single-pass Parallel Prefix Scan with Decoupled Look-back, NVR-2016-002, section 4.
#pragma once
#include <array>
#include <chrono>
#include <thread>

#include "../../source.hpp"
#include "../simd/unit.hpp"
#include "descriptors.hpp"

namespace lookback::cpu::inline LOOKBACK_UNIT {

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

/// How long a look-back waits for descriptors that are still empty before it computes what they will say: half as long as the
/// fastest tile of this worker took, which no loss of its core has made longer. A predecessor that has a core, and no more
/// to do than that, publishes within that time.
class patience {
  using clock = std::chrono::steady_clock;

 public:
  /// The worker begins a tile, and has finished it.
  void begin_tile() { begun_ = clock::now(); }
  void end_tile() {
    auto const half = (clock::now() - begun_) / 2;
    if (!measured_ || half < half_a_tile_) half_a_tile_ = half;
    measured_ = true;
  }

  /// The state of `tile` as soon as it is not empty, or when the time of this look-back is up.
  template <class Descriptors>
  status wait_briefly(Descriptors const& published, index_t tile, clock::time_point& until) const {
    status s = published.state(tile);
    if (s != status::empty) return s;
    auto const begun = clock::now();
    if (until == clock::time_point{}) until = begun + half_a_tile_;
    clock::time_point now;
    do {
      for (int spins = 0; spins < 16; ++spins) {
        pause();
        s = published.state(tile);
        if (s != status::empty) return s;
      }
      now = clock::now();
      if (now - begun > long_spin) std::this_thread::yield();
    } while (now < until);
    return s;
  }

 private:
  static constexpr std::chrono::microseconds long_spin{100};  // after which another thread may have the core
  clock::time_point begun_{};
  clock::duration half_a_tile_{};
  bool measured_ = false;
};

/// The same without waiting for anybody who has no core: the aggregate of a tile that stays empty is compute(tile, prefix before
/// it), by this worker and for this worker alone; its owner will publish the same bits. It is absent where the owner has published
/// meanwhile. Ends after a bounded number of the worker's own steps: between the nearest prefix and `tile` lie only tiles that are
/// in the hands of other workers, two of each at most. `first` comes before tile 0, which may be empty too; combine(maybe<prefix>,
/// aggregate) -> prefix. Source: Smith, Levien, Owens, Decoupled Fallback, SPAA 2025.
template <class Descriptors, class Combine, class Compute>
maybe<typename Descriptors::prefix_type> look_back(Descriptors const& published, index_t tile,
                                                   maybe<typename Descriptors::prefix_type> const& first, patience const& waits,
                                                   Combine combine, Compute compute) {
  using prefix = typename Descriptors::prefix_type;
  index_t from = tile - 1;
  for (; from >= 0; --from) {
    status const s = published.state(from);
    if (s == status::failed) return {};
    if (s == status::prefix) break;
  }
  maybe<prefix> before = from < 0 ? first : maybe<prefix>{published.prefix(from)};
  std::chrono::steady_clock::time_point until{};
  for (index_t t = from + 1; t < tile; ++t) {
    status const s = waits.wait_briefly(published, t, until);
    if (s == status::failed) return {};
    if (s == status::prefix) before = maybe<prefix>{published.prefix(t)};
    else if (s == status::aggregate) before = maybe<prefix>{combine(before, published.aggregate(t))};
    else if (auto const own = compute(t, before); own.has) before = maybe<prefix>{combine(before, own.value)};
    else --t;  // the owner has published it
  }
  return before;
}

/// T[k]: k counters that look back together, as a split into k classes needs.
template <class T, int Classes>
struct counters {
  std::array<T, static_cast<std::size_t>(Classes)> of;
  friend counters operator+(counters a, counters const& b) {
    for (std::size_t c = 0; c < a.of.size(); ++c) a.of[c] += b.of[c];
    return a;
  }
};

}  // namespace lookback::cpu::inline LOOKBACK_UNIT
