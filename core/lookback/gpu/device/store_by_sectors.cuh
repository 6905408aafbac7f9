// Stores of rows that end where sectors of memory end.
#pragma once
#include <cstdint>

#include "warp.cuh"

namespace lookback::gpu {

/// How many items of size `Size` a sector of memory holds up to the one at this address, which is among them; 0: it ends there.
template <int Size>
__device__ __forceinline__ int begun_of_sector(std::uintptr_t address) {
  return static_cast<int>((static_cast<std::uint32_t>(address) + Size) % 32 / Size);
}
/// A warp stores places [from, to) of a sorted tile, up to 32 at a time. A row ends where a sector ends, so that inside a run no
/// sector is stored in two parts: a part costs the memory about as much as several whole ones. look(i) says how much of the sector
/// of place i is begun with it; then store(i) stores what was looked at last.
template <class Look, class Store>
__device__ __forceinline__ void store_by_sectors(int from, int to, Look const& look, Store const& store) {
  int const lane = threadIdx.x % 32;
  while (from < to) {
    int const i = min(from + lane, to - 1), begun = __shfl_sync(all_lanes, look(i), 31);
    int const stored = to - from > 32 ? 32 - begun : to - from;
    if (lane < stored) store(i);
    from += stored;
  }
}

}  // namespace lookback::gpu
