// From a place on the CPU to a policy.
#pragma once
#include <lookback/cpu.hpp>

#include "scan.hpp"

namespace lookback::dispatch {

/// `sequential` is one worker: it has no other tile to wait for, so that its protocol changes nothing.
inline auto on_workers(place const& on, strategy how = strategy::best) {
  cpu::tuning sizes;
  sizes.tile_bytes = on.sizes.tile_bytes;
  sizes.stream_above_bytes = on.sizes.stream_above_bytes;
  sizes.simd = static_cast<cpu::simd_level>(on.sizes.simd);
  return cpu::on(how == strategy::sequential ? 1 : on.threads).with(sizes);
}

}  // namespace lookback::dispatch
