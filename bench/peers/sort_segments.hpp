// CUB's sorts of segments, as plain functions: segment s is items [offsets[s], offsets[s + 1]).
#pragma once
#include "scan.hpp"

namespace bench::cub_peer {

/// With scratch.data null these only set scratch.bytes.
void sort_segments(scratch& s, std::uint32_t const* in, std::uint32_t* out, std::size_t n, std::int32_t const* offsets,
                   std::size_t segments, cudaStream_t stream);
void radix_sort_segments(scratch& s, std::uint32_t const* in, std::uint32_t* out, std::size_t n, std::int32_t const* offsets,
                         std::size_t segments, cudaStream_t stream);

}  // namespace bench::cub_peer
