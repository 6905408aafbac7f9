// Where runs begin in a tile of few items: items are compared with their left neighbours, in registers.
#pragma once
#include "../../segments.hpp"
#include "one_wave.cuh"

namespace lookback::gpu {

/// The item left of those of a warp, asked for before they are needed.
template <class Source>
struct left_of_warp {
  using key = std::remove_cvref_t<decltype(*std::declval<Source const&>().items.arrays().data)>;
  room<key> left;
  bool has;
  /// place: of the thread's first item.
  __device__ __forceinline__ left_of_warp(Source const& from, int place, int end) : has{place > 0} {
    if (threadIdx.x % 32 == 0 && has && place < end) left.value = from.items.arrays().data[place - 1];
  }
};

/// All lanes of a warp: the heads among the items of this thread, bit k for its item k.
template <bool Full, class Source, class Items, int N, int Rows>
__device__ __forceinline__ std::uint32_t heads_of_thread(Source const& from, wave_items<Items, N, Rows> const& mine,
                                                         left_of_warp<Source> const& before) {
  using key = typename left_of_warp<Source>::key;
  auto const at = [&](int k) { return mine.staged[k / N].items_of_thread.get(k % N); };
  auto const differ = [&](key const& a, key const& b) { return !from.segments.equal(a, b); };
  constexpr int most = N * Rows;
  int const lane = threadIdx.x % 32, items = mine.template count<Full>();
  room<key> last, left;  // lanes that have none pass on what is never looked at
  if (Full || items == most) last.value = at(most - 1);
  left.value = shuffle(last.value, max(lane - 1, 0));
  if (lane == 0) left = before.left;
  std::uint32_t heads = 0;
  if (Full || items > 0) heads = !before.has || differ(left.value, at(0));
#pragma unroll
  for (int k = 1; k < most; ++k)
    if ((Full || k < items) && differ(at(k - 1), at(k))) heads |= 1u << k;
  return heads;
}

}  // namespace lookback::gpu
