// Sorting networks in registers: a fixed list of exchanges, whatever the items are.
// Source: Batcher, Sorting networks and their applications, 1968.
#pragma once

namespace lookback::gpu::detail {

struct is_less {
  template <class Item>
  __device__ __forceinline__ bool operator()(Item const& x, Item const& y) const {
    return x < y;
  }
  static __device__ __forceinline__ bool has_ties() { return false; }
};

template <class Item, class Less>
__device__ __forceinline__ void compare_exchange(Item& x, Item& y, Less const& less) {
  bool const turned = less(y, x);
  Item const least = turned ? y : x, most = turned ? x : y;
  x = least, y = most;
}

/// Merges sorted runs of Run items, two by two: exchanges at the distance Run, then at half of it, ... Run is a power of two; the
/// last run may be shorter. Loops, and no recursion over parts: the compiler reads a step once for all items.
template <int Run, int Distance = Run, class Item, int M, class Less = is_less>
__device__ __forceinline__ void merge_network(Item (&k)[M], Less const& less = {}) {
  constexpr int first = Distance == Run ? 0 : Distance;
#pragma unroll
  for (int i = first; i + Distance < M; ++i)
    if ((i - first) / Distance % 2 == 0 && i / (2 * Run) == (i + Distance) / (2 * Run))
      compare_exchange(k[i], k[i + Distance], less);
  if constexpr (Distance > 1) merge_network<Run, Distance / 2>(k, less);
}
/// Sorts all of them. Equal items may change places.
template <int Run = 1, class Item, int M, class Less = is_less>
__device__ __forceinline__ void sort_network(Item (&k)[M], Less const& less = {}) {
  if constexpr (Run < M) {
    merge_network<Run>(k, less);
    sort_network<2 * Run>(k, less);
  }
}

/// Sorts the first `count` of them, by neighbours alone, which change places only where one belongs before the other: equal items
/// keep their order. Source: Habermann, Parallel neighbor-sort, 1972.
template <class Item, int M, class Less>
__device__ __forceinline__ void sort_by_neighbours(Item (&k)[M], int count, Less const& less) {
#pragma unroll
  for (int round = 0; round < M; ++round)
#pragma unroll
    for (int i = round % 2; i + 1 < M; i += 2)
      if (i + 1 < count) compare_exchange(k[i], k[i + 1], less);
}

/// Sorts items Begin to End - 1 so.
template <int Begin, int End, class Item, int M, class Less>
__device__ __forceinline__ void sort_by_neighbours(Item (&k)[M], Less const& less) {
#pragma unroll
  for (int round = 0; round < End - Begin; ++round)
#pragma unroll
    for (int i = Begin + round % 2; i + 1 < End; i += 2) compare_exchange(k[i], k[i + 1], less);
}

/// Items 0 to count - 1 of array(i), in memory: equal ones keep their order. For what is seldom asked for: count * count / 4 steps.
template <class Array, class Less>
__device__ __forceinline__ void sort_by_insertion(int count, Array const& array, Less const& less) {
  for (int i = 1; i < count; ++i) {
    auto const x = array(i);
    int to = i;
    for (; to > 0 && less(x, array(to - 1)); --to) array(to) = array(to - 1);
    array(to) = x;
  }
}

}  // namespace lookback::gpu::detail
