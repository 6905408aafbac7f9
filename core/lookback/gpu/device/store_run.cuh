// How a gathered run of output leaves shared memory: it lies there at the 16-byte phase of its destination, so that its aligned
// middle goes by one bulk store and at most 15 bytes at each end one by one.
#pragma once
#include "tile_slots.cuh"

namespace lookback::gpu {

/// Bytes [begin, end) of memory from `gathered` in shared memory. Called by `threads` threads, 16 or more, this is number `thread`;
/// with a copy engine thread 0 starts the bulk store, and commits it later.
template <class Out>
__device__ __forceinline__ void store_run(char* begin, char* end, char const* gathered, int thread, int threads) {
  using unit =
      std::conditional_t<alignof(Out) % 4 == 0, std::uint32_t, std::conditional_t<alignof(Out) == 2, std::uint16_t, std::uint8_t>>;
  int const bytes = static_cast<int>(end - begin);
  int low = static_cast<int>(-reinterpret_cast<std::uintptr_t>(begin) & 15);
  int high = bytes - phase_of(end);
  if (low >= high) low = high = bytes;
  if (ptx::has_copy_engine()) {
    if (thread == 0 && high > low) ptx::bulk_store(begin + low, gathered + low, static_cast<std::uint32_t>(high - low));
  } else {
    for (int at = low + thread * 16; at < high; at += threads * 16)
      *reinterpret_cast<uint4*>(begin + at) = *reinterpret_cast<uint4 const*>(gathered + at);
  }
  auto const copy = [&](int at) { *reinterpret_cast<unit*>(begin + at) = *reinterpret_cast<unit const*>(gathered + at); };
  int const step = static_cast<int>(sizeof(unit));
  for (int at = thread * step; at < low; at += threads * step) copy(at);  // once, but where all of it is an end
  for (int at = high + thread * step; at < bytes; at += threads * step) copy(at);
}

}  // namespace lookback::gpu
