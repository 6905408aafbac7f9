// CUB's scans and sums of segments, at every width.
#include <thrust/iterator/reverse_iterator.h>

#include <cub/device/device_scan.cuh>
#include <cub/device/device_segmented_reduce.cuh>
#include <cuda/std/functional>

#include "must.hpp"
#include "sheet.hpp"

namespace bench::sheet {

using cub_peer::must;

// 32-bit counts: CUB's fastest form, and enough for every case here.
template <class T>
void scan(cub_peer::scratch& s, T const* in, T* out, std::int64_t n, bool reversed, cudaStream_t stream) {
  auto const items = static_cast<std::int32_t>(n);
  ::cuda::std::plus<T> const op;
  must(reversed ? cub::DeviceScan::InclusiveScan(s.data, s.bytes, thrust::make_reverse_iterator(in + n),
                                                 thrust::make_reverse_iterator(out + n), op, items, stream)
                : cub::DeviceScan::InclusiveScan(s.data, s.bytes, in, out, op, items, stream));
}
template <class Key, class T>
void scan_by_key(cub_peer::scratch& s, Key const* keys, T const* in, T* out, std::int64_t n, bool reversed, cudaStream_t stream) {
  auto const items = static_cast<std::int32_t>(n);
  ::cuda::std::plus<T> const op;
  ::cuda::std::equal_to<> const equal;
  must(reversed ? cub::DeviceScan::InclusiveScanByKey(s.data, s.bytes, thrust::make_reverse_iterator(keys + n),
                                                      thrust::make_reverse_iterator(in + n), thrust::make_reverse_iterator(out + n),
                                                      op, items, equal, stream)
                : cub::DeviceScan::InclusiveScanByKey(s.data, s.bytes, keys, in, out, op, items, equal, stream));
}
template <class T>
void segmented_sum(cub_peer::scratch& s, T const* values, std::int32_t const* offsets, T* sums, std::int64_t segments,
                   cudaStream_t stream) {
  must(cub::DeviceSegmentedReduce::Reduce(s.data, s.bytes, values, sums, segments, offsets, offsets + 1, ::cuda::std::plus<T>{},
                                          T{}, stream));
}

#define BENCH_SHEET_BY(Key, T) \
  template void scan_by_key(cub_peer::scratch&, Key const*, T const*, T*, std::int64_t, bool, cudaStream_t);
#define BENCH_SHEET_OF(T)                                                                 \
  template void scan(cub_peer::scratch&, T const*, T*, std::int64_t, bool, cudaStream_t); \
  BENCH_SHEET_BY(std::uint8_t, T)                                                         \
  BENCH_SHEET_BY(std::uint16_t, T)                                                        \
  BENCH_SHEET_BY(std::uint32_t, T)                                                        \
  BENCH_SHEET_BY(std::uint64_t, T)                                                        \
  template void segmented_sum(cub_peer::scratch&, T const*, std::int32_t const*, T*, std::int64_t, cudaStream_t);
BENCH_SHEET_OF(std::uint8_t)
BENCH_SHEET_OF(std::uint32_t)
BENCH_SHEET_OF(std::uint64_t)
BENCH_SHEET_OF(wide)

}  // namespace bench::sheet
