// The consecutive items of one thread, in registers, and their way from and to shared memory at any alignment.
#pragma once
#include <cstring>

#include "../../source.hpp"
#include "../protocol/descriptors.cuh"

namespace lookback::gpu {

/// The dynamic shared memory of the block. Places in it are offsets, not pointers: so they stay shared addresses to the compiler.
__device__ __forceinline__ char* slot_memory() {
  extern __shared__ __align__(128) char lookback_slot_memory[];
  return lookback_slot_memory;
}
template <class T>
__device__ __forceinline__ T* slot_memory_at(int offset) {
  return reinterpret_cast<T*>(slot_memory() + offset);
}

namespace detail {

/// words[w] = words[w + by], by in [0, 4): two selects a word, because registers cannot be indexed at run time.
template <int Words, int Held>
__device__ __forceinline__ void shift_down(std::uint32_t (&words)[Held], int by) {
#pragma unroll
  for (int w = 0; w < Held - 1; ++w) words[w] = by & 1 ? words[w + 1] : words[w];
#pragma unroll
  for (int w = 0; w < Words + 1 && w + 2 < Held; ++w) words[w] = by & 2 ? words[w + 2] : words[w];
}

}  // namespace detail

/// Copies Words words from any byte offset of the slots, 16 bytes at a time: what lies askew is shifted into place in registers,
/// because narrower loads of neighbouring threads would meet in the same banks. May read the 16-byte vectors that the words touch.
template <int Words>
__device__ __forceinline__ void load_words(std::uint32_t (&to)[Words], int at) {
  if constexpr (Words % 4 == 0) {
    auto const* const vectors = slot_memory_at<uint4>(at & ~15);
    if (at % 16 == 0) {
#pragma unroll
      for (int v = 0; v < Words / 4; ++v) {
        uint4 const q = vectors[v];
        to[4 * v] = q.x, to[4 * v + 1] = q.y, to[4 * v + 2] = q.z, to[4 * v + 3] = q.w;
      }
    } else {
      std::uint32_t held[Words + 4];
#pragma unroll
      for (int v = 0; v < Words / 4 + 1; ++v) {
        uint4 const q = vectors[v];
        held[4 * v] = q.x, held[4 * v + 1] = q.y, held[4 * v + 2] = q.z, held[4 * v + 3] = q.w;
      }
      detail::shift_down<Words>(held, at % 16 / 4);
      unsigned const bits = at % 4 * 8;
#pragma unroll
      for (int w = 0; w < Words; ++w) to[w] = __funnelshift_r(held[w], held[w + 1], bits);
    }
  } else {
    auto const* const aligned = slot_memory_at<std::uint32_t>(at & ~3);
    unsigned const bits = at % 4 * 8;
    std::uint32_t low = aligned[0];
#pragma unroll
    for (int w = 0; w < Words; ++w) {
      std::uint32_t const high = aligned[w + 1];
      to[w] = __funnelshift_r(low, high, bits);
      low = high;
    }
  }
}

/// The other way; writes exactly Bytes bytes.
template <int Bytes, int Words>
__device__ __forceinline__ void store_words(int at, std::uint32_t const (&from)[Words]) {
  if (Bytes % 16 == 0 && at % 16 == 0) {
#pragma unroll
    for (int v = 0; v < Bytes / 16; ++v)
      slot_memory_at<uint4>(at)[v] = make_uint4(from[4 * v], from[4 * v + 1], from[4 * v + 2], from[4 * v + 3]);
  } else if (Bytes % 4 == 0 && at % 4 == 0) {
#pragma unroll
    for (int w = 0; w < Bytes / 4; ++w) slot_memory_at<std::uint32_t>(at)[w] = from[w];
  } else {
#pragma unroll
    for (int b = 0; b < Bytes; ++b) slot_memory()[at + b] = static_cast<char>(from[b / 4] >> b % 4 * 8);
  }
}

/// How far an address is behind a multiple of Phase bytes. Copies keep the phase of 16; with that of 128 the copy engine asks L2
/// for whole lines, where else it asks for parts of about 50 bytes.
inline constexpr int line_bytes = 128;
template <int Phase = 16>
__device__ __forceinline__ int phase_of(void const* p) {
  return static_cast<int>(reinterpret_cast<std::uintptr_t>(p) % Phase);
}

/// Where regions of a slot begin: room for so many items of each array, `pad` bytes apart. The pad is room for any phase; it is 0
/// where every array begins at a multiple of 16, so that regions stay at multiples of 128 bytes, which the copy engine prefers.
template <class T>
__host__ __device__ constexpr int region_bytes(int room, int pad) {
  return room * static_cast<int>(sizeof(T)) + pad;
}

/// N items of type T as words. Positions are compile-time constants after unrolling, so nothing leaves the registers.
template <class T, int N>
struct run {
  static constexpr int bytes = N * static_cast<int>(sizeof(T)), words = (bytes + 3) / 4;
  std::uint32_t word[words];

