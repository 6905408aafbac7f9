// The GPU peers, as plain functions: CUB is compiled apart from lookback, each with its own best flags.
#pragma once
#include <cuda_runtime_api.h>

#include <cstddef>
#include <cstdint>

namespace bench::cub_peer {

/// Scratch of one call, to be had beforehand: both sides are timed with scratch in hand.
struct scratch {
  void* data = nullptr;
  std::size_t bytes = 0;
};

/// With scratch.data null these only set scratch.bytes.
template <class T>
void scan(scratch& s, T const* in, T* out, std::int64_t n, bool exclusive, cudaStream_t stream);
/// Thrust's form, with storage kept between calls and no wait at their end.
template <class T>
void thrust_scan(T const* in, T* out, std::int64_t n, bool exclusive, cudaStream_t stream);
void scan_matrices(scratch& s, void const* in, void* out, std::int64_t n, cudaStream_t stream);

/// By 4-byte keys, equal within a segment.
void segmented_by_keys(scratch& s, std::int32_t const* keys, std::int32_t const* in, std::int32_t* out, std::int64_t n,
                       cudaStream_t stream);

/// By one-byte flags and the lifted operator on {value, flag}, fused into one pass.
void segmented_lifted(scratch& s, std::uint8_t const* flags, std::int32_t const* in, std::int32_t* out, std::int64_t n,
                      cudaStream_t stream);

}  // namespace bench::cub_peer
