#include <cub/device/device_partition.cuh>
#include <cub/device/device_reduce.cuh>
#include <cub/device/device_run_length_encode.cuh>
#include <cub/device/device_select.cuh>
#include <cuda/std/functional>

#include "compaction.hpp"
#include "must.hpp"

namespace bench::cub_peer {

template <class T>
void select_if(scratch& s, T const* in, T* out, std::int64_t* count, std::int64_t n, below<T> keep, cudaStream_t stream) {
  must(cub::DeviceSelect::If(s.data, s.bytes, in, out, count, n, keep, stream));
}
template <class T>
void select_in_place(scratch& s, T* data, std::int64_t* count, std::int64_t n, below<T> keep, cudaStream_t stream) {
  must(cub::DeviceSelect::If(s.data, s.bytes, data, count, n, keep, stream));
}
template <class T>
void select_flagged(scratch& s, T const* in, std::uint8_t const* flags, T* out, std::int64_t* count, std::int64_t n,
                    cudaStream_t stream) {
  must(cub::DeviceSelect::Flagged(s.data, s.bytes, in, flags, out, count, n, stream));
}
template <class T>
void partition_if(scratch& s, T const* in, T* out, std::int64_t* count, std::int64_t n, below<T> keep, cudaStream_t stream) {
  must(cub::DevicePartition::If(s.data, s.bytes, in, out, count, n, keep, stream));
}
template <class T>
void unique(scratch& s, T const* in, T* out, std::int64_t* count, std::int64_t n, cudaStream_t stream) {
  must(cub::DeviceSelect::Unique(s.data, s.bytes, in, out, count, n, stream));
}

#define BENCH_SELECT_OF(T)                                                                              \
  template void select_if(scratch&, T const*, T*, std::int64_t*, std::int64_t, below<T>, cudaStream_t); \
  template void select_in_place(scratch&, T*, std::int64_t*, std::int64_t, below<T>, cudaStream_t);     \
  template void select_flagged(scratch&, T const*, std::uint8_t const*, T*, std::int64_t*, std::int64_t, cudaStream_t);
BENCH_SELECT_OF(std::uint8_t)
BENCH_SELECT_OF(std::uint32_t)
BENCH_SELECT_OF(double)
template void partition_if(scratch&, std::uint32_t const*, std::uint32_t*, std::int64_t*, std::int64_t, below<std::uint32_t>,
                           cudaStream_t);
template void unique(scratch&, std::uint32_t const*, std::uint32_t*, std::int64_t*, std::int64_t, cudaStream_t);

// 32-bit counts: CUB's fastest form, and enough for every case here.
void run_length_encode(scratch& s, std::uint32_t const* in, std::uint32_t* values, std::int32_t* lengths, std::int64_t* count,
                       std::int64_t n, cudaStream_t stream) {
  must(cub::DeviceRunLengthEncode::Encode(s.data, s.bytes, in, values, lengths, count, static_cast<std::int32_t>(n), stream));
}
void reduce_by_key(scratch& s, std::uint32_t const* keys, float const* values, std::uint32_t* keys_out, float* sums,
                   std::int64_t* count, std::int64_t n, cudaStream_t stream) {
  must(cub::DeviceReduce::ReduceByKey(s.data, s.bytes, keys, keys_out, values, sums, count, ::cuda::std::plus<>{},
                                      static_cast<std::int32_t>(n), stream));
}

}  // namespace bench::cub_peer
