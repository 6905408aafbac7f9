// CUB for the sheet: every algorithm at every width. Compiled apart from lookback.
#pragma once
#include <cstdint>

#include "scan.hpp"

namespace bench::sheet {

/// 16 bytes that are added, compared and asked like numbers.
struct wide {
  std::uint64_t low, high;
  friend __host__ __device__ constexpr wide operator+(wide a, wide b) { return {a.low + b.low, a.high + b.high}; }
  friend __host__ __device__ constexpr bool operator==(wide a, wide b) { return a.low == b.low && a.high == b.high; }
  friend __host__ __device__ constexpr bool operator!=(wide a, wide b) { return !(a == b); }
};

/// The bit that a predicate asks for.
struct has_bit {
  int bit;
  template <class T>
  __host__ __device__ constexpr bool operator()(T const& x) const {
    return (x >> bit & 1) != 0;
  }
  __host__ __device__ constexpr bool operator()(wide const& x) const { return (x.low >> bit & 1) != 0; }
};

// With scratch.data null these only set scratch.bytes. Numbers of results go to *count, in device memory.

/// Sums; `reversed`: from the last to the first, through reverse iterators.
template <class T>
void scan(cub_peer::scratch& s, T const* in, T* out, std::int64_t n, bool reversed, cudaStream_t stream);
template <class Key, class T>
void scan_by_key(cub_peer::scratch& s, Key const* keys, T const* in, T* out, std::int64_t n, bool reversed, cudaStream_t stream);

template <class T>
void select_if(cub_peer::scratch& s, T const* in, T* out, std::int64_t* count, std::int64_t n, cudaStream_t stream);
template <class T>
void select_in_place(cub_peer::scratch& s, T* data, std::int64_t* count, std::int64_t n, cudaStream_t stream);
template <class T>
void select_flagged(cub_peer::scratch& s, T const* in, std::uint8_t const* flags, T* out, std::int64_t* count, std::int64_t n,
                    cudaStream_t stream);
/// To one output, rejects in reverse.
template <class T>
void partition_if(cub_peer::scratch& s, T const* in, T* out, std::int64_t* count, std::int64_t n, cudaStream_t stream);
template <class T>
void partition_three(cub_peer::scratch& s, T const* in, T* first, T* second, T* rest, std::int64_t* counts, std::int64_t n,
                     cudaStream_t stream);
template <class T>
void unique(cub_peer::scratch& s, T const* in, T* out, std::int64_t* count, std::int64_t n, cudaStream_t stream);
template <class T>
void unique_by_key(cub_peer::scratch& s, std::uint32_t const* keys, T const* values, std::uint32_t* keys_out, T* values_out,
                   std::int64_t* count, std::int64_t n, cudaStream_t stream);

template <class T>
void run_length_encode(cub_peer::scratch& s, T const* in, T* values, std::int32_t* lengths, std::int64_t* count, std::int64_t n,
                       cudaStream_t stream);
template <class T>
void non_trivial_runs(cub_peer::scratch& s, T const* in, std::int32_t* offsets, std::int32_t* lengths, std::int64_t* count,
                      std::int64_t n, cudaStream_t stream);
template <class T>
void reduce_by_key(cub_peer::scratch& s, std::uint32_t const* keys, T const* values, std::uint32_t* keys_out, T* sums,
                   std::int64_t* count, std::int64_t n, cudaStream_t stream);
template <class T>
void segmented_sum(cub_peer::scratch& s, T const* values, std::int32_t const* offsets, T* sums, std::int64_t segments,
                   cudaStream_t stream);

}  // namespace bench::sheet
