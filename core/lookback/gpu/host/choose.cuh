// Which kernel runs a call of scan_into: one of four ways, by a few facts of the call. The table of them is in core/README.md.
#pragma once
#include <string>

#include "launch.cuh"
#include "policy.cuh"

namespace lookback::gpu::detail {

enum class way {
  staged_tiles,  // pipelines/staged.cuh: the default
  merge_path,    // pipelines/merge_path.cuh: one result a segment, by offsets
  one_wave,      // pipelines/one_wave.cuh: few items, all of them on the device at once
  row_per_warp,  // pipelines/row_per_warp.cuh: one result a row
};

struct call_facts {
  bool results_by_offsets = false;  // a result for each segment, of which offsets tell
  bool folds_rows = false;          // a result for each row, of a length that a warp folds well, by operands that may be swapped
  int wave_threads = 0;             // of a block, if a kernel for one wave has the types and all items are few enough for it
  bool wave_would_differ = false;   // but its results would: floats of which the bits were asked for, a value before the first item
};

constexpr char const* text_of(way by) {
  constexpr char const* names[] = {"staged tiles", "merge path", "one wave", "a warp a row"};
  return names[static_cast<int>(by)];
}
constexpr char const* reason_of(way by) {
  constexpr char const* reasons[] = {
      "the default; one wave is for few items, from left to right, by the default strategy, whole and not to be reproduced as "
      "floats",
      "each segment has a result, and offsets tell where segments end", "all items are on the device at once",
      "each row has a result, and a length that a warp folds well"};
  return reasons[static_cast<int>(by)];
}
/// Notes how a call runs, and by which strategy.
inline void observe_way(way by, char const* strategy, index_t tiles, index_t tile_items, double reads = 1, double writes = 1) {
  lookback::detail::observe([&](observation& seen) {
    seen.add(observed_way{std::string(text_of(by)) + ", " + strategy, reason_of(by), tiles, tile_items, reads, writes});
  });
}

constexpr way choose(call_facts const& call) {
  if (call.folds_rows) return way::row_per_warp;
  if (call.results_by_offsets) return way::merge_path;
  if (call.wave_threads > 0 && !call.wave_would_differ) return way::one_wave;
  return way::staged_tiles;
}

/// Is there a kernel for one wave? Only where the default is asked for.
template <class Wave, class Policy>
inline constexpr bool has_wave = Wave::possible&& std::is_same_v<typename Policy::strategy_type, decoupled_look_back>&&
    std::is_same_v<typename Policy::carry_type, no_carry>&& std::is_same_v<typename Policy::tuning_type, tuning<>>;

/// The threads of a block of it if the items are few enough, else 0.
template <class Wave, class Policy>
int threads_of_wave(Policy const& on, size n) {
  if constexpr (has_wave<Wave, Policy>)
    if (on.direction == left_to_right && !on.always_pipelined)
      return Wave::form::threads(n.bound, multiprocessors(current_device()));
  return 0;
}

}  // namespace lookback::gpu::detail
