// CUB's compacting algorithms, as plain functions.
#pragma once
#include "../predicates.hpp"
#include "scan.hpp"

namespace bench::cub_peer {

/// With scratch.data null these only set scratch.bytes. The number kept goes to *count, in device memory.
template <class T>
void select_if(scratch& s, T const* in, T* out, std::int64_t* count, std::int64_t n, below<T> keep, cudaStream_t stream);
template <class T>
void select_in_place(scratch& s, T* data, std::int64_t* count, std::int64_t n, below<T> keep, cudaStream_t stream);
template <class T>
void select_flagged(scratch& s, T const* in, std::uint8_t const* flags, T* out, std::int64_t* count, std::int64_t n,
                    cudaStream_t stream);
/// Rejects in reverse.
template <class T>
void partition_if(scratch& s, T const* in, T* out, std::int64_t* count, std::int64_t n, below<T> keep, cudaStream_t stream);
template <class T>
void unique(scratch& s, T const* in, T* out, std::int64_t* count, std::int64_t n, cudaStream_t stream);

void run_length_encode(scratch& s, std::uint32_t const* in, std::uint32_t* values, std::int32_t* lengths, std::int64_t* count,
                       std::int64_t n, cudaStream_t stream);
void reduce_by_key(scratch& s, std::uint32_t const* keys, float const* values, std::uint32_t* keys_out, float* sums,
                   std::int64_t* count, std::int64_t n, cudaStream_t stream);

}  // namespace bench::cub_peer
