// CUB's merge sort by a function, as plain functions. Its stable form is the same code.
#pragma once
#include "../compared.hpp"
#include "scan.hpp"

namespace bench::cub_peer {

/// With scratch.data null these only set scratch.bytes.
template <class T>
void merge_sort(scratch& s, T const* in, T* out, std::size_t n, cudaStream_t stream);
template <class T>
void merge_sort_pairs(scratch& s, T const* in, std::uint32_t const* values, T* out, std::uint32_t* values_out, std::size_t n,
                      cudaStream_t stream);

}  // namespace bench::cub_peer
