#include <cub/device/device_segmented_radix_sort.cuh>
#include <cub/device/device_segmented_sort.cuh>

#include "must.hpp"
#include "sort_segments.hpp"

namespace bench::cub_peer {

void sort_segments(scratch& s, std::uint32_t const* in, std::uint32_t* out, std::size_t n, std::int32_t const* offsets,
                   std::size_t segments, cudaStream_t stream) {
  must(cub::DeviceSegmentedSort::SortKeys(s.data, s.bytes, in, out, static_cast<std::int64_t>(n),
                                          static_cast<std::int64_t>(segments), offsets, offsets + 1, stream));
}
void radix_sort_segments(scratch& s, std::uint32_t const* in, std::uint32_t* out, std::size_t n, std::int32_t const* offsets,
                         std::size_t segments, cudaStream_t stream) {
  must(cub::DeviceSegmentedRadixSort::SortKeys(s.data, s.bytes, in, out, static_cast<std::int64_t>(n),
                                               static_cast<std::int64_t>(segments), offsets, offsets + 1, 0, 32, stream));
}

}  // namespace bench::cub_peer
