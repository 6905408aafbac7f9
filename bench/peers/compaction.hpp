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
void non_trivial_runs(scratch& s, std::uint32_t const* in, std::int32_t* offsets, std::int32_t* lengths, std::int64_t* count,
                      std::int64_t n, cudaStream_t stream);
void reduce_by_key(scratch& s, std::uint32_t const* keys, float const* values, std::uint32_t* keys_out, float* sums,
                   std::int64_t* count, std::int64_t n, cudaStream_t stream);

/// CUB writes runs out within a block only. What its algorithms for whole devices make of it, n items:
///   by_scan    where runs begin, by a sum; their numbers at these places of an array; the largest number up to each item
///   by_copies  where runs begin, by a sum; each is copied from an iterator that says the same again and again
void run_length_decode_by_scan(scratch& s, std::uint32_t const* values, std::int32_t const* lengths, std::int64_t runs,
                               std::uint32_t* out, std::int64_t n, cudaStream_t stream);
void run_length_decode_by_copies(scratch& s, std::uint32_t const* values, std::int32_t const* lengths, std::int64_t runs,
                                 std::uint32_t* out, cudaStream_t stream);

}  // namespace bench::cub_peer
