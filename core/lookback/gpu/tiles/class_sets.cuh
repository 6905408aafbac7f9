// Which items of a thread belong to which class, in registers, and how many: what a thread of a compaction remembers of its tile.
#pragma once
#include <cstdint>

namespace lookback::gpu {

/// One 16-bit counter for each of k classes, two a word.
template <int Classes>
struct class_counts {
  static constexpr int words = (Classes + 1) / 2;
  std::uint32_t word[words];
  __device__ __forceinline__ void clear() {
#pragma unroll
    for (int w = 0; w < words; ++w) word[w] = 0;
  }
  /// Counts one more of class c; returns how many there were.
  __device__ __forceinline__ int add(int c) {
    if constexpr (Classes == 1) {
      int const before = static_cast<int>(word[0]);
      word[0] += c == 0;
      return before;
    } else {
      int const shift = c % 2 * 16;
      std::uint32_t here = 0;
#pragma unroll
      for (int w = 0; w < words; ++w) {
        here = c / 2 == w ? word[w] : here;
        word[w] += (c / 2 == w ? 1u : 0u) << shift;
      }
      return static_cast<int>(here >> shift & 0xffff);
    }
  }
  __device__ __forceinline__ int get(int c) const {  // a run-time class
    if constexpr (Classes == 1) return static_cast<int>(word[0]);
    std::uint32_t here = 0;
#pragma unroll
    for (int w = 0; w < words; ++w) here = c / 2 == w ? word[w] : here;
    return static_cast<int>(here >> c % 2 * 16 & 0xffff);
  }
};
template <int Classes>
struct add_counts {
  __device__ __forceinline__ class_counts<Classes> operator()(class_counts<Classes> a, class_counts<Classes> const& b) const {
#pragma unroll
    for (int w = 0; w < class_counts<Classes>::words; ++w) a.word[w] += b.word[w];
    return a;
  }
};

/// Few classes: one bit an item for each. Items are put by a predicated instruction and counted all at once.
template <int N, int Classes>
struct class_masks {
  static constexpr int words = (N + 31) / 32;
  std::uint32_t word[Classes][words];
  __device__ __forceinline__ void clear() {
#pragma unroll
    for (int c = 0; c < Classes; ++c)
#pragma unroll
      for (int w = 0; w < words; ++w) word[c][w] = 0;
  }
  __device__ __forceinline__ void put(int j, int c) {
#pragma unroll
    for (int k = 0; k < Classes; ++k)
      if (c == k) word[k][j / 32] |= 1u << j % 32;
  }
  __device__ __forceinline__ void put_at(int j, int c) {  // a run-time place
#pragma unroll
    for (int k = 0; k < Classes; ++k)
#pragma unroll
      for (int w = 0; w < words; ++w) word[k][w] |= (c == k && j / 32 == w ? 1u : 0u) << j % 32;
  }
  __device__ __forceinline__ bool test(int j, int c) const { return word[c][j / 32] >> j % 32 & 1; }
  __device__ __forceinline__ int count(int c) const {
    int all = 0;
#pragma unroll
    for (int w = 0; w < words; ++w) all += __popc(word[c][w]);
    return all;
  }
  __device__ __forceinline__ class_counts<Classes> counts() const {
    class_counts<Classes> all;
    all.clear();
#pragma unroll
    for (int c = 0; c < Classes; ++c) all.word[c / 2] |= static_cast<std::uint32_t>(count(c)) << c % 2 * 16;
    return all;
  }
};

/// Many classes: the number of each item's class.
template <int N, int Classes>
struct class_codes {
  static constexpr int bits = Classes < 2 ? 1 : Classes < 4 ? 2 : Classes < 8 ? 3 : Classes < 16 ? 4 : 5;
  static constexpr int per_word = 32 / bits, words = (N + per_word - 1) / per_word;
  std::uint32_t word[words];
  __device__ __forceinline__ void clear() {
#pragma unroll
    for (int w = 0; w < words; ++w) word[w] = 0;
  }
  // Stored so that 0 is "dropped": what was never put is dropped.
  __device__ __forceinline__ void put(int j, int c) {
    word[j / per_word] |= static_cast<std::uint32_t>(c + 1) << j % per_word * bits;
  }
  __device__ __forceinline__ void put_at(int j, int c) {  // a run-time place
#pragma unroll
    for (int w = 0; w < words; ++w) word[w] |= (j / per_word == w ? static_cast<std::uint32_t>(c + 1) : 0u) << j % per_word * bits;
  }
  __device__ __forceinline__ class_counts<Classes> counts() const {
    class_counts<Classes> all;
    all.clear();
#pragma unroll
    for (int j = 0; j < N; ++j)
      if (get(j) >= 0) all.add(get(j));
    return all;
  }
  __device__ __forceinline__ int get(int j) const {
    return static_cast<int>(word[j / per_word] >> j % per_word * bits & ((1u << bits) - 1)) - 1;
  }
};

}  // namespace lookback::gpu
