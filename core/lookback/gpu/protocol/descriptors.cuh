// Where tiles tell their successors what they know, in global memory, one descriptor a tile.
//
// Status, epoch and value travel in one word that is loaded and stored whole: no fence is needed (Merrill & Garland 2016, 4.4).
//   word_64   values up to  4 bytes, counts below 2^40     epoch:22 status:2 value:40
//   word_128  values up to 12 bytes                        value:64 epoch:22 status:2 unused:8 value:32
//             values up to 8 bytes and a count             value:64 epoch:22 status:2 count:40
//   split     larger: value first, then a word_64 tag with release; read with acquire
// The tag is the same in all of them, so that what another format left in the same memory has another epoch.
// An epoch is one call: a descriptor of another epoch is empty, so nothing is cleared between calls.
#pragma once
#include <cstring>

#include "../../fn.hpp"
#include "../../model/descriptor.hpp"
#include "../device/ptx.cuh"

namespace lookback::gpu {

inline constexpr std::uint32_t epoch_bits = 22,
                               last_epoch = (1u << epoch_bits) - 1;  // epoch 0 is never used: cleared memory is empty

namespace detail {

template <class To, class From>
__device__ __forceinline__ To bits_of(From const& from) {
  To to{};
  memcpy(&to, &from, sizeof(From) < sizeof(To) ? sizeof(From) : sizeof(To));
  return to;
}

__device__ __forceinline__ status state_of(std::uint64_t word, std::uint32_t epoch) {
  return (word >> 42) == epoch ? static_cast<status>(word >> 40 & 3) : status::empty;
}
__device__ __forceinline__ std::uint64_t tag(status state, std::uint32_t epoch) {
  return std::uint64_t{epoch} << 42 | std::uint64_t{static_cast<std::uint32_t>(state)} << 40;
}

}  // namespace detail

/// Uninitialized room for a T that need not be default-constructible. Not a byte of it is written: a zeroed char in the union would
/// make the compiler keep every value in pieces.
template <class T>
union room {
  struct nothing {};
  nothing none;
  T value;
  __host__ __device__ room() : none() {}
};

/// The value apart from what tells of it, of any size.
template <class T>
struct split_descriptors {
  std::uint64_t* tags;
  T* values;  // aggregate and prefix of each tile: both stay readable once their tag has been seen
  std::uint32_t epoch;

  static constexpr std::size_t words_64 = 1, words_128 = 0, value_bytes = 2 * sizeof(T);

  __device__ void publish(index_t tile, status state, T const& value) const {
    values[2 * tile + (state == status::prefix)] = value;
    ptx::store_release(tags + tile, detail::tag(state, epoch));  // release: who reads the tag also reads the value above
  }
  __device__ status peek(index_t tile, room<T>& value) const {
    status const state = detail::state_of(ptx::load_acquire(tags + tile), epoch);
    if (state != status::empty) memcpy(&value, values + 2 * tile + (state == status::prefix), sizeof(T));
    return state;
  }
};

/// Descriptors of values of type T. Cheap to copy; the memory belongs to a workspace.
template <class T, bool Small = (sizeof(T) <= 4), bool Medium = (sizeof(T) <= 12)>
struct descriptors : split_descriptors<T> {};

template <class T>
struct descriptors<T, true, true> {  // word_64
  std::uint64_t* words;
  std::uint32_t epoch;

  static constexpr std::size_t words_64 = 1, words_128 = 0, value_bytes = 0;

  __device__ __forceinline__ void publish(index_t tile, status state, T const& value) const {
    ptx::store_relaxed(words + tile, detail::tag(state, epoch) | detail::bits_of<std::uint32_t>(value));
  }
  __device__ __forceinline__ status peek(index_t tile, room<T>& value) const {
    std::uint64_t const word = ptx::load_relaxed(words + tile);
    std::uint32_t const low = static_cast<std::uint32_t>(word);
    memcpy(&value, &low, sizeof(T));
    return detail::state_of(word, epoch);
  }
};

template <class T>
struct descriptors<T, false, true> {  // word_128
  ptx::word_128* words;
  std::uint32_t epoch;

  static constexpr std::size_t words_64 = 0, words_128 = 1, value_bytes = 0;

  struct parts {
    std::uint64_t low;
    std::uint32_t high;
  };
  __device__ __forceinline__ void publish(index_t tile, status state, T const& value) const {
    parts const p = detail::bits_of<parts>(value);
    ptx::store_relaxed(words + tile, {p.low, detail::tag(state, epoch) | p.high});
  }
  __device__ __forceinline__ status peek(index_t tile, room<T>& value) const {
    ptx::word_128 const word = ptx::load_relaxed(words + tile);
    parts const p{word.low, static_cast<std::uint32_t>(word.high)};
    memcpy(&value, &p, sizeof(T));
    return detail::state_of(word.high, epoch);
  }
};

/// Counts of items: word_64 with all 40 bits. Larger counts are refused on the host.
struct count_descriptors {
  std::uint64_t* words;
  std::uint32_t epoch;

  static constexpr index_t count_limit = index_t{1} << 40;
  static constexpr std::size_t words_64 = 1, words_128 = 0, value_bytes = 0;

  __device__ __forceinline__ void publish(index_t place, status state, index_t count) const {
    ptx::store_relaxed(words + place, detail::tag(state, epoch) | static_cast<std::uint64_t>(count));
  }
  __device__ __forceinline__ status peek(index_t place, room<index_t>& count) const {
    std::uint64_t const word = ptx::load_relaxed(words + place);
    count.value = static_cast<index_t>(word & ((std::uint64_t{1} << 40) - 1));
    return detail::state_of(word, epoch);
  }
};

}  // namespace lookback::gpu
