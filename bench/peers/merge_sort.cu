#include <cub/device/device_merge_sort.cuh>

#include "merge_sort.hpp"
#include "must.hpp"

namespace bench::cub_peer {

template <class T>
void merge_sort(scratch& s, T const* in, T* out, std::size_t n, cudaStream_t stream) {
  must(cub::DeviceMergeSort::SortKeysCopy(s.data, s.bytes, in, out, n, asked_less{}, stream));
}
template <class T>
void merge_sort_pairs(scratch& s, T const* in, std::uint32_t const* values, T* out, std::uint32_t* values_out, std::size_t n,
                      cudaStream_t stream) {
  must(cub::DeviceMergeSort::SortPairsCopy(s.data, s.bytes, in, values, out, values_out, n, asked_less{}, stream));
}

template void merge_sort(scratch&, std::uint32_t const*, std::uint32_t*, std::size_t, cudaStream_t);
template void merge_sort(scratch&, std::uint64_t const*, std::uint64_t*, std::size_t, cudaStream_t);
template void merge_sort(scratch&, record const*, record*, std::size_t, cudaStream_t);
template void merge_sort_pairs(scratch&, std::uint32_t const*, std::uint32_t const*, std::uint32_t*, std::uint32_t*, std::size_t,
                               cudaStream_t);

}  // namespace bench::cub_peer
