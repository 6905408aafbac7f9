// CUB's compacting algorithms, at every width.
#include <cub/device/device_partition.cuh>
#include <cub/device/device_select.cuh>

#include "must.hpp"
#include "sheet.hpp"

namespace bench::sheet {

using cub_peer::must;

template <class T>
void select_if(cub_peer::scratch& s, T const* in, T* out, std::int64_t* count, std::int64_t n, cudaStream_t stream) {
  must(cub::DeviceSelect::If(s.data, s.bytes, in, out, count, n, has_bit{0}, stream));
}
template <class T>
void select_in_place(cub_peer::scratch& s, T* data, std::int64_t* count, std::int64_t n, cudaStream_t stream) {
  must(cub::DeviceSelect::If(s.data, s.bytes, data, count, n, has_bit{0}, stream));
}
template <class T>
void select_flagged(cub_peer::scratch& s, T const* in, std::uint8_t const* flags, T* out, std::int64_t* count, std::int64_t n,
                    cudaStream_t stream) {
  must(cub::DeviceSelect::Flagged(s.data, s.bytes, in, flags, out, count, n, stream));
}
template <class T>
void partition_if(cub_peer::scratch& s, T const* in, T* out, std::int64_t* count, std::int64_t n, cudaStream_t stream) {
  must(cub::DevicePartition::If(s.data, s.bytes, in, out, count, n, has_bit{0}, stream));
}
template <class T>
void partition_three(cub_peer::scratch& s, T const* in, T* first, T* second, T* rest, std::int64_t* counts, std::int64_t n,
                     cudaStream_t stream) {
  must(cub::DevicePartition::If(s.data, s.bytes, in, first, second, rest, counts, n, has_bit{0}, has_bit{1}, stream));
}
template <class T>
void unique(cub_peer::scratch& s, T const* in, T* out, std::int64_t* count, std::int64_t n, cudaStream_t stream) {
  must(cub::DeviceSelect::Unique(s.data, s.bytes, in, out, count, n, stream));
}
template <class T>
void unique_by_key(cub_peer::scratch& s, std::uint32_t const* keys, T const* values, std::uint32_t* keys_out, T* values_out,
                   std::int64_t* count, std::int64_t n, cudaStream_t stream) {
  must(cub::DeviceSelect::UniqueByKey(s.data, s.bytes, keys, values, keys_out, values_out, count, static_cast<std::int32_t>(n),
                                      stream));
}

#define BENCH_SHEET_OF(T)                                                                                                          \
  template void select_if(cub_peer::scratch&, T const*, T*, std::int64_t*, std::int64_t, cudaStream_t);                            \
  template void select_in_place(cub_peer::scratch&, T*, std::int64_t*, std::int64_t, cudaStream_t);                                \
  template void select_flagged(cub_peer::scratch&, T const*, std::uint8_t const*, T*, std::int64_t*, std::int64_t, cudaStream_t);  \
  template void partition_if(cub_peer::scratch&, T const*, T*, std::int64_t*, std::int64_t, cudaStream_t);                         \
  template void partition_three(cub_peer::scratch&, T const*, T*, T*, T*, std::int64_t*, std::int64_t, cudaStream_t);              \
  template void unique(cub_peer::scratch&, T const*, T*, std::int64_t*, std::int64_t, cudaStream_t);                               \
  template void unique_by_key(cub_peer::scratch&, std::uint32_t const*, T const*, std::uint32_t*, T*, std::int64_t*, std::int64_t, \
                              cudaStream_t);
BENCH_SHEET_OF(std::uint8_t)
BENCH_SHEET_OF(std::uint32_t)
BENCH_SHEET_OF(std::uint64_t)
BENCH_SHEET_OF(wide)

}  // namespace bench::sheet
