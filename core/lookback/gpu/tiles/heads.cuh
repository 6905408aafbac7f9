// Where segments begin, as bits in the registers of the thread that owns the items. However a caller describes segments, the rest
// of the engine reads only these. Bit j of a thread says: the scan starts anew at the thread's item j. From left to right that is
// "item i is a head"; from right to left "item i + 1 is a head", because a segment ends, in memory, before the next head.
//
//   flags8, bits   staged beside the items by the copy engine, read at any alignment
//   offsets        those of the tile, staged beside it, become a bitmap; too many of them are searched in memory
//   flags32, keys  read in memory, where they have been asked into L2, 32 neighbours a warp, one ballot a word of the warp's own
//   bitmap rows           computed
#pragma once
#include "../../policy.hpp"
#include "../../segments.hpp"
#include "../device/thread_run.cuh"
#include "../device/warp.cuh"

namespace lookback::gpu {

template <int N>
struct head_bits {
  static constexpr int words = (N + 31) / 32;
  std::uint32_t word[words];
  __device__ __forceinline__ bool test(int j) const { return word[j / 32] >> j % 32 & 1; }
  __device__ __forceinline__ bool test_at(int j) const {  // a run-time place, without leaving the registers
    std::uint32_t here = word[0];
#pragma unroll
    for (int w = 1; w < words; ++w) here = j / 32 == w ? word[w] : here;
    return here >> j % 32 & 1;
  }
  __device__ __forceinline__ bool any() const {
    std::uint32_t all = 0;
#pragma unroll
    for (int w = 0; w < words; ++w) all |= word[w];
    return all != 0;
  }
  __device__ __forceinline__ int count() const {
    int all = 0;
#pragma unroll
    for (int w = 0; w < words; ++w) all += __popc(word[w]);
    return all;
  }
  /// The place of the first one, of the last one; N and -1 where there is none.
  __device__ __forceinline__ int lowest() const {
    int place = N;
#pragma unroll
    for (int w = words - 1; w >= 0; --w) place = word[w] ? 32 * w + __ffs(static_cast<int>(word[w])) - 1 : place;
    return place;
  }
  __device__ __forceinline__ int highest() const {
    int place = -1;
#pragma unroll
    for (int w = 0; w < words; ++w) place = word[w] ? 32 * w + 31 - __clz(static_cast<int>(word[w])) : place;
    return place;
  }
  __device__ __forceinline__ void drop_lowest() {
    bool dropped = false;
#pragma unroll
    for (int w = 0; w < words; ++w) {
      std::uint32_t const here = word[w];
      word[w] = dropped ? here : here & (here - 1);
      dropped = dropped || here != 0;
    }
  }
  __device__ __forceinline__ void put(int j, bool head) {  // a run-time place
#pragma unroll
    for (int w = 0; w < words; ++w) {
      std::uint32_t const bit = j / 32 == w ? 1u << j % 32 : 0;
      word[w] = head ? word[w] | bit : word[w] & ~bit;
    }
  }
  /// The bits of places < `items` of word w.
  __device__ __forceinline__ static std::uint32_t first(int items, int w) {
    int const here = items - 32 * w;
    return here >= 32 ? ~0u : here <= 0 ? 0 : (1u << here) - 1;
  }
  /// Clears the bits of places >= `items`.
  __device__ __forceinline__ void keep(int items) {
#pragma unroll
    for (int w = 0; w < words; ++w) word[w] &= first(items, w);
  }
};

/// What of a description is staged with each tile, in bits per item; 0 where nothing is.
__host__ __device__ constexpr int staged_head_bits(segment_kind kind) {
  return kind == segment_kind::flags8 ? 8 : kind == segment_kind::bits ? 1 : 0;
}

/// Bytes per item of a description that is read in memory, tile by tile; 0 for every other.
__host__ __device__ constexpr int head_bytes_in_memory(segment_kind kind) {
  switch (kind) {
    case segment_kind::keys8:
      return 1;
    case segment_kind::keys16:
      return 2;
    case segment_kind::flags32:
    case segment_kind::keys32:
    case segment_kind::keys_f32:
      return 4;
    case segment_kind::keys64:
    case segment_kind::keys_f64:
      return 8;
    default:
      return 0;
  }
}

namespace detail {

/// Four flags of a word to four bits.
__device__ __forceinline__ std::uint32_t bits_of_flags(std::uint32_t flags) {
  std::uint32_t const set = (((flags & 0x7f7f7f7fu) + 0x7f7f7f7fu) | flags) & 0x80808080u;  // the top bit of every non-zero byte
  return ((set >> 7) * 0x10204080u) >> 28;
}

/// N bits from bit `place` on of a bitmap at offset `bitmap` of the slots.
template <int N>
__device__ __forceinline__ head_bits<N> read_bits(int bitmap, int place) {
  head_bits<N> heads;
  int const first = bitmap + place / 8;
  auto const* words = slot_memory_at<std::uint32_t const>(first & ~3);
  unsigned const shift = first % 4 * 8 + place % 8;
#pragma unroll
  for (int w = 0; w < head_bits<N>::words; ++w) {
    bool const crosses = shift + (N - 32 * w < 32 ? N - 32 * w : 32) > 32;  // else the next word may belong to another warp
    heads.word[w] = __funnelshift_r(words[w], crosses ? words[w + 1] : 0, shift);
  }
  if constexpr (N % 32 != 0) heads.word[N / 32] &= (1u << N % 32) - 1;
  return heads;
}

template <int N>
__device__ __forceinline__ head_bits<N> read_flags(int flags, int place) {
  run<std::uint8_t, N> bytes;
  bytes.load(flags + place);
  head_bits<N> heads{};
#pragma unroll
  for (int w = 0; w < run<std::uint8_t, N>::words; ++w) heads.word[w / 8] |= bits_of_flags(bytes.word[w]) << w % 8 * 4;
  if constexpr (N % 32 != 0) heads.word[N / 32] &= (1u << N % 32) - 1;
  return heads;
}

/// 32 neighbours at a time, in memory order, for the 32 * N items of this warp from item `first` on.
template <int N, class HeadAt>
__device__ __forceinline__ void ballot_heads(std::uint32_t* bitmap, index_t first, index_t n, HeadAt head_at) {
  int const lane = threadIdx.x % 32;
#pragma unroll 8
  for (int w = 0; w < N; ++w) {
    index_t const i = first + 32 * w + lane;
    unsigned const word = __ballot_sync(all_lanes, i < n && head_at(i));
    if (lane == 0) bitmap[w] = word;
  }
}

/// Each key is read once, 8 (or 4 wide ones) a lane on their way at a time; its left neighbour comes from the lane before.
template <int N, class K>
__device__ __forceinline__ void ballot_keys(std::uint32_t* bitmap, index_t first, index_t n, void const* keys) {
  K const* const key = static_cast<K const*>(keys);
  constexpr int batch = sizeof(K) <= 4 ? 8 : 4;
  int const lane = threadIdx.x % 32;
  K before{};  // the key left of this word's first
  if (first > 0 && first <= n) before = key[first - 1];
#pragma unroll
  for (int from = 0; from < N; from += batch) {
    K mine[batch];
#pragma unroll
    for (int k = 0; k < batch && from + k < N; ++k) {
      index_t const i = first + 32 * (from + k) + lane;
      mine[k] = i < n ? key[i] : K{};
    }
#pragma unroll
    for (int k = 0; k < batch && from + k < N; ++k) {
      index_t const i = first + 32 * (from + k) + lane;
      K const left = shuffle(mine[k], lane > 0 ? lane - 1 : 0);
      unsigned const word = __ballot_sync(all_lanes, i > 0 && i < n && !((lane > 0 ? left : before) == mine[k]));
      before = shuffle(mine[k], 31);
      if (lane == 0) bitmap[from + k] = word;
    }
  }
}

template <int N>
__device__ __forceinline__ void ballot(segments const& s, std::uint32_t* bitmap, index_t first, index_t n) {
  switch (s.kind) {
    case segment_kind::flags32: {
      auto const* const flags = static_cast<std::uint32_t const*>(s.data);
      return ballot_heads<N>(bitmap, first, n, [&](index_t i) { return flags[i] != 0; });
    }
    case segment_kind::keys8:
      return ballot_keys<N, std::uint8_t>(bitmap, first, n, s.data);
    case segment_kind::keys16:
      return ballot_keys<N, std::uint16_t>(bitmap, first, n, s.data);
    case segment_kind::keys32:
      return ballot_keys<N, std::uint32_t>(bitmap, first, n, s.data);
    case segment_kind::keys64:
      return ballot_keys<N, std::uint64_t>(bitmap, first, n, s.data);
    case segment_kind::keys_f32:
      return ballot_keys<N, float>(bitmap, first, n, s.data);
    case segment_kind::keys_f64:
      return ballot_keys<N, double>(bitmap, first, n, s.data);
    default:
      return;
  }
}
template <int N, class Key, class Equal>
__device__ __forceinline__ void ballot(key_segments<Key, Equal> const& s, std::uint32_t* bitmap, index_t first, index_t n) {
  ballot_heads<N>(bitmap, first, n, [&](index_t i) { return i > 0 && !s.equal(s.data[i - 1], s.data[i]); });
}

/// Keys of a type known at run time, as bytes: of floats by value.
__device__ __forceinline__ bool same_key(segments const& s, index_t i, any_key const& key) {
  auto const equal = [&]<class K>(K) { return static_cast<K const*>(s.data)[i] == *reinterpret_cast<K const*>(key.bytes); };
  switch (s.kind) {
    case segment_kind::keys8:
      return equal(std::uint8_t{});
    case segment_kind::keys16:
      return equal(std::uint16_t{});
    case segment_kind::keys32:
      return equal(std::uint32_t{});
    case segment_kind::keys_f32:
      return equal(float{});
    case segment_kind::keys_f64:
      return equal(double{});
    default:
      return equal(std::uint64_t{});
  }
}
__device__ __forceinline__ void keep_key(segments const& s, index_t i, any_key& key) {
  int const bytes = head_bytes_in_memory(s.kind);
  for (int b = 0; b < bytes; ++b) key.bytes[b] = static_cast<unsigned char const*>(s.data)[i * bytes + b];
}

/// Every `length` items, from position `first` of the whole on.
template <int N>
__device__ __forceinline__ head_bits<N> row_heads(index_t length, index_t first) {
  head_bits<N> heads{};
  index_t const past = first % length;
  for (index_t j = past == 0 ? 0 : length - past; j < N; j += length) heads.put(static_cast<int>(j), true);
  return heads;
}

}  // namespace detail

}  // namespace lookback::gpu
