// CUB's radix sort, as plain functions. The type of n is that of its offsets.
#pragma once
#include "scan.hpp"

namespace bench::cub_peer {

/// With scratch.data null these only set scratch.bytes.
template <class Key, class Number>
void sort_keys(scratch& s, Key const* in, Key* out, Number n, cudaStream_t stream);
template <class Key, class Number>
void sort_pairs(scratch& s, Key const* in, std::uint32_t const* values, Key* out, std::uint32_t* values_out, Number n,
                cudaStream_t stream);

}  // namespace bench::cub_peer
