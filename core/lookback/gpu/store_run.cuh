// How a gathered run of output leaves shared memory: it lies there at the 16-byte phase of its destination, so that its aligned
// middle goes by one bulk store and at most 15 bytes at each end one by one.
#pragma once
#include "tile_slots.cuh"

namespace lookback::gpu {

/// Bytes [begin, end) of memory from `gathered` in shared memory. Called by `threads` threads, this is number `thread`; with a copy
/// engine thread 0 starts the bulk store, and commits it later.
template <class Out>
__device__ __forceinline__ void store_run(char* begin, char* end, char const* gathered, int thread, int threads) {
  using unit =
      std::conditional_t<alignof(Out) % 4 == 0, std::uint32_t, std::conditional_t<alignof(Out) == 2, std::uint16_t, std::uint8_t>>;
  char* low = reinterpret_cast<char*>(detail::up_16(begin));
  char* high = reinterpret_cast<char*>(detail::down_16(end));
  if (low >= high) low = high = end;
  if (ptx::has_copy_engine()) {
    if (thread == 0 && high > low) ptx::bulk_store(low, gathered + (low - begin), static_cast<std::uint32_t>(high - low));
  } else {
    for (char* p = low + thread * 16; p < high; p += threads * 16)
      *reinterpret_cast<uint4*>(p) = *reinterpret_cast<uint4 const*>(gathered + (p - begin));
  }
  for (char* p = begin + thread * sizeof(unit); p < low; p += threads * sizeof(unit))
    *reinterpret_cast<unit*>(p) = *reinterpret_cast<unit const*>(gathered + (p - begin));
  for (char* p = high + thread * sizeof(unit); p < end; p += threads * sizeof(unit))
    *reinterpret_cast<unit*>(p) = *reinterpret_cast<unit const*>(gathered + (p - begin));
}

}  // namespace lookback::gpu
