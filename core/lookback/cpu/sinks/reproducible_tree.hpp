// The sizes of the tree of `reproducible`, version 1. Changing one changes results: it needs a new version.
#pragma once
#include "../../fn.hpp"
#include "../simd/unit.hpp"

namespace lookback::cpu::inline LOOKBACK_UNIT {

template <class T>
struct tree {
  static constexpr index_t threads = 384, lanes = 32, warps = threads / lanes;
  static constexpr index_t items_per_thread = 80 / static_cast<index_t>(sizeof(T));
  static constexpr index_t items = threads * items_per_thread;  // of a tile: 7680 floats, 3840 doubles
};

}  // namespace lookback::cpu::inline LOOKBACK_UNIT
