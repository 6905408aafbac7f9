// No strategy: one worker, and no protocol.
#pragma once
#include <cstddef>

#include "../../../fn.hpp"
#include "../../../strategy.hpp"
#include "../../run/executor.hpp"
#include "../../run/memory.hpp"
#include "../../simd/unit.hpp"

namespace lookback::cpu::inline LOOKBACK_UNIT {

/// One worker, tile after tile: no protocol. Returns what comes after the last tile.
template <class Work>
auto run_tiles(sequential, Work& work, executor const&, memory const& from, int) {
  // A small room, as results by offsets have, lies on the stack: to ask for it would be a quarter of the smallest calls
  // (docs/lab/cpu.md, 35). At the end of what there is, so that a sanitizer sees whoever goes beyond it.
  constexpr index_t small = 20 << 10;
  alignas(64) std::byte here[small];
  scratch<std::byte> const elsewhere{from, work.room_bytes() > small ? work.room_bytes() : 0};
  auto const room = work.room_at(elsewhere.data() ? elsewhere.data() : here + (small - work.room_bytes()));
  auto before = work.first();
  for (index_t id = 0; id < work.tiles(); ++id) {
    auto held = work.hold(room, id, 0);
    before = work.serial(room, held, before);
  }
  return before;
}

}  // namespace lookback::cpu::inline LOOKBACK_UNIT