  __device__ __forceinline__ void load(int at) { load_words<words>(word, at); }
  __device__ __forceinline__ void store(int at) const { store_words<bytes>(at, word); }
  __device__ __forceinline__ T get(int j) const {
    room<T> item;
    if constexpr (sizeof(T) == 1) {
      std::uint8_t const b = static_cast<std::uint8_t>(word[j / 4] >> j % 4 * 8);
      memcpy(&item, &b, 1);
    } else if constexpr (sizeof(T) == 2) {
      std::uint16_t const h = static_cast<std::uint16_t>(word[j / 2] >> j % 2 * 16);
      memcpy(&item, &h, 2);
    } else if constexpr (sizeof(T) == 8) {  // as one word
      std::uint64_t const bits = static_cast<std::uint64_t>(word[2 * j + 1]) << 32 | word[2 * j];
      memcpy(&item, &bits, 8);
    } else if constexpr (sizeof(T) % 4 == 0) {
      memcpy(&item, word + j * (sizeof(T) / 4), sizeof(T));
    } else {
      memcpy(&item, reinterpret_cast<char const*>(word) + j * sizeof(T), sizeof(T));
    }
    return item.value;
  }
  __device__ __forceinline__ void set(int j, T const& item) {
    if constexpr (sizeof(T) == 1) {
      std::uint8_t b;
      memcpy(&b, &item, 1);
      word[j / 4] = (word[j / 4] & ~(0xffu << j % 4 * 8)) | static_cast<std::uint32_t>(b) << j % 4 * 8;
    } else if constexpr (sizeof(T) == 2) {
      std::uint16_t h;
      memcpy(&h, &item, 2);
      word[j / 2] = (word[j / 2] & ~(0xffffu << j % 2 * 16)) | static_cast<std::uint32_t>(h) << j % 2 * 16;
    } else if constexpr (sizeof(T) == 8) {
      std::uint64_t bits;
      memcpy(&bits, &item, 8);
      word[2 * j] = static_cast<std::uint32_t>(bits), word[2 * j + 1] = static_cast<std::uint32_t>(bits >> 32);
    } else if constexpr (sizeof(T) % 4 == 0) {
      memcpy(word + j * (sizeof(T) / 4), &item, sizeof(T));
    } else {
      memcpy(reinterpret_cast<char*>(word) + j * sizeof(T), &item, sizeof(T));
    }
  }
};

/// One run for each staged array, and the value that a source makes of place j of all of them.
template <int N, class... Ts>
struct staged_runs {
  __device__ __forceinline__ void load(arrays<> const&, int, int, int, index_t, int) {}
  template <class Items, class... X>
  __device__ __forceinline__ auto value(Items const& items, index_t i, int, X const&... x) const {
    return items(i, x...);
  }
};
template <int N, class T, class... Rest>
struct staged_runs<N, T, Rest...> {
  run<T, N> items_of_thread;
  staged_runs<N, Rest...> rest;
  /// Of the tile that begins with item `begin` and lies at `slot`, in regions of `room` items: the run from its item `place` on.
  __device__ __forceinline__ void load(arrays<T, Rest...> const& from, int slot, int room, int pad, index_t begin, int place) {
    items_of_thread.load(slot + phase_of(from.data + begin) + place * static_cast<int>(sizeof(T)));
    rest.load(from.rest, slot + region_bytes<T>(room, pad), room, pad, begin, place);
  }
  template <class Items, class... X>
  __device__ __forceinline__ auto value(Items const& items, index_t i, int j, X const&... x) const {
    return rest.value(items, i, j, x..., items_of_thread.get(j));
  }
};

/// Where array K of the tile that begins with item `begin` begins in its slot, in regions of `room` items.
template <int K, class T, class... Rest>
__device__ __forceinline__ int place_of_array(arrays<T, Rest...> const& from, int room, int pad, index_t begin) {
  if constexpr (K == 0) return phase_of(from.data + begin);
  else return region_bytes<T>(room, pad) + place_of_array<K - 1>(from.rest, room, pad, begin);
}

/// What a source makes of one item of the tile that begins with item `begin` and lies at `slot`.
template <class Items, class... X>
__device__ __forceinline__ auto value_at(Items const& items, arrays<> const&, int, int, int, index_t begin, int place,
                                         X const&... x) {
  return items(begin + place, x...);
}
template <class Items, class T, class... Rest, class... X>
__device__ __forceinline__ auto value_at(Items const& items, arrays<T, Rest...> const& from, int slot, int room, int pad,
                                         index_t begin, int place, X const&... x) {
  T const item = *slot_memory_at<T const>(slot + phase_of(from.data + begin) + place * static_cast<int>(sizeof(T)));
  return value_at(items, from.rest, slot + region_bytes<T>(room, pad), room, pad, begin, place, x..., item);
}

/// Calls f.operator()<k>(data) for every array, in order.
template <int K = 0, class F>
__device__ __forceinline__ void each_array(arrays<> const&, F&&) {}
template <int K = 0, class T, class... Rest, class F>
__device__ __forceinline__ void each_array(arrays<T, Rest...> const& from, F&& f) {
  f.template operator()<K>(from.data);
  each_array<K + 1>(from.rest, f);
}

/// The arrays of a staged tile of a path, each at its place; its value of an item is the source's.
template <class... Ts>
struct staged_arrays {
  __device__ __forceinline__ staged_arrays(arrays<> const&, int const*) {}
  template <class Items, class... X>
  __device__ __forceinline__ auto value(Items const& items, index_t begin, int place, X const&... x) const {
    return items(begin + place, x...);
  }
};
template <class T, class... Rest>
struct staged_arrays<T, Rest...> {
  int at;
  staged_arrays<Rest...> rest;
  __device__ __forceinline__ staged_arrays(arrays<T, Rest...> const& from, int const* places)
      : at{places[0]}, rest(from.rest, places + 1) {}
  template <class Items, class... X>
  __device__ __forceinline__ auto value(Items const& items, index_t begin, int place, X const&... x) const {
    return rest.value(items, begin, place, x..., *slot_memory_at<T const>(at + place * static_cast<int>(sizeof(T))));
  }
};
template <class... Ts>
staged_arrays(arrays<Ts...> const&, int const*) -> staged_arrays<Ts...>;

/// The same of item i, read from memory.
template <class Items, class... X>
__device__ __forceinline__ auto value_in_memory(Items const& items, arrays<> const&, index_t i, X const&... x) {
  return items(i, x...);
}
template <class Items, class T, class... Rest, class... X>
__device__ __forceinline__ auto value_in_memory(Items const& items, arrays<T, Rest...> const& from, index_t i, X const&... x) {
  T const item = from.data[i];
  return value_in_memory(items, from.rest, i, x..., item);
}

}  // namespace lookback::gpu
