// Compactions as textbooks have them: items are marked, marks scanned, and results scattered, each by a kernel that leaves its
// results in memory for the next (Sengupta, Harris, Zhang & Owens 2007; Horn 2005). The scans are CUB's of today, in one pass: with
// scans of that time they would take longer.
#pragma once
#include "../predicates.hpp"
#include "scan.hpp"

namespace bench::three_kernels {

using cub_peer::scratch;

/// 1 <= n < 2^31 items. With scratch.data null these only set scratch.bytes. The number of results goes to *count, in device
/// memory.
void select_if(scratch& s, std::uint32_t const* in, std::uint32_t* out, std::int64_t* count, std::int64_t n,
               below<std::uint32_t> keep, cudaStream_t stream);
void run_length_encode(scratch& s, std::uint32_t const* in, std::uint32_t* values, std::int32_t* lengths, std::int64_t* count,
                       std::int64_t n, cudaStream_t stream);
void reduce_by_key(scratch& s, std::uint32_t const* keys, float const* values, std::uint32_t* keys_out, float* sums,
                   std::int64_t* count, std::int64_t n, cudaStream_t stream);

}  // namespace bench::three_kernels
