// CUB's algorithms of runs, at every width.
#include <cub/device/device_reduce.cuh>
#include <cub/device/device_run_length_encode.cuh>
#include <cuda/std/functional>

#include "must.hpp"
#include "sheet.hpp"

namespace bench::sheet {

using cub_peer::must;

// 32-bit counts: CUB's fastest form, and enough for every case here.
template <class T>
void run_length_encode(cub_peer::scratch& s, T const* in, T* values, std::int32_t* lengths, std::int64_t* count, std::int64_t n,
                       cudaStream_t stream) {
  must(cub::DeviceRunLengthEncode::Encode(s.data, s.bytes, in, values, lengths, count, static_cast<std::int32_t>(n), stream));
}
template <class T>
void non_trivial_runs(cub_peer::scratch& s, T const* in, std::int32_t* offsets, std::int32_t* lengths, std::int64_t* count,
                      std::int64_t n, cudaStream_t stream) {
  must(cub::DeviceRunLengthEncode::NonTrivialRuns(s.data, s.bytes, in, offsets, lengths, count, static_cast<std::int32_t>(n),
                                                  stream));
}
template <class T>
void reduce_by_key(cub_peer::scratch& s, std::uint32_t const* keys, T const* values, std::uint32_t* keys_out, T* sums,
                   std::int64_t* count, std::int64_t n, cudaStream_t stream) {
  must(cub::DeviceReduce::ReduceByKey(s.data, s.bytes, keys, keys_out, values, sums, count, ::cuda::std::plus<T>{},
                                      static_cast<std::int32_t>(n), stream));
}

#define BENCH_SHEET_OF(T)                                                                                                          \
  template void run_length_encode(cub_peer::scratch&, T const*, T*, std::int32_t*, std::int64_t*, std::int64_t, cudaStream_t);     \
  template void non_trivial_runs(cub_peer::scratch&, T const*, std::int32_t*, std::int32_t*, std::int64_t*, std::int64_t,          \
                                 cudaStream_t);                                                                                    \
  template void reduce_by_key(cub_peer::scratch&, std::uint32_t const*, T const*, std::uint32_t*, T*, std::int64_t*, std::int64_t, \
                              cudaStream_t);
BENCH_SHEET_OF(std::uint8_t)
BENCH_SHEET_OF(std::uint32_t)
BENCH_SHEET_OF(std::uint64_t)
BENCH_SHEET_OF(wide)

}  // namespace bench::sheet
