#include <thrust/iterator/constant_iterator.h>
#include <thrust/iterator/counting_iterator.h>
#include <thrust/iterator/transform_iterator.h>
#include <thrust/iterator/transform_output_iterator.h>

#include <algorithm>
#include <cub/device/device_copy.cuh>
#include <cub/device/device_for.cuh>
#include <cub/device/device_partition.cuh>
#include <cub/device/device_reduce.cuh>
#include <cub/device/device_run_length_encode.cuh>
#include <cub/device/device_scan.cuh>
#include <cub/device/device_select.cuh>
#include <cuda/functional>
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
void non_trivial_runs(scratch& s, std::uint32_t const* in, std::int32_t* offsets, std::int32_t* lengths, std::int64_t* count,
                      std::int64_t n, cudaStream_t stream) {
  must(cub::DeviceRunLengthEncode::NonTrivialRuns(s.data, s.bytes, in, offsets, lengths, count, static_cast<std::int32_t>(n),
                                                  stream));
}
void reduce_by_key(scratch& s, std::uint32_t const* keys, float const* values, std::uint32_t* keys_out, float* sums,
                   std::int64_t* count, std::int64_t n, cudaStream_t stream) {
  must(cub::DeviceReduce::ReduceByKey(s.data, s.bytes, keys, keys_out, values, sums, count, ::cuda::std::plus<>{},
                                      static_cast<std::int32_t>(n), stream));
}

namespace {

/// Arrays of 4-byte numbers behind what CUB asks for; one call with no memory to ask says how much all of it is.
struct parts_of_scratch {
  std::size_t cub_bytes;
  std::int32_t *first, *second;
  parts_of_scratch(scratch& s, std::size_t bytes, std::int64_t first_count, std::int64_t second_count)
      : cub_bytes((bytes + 255) / 256 * 256) {
    auto* const behind = static_cast<char*>(s.data) + cub_bytes;
    first = reinterpret_cast<std::int32_t*>(behind), second = first + first_count;
    if (!s.data) s.bytes = cub_bytes + static_cast<std::size_t>(first_count + second_count) * sizeof(std::int32_t);
  }
};

struct mark_begin {
  std::int32_t const *begins, *lengths;
  std::int32_t* marks;
  __device__ void operator()(std::int32_t r) const {
    if (lengths[r] > 0) marks[begins[r]] = r;
  }
};
struct value_of_run {
  std::uint32_t const* values;
  __device__ std::uint32_t operator()(std::int32_t r) const { return values[r]; }
};
struct same_again {
  std::uint32_t const* values;
  __host__ __device__ auto operator()(std::int32_t r) const { return thrust::make_constant_iterator(values[r]); }
};
struct place_of_run {
  std::int32_t const* begins;
  std::uint32_t* out;
  __host__ __device__ std::uint32_t* operator()(std::int32_t r) const { return out + begins[r]; }
};

}  // namespace

void run_length_decode_by_scan(scratch& s, std::uint32_t const* values, std::int32_t const* lengths, std::int64_t runs,
                               std::uint32_t* out, std::int64_t n, cudaStream_t stream) {
  auto const number = static_cast<std::int32_t>(runs), items = static_cast<std::int32_t>(n);
  auto const largest = ::cuda::maximum<>{};
  auto const into = thrust::make_transform_output_iterator(out, value_of_run{values});
  std::int32_t* const none = nullptr;
  std::size_t sum_bytes = 0, largest_bytes = 0;
  must(cub::DeviceScan::ExclusiveSum(nullptr, sum_bytes, lengths, none, number, stream));
  must(cub::DeviceScan::InclusiveScan(nullptr, largest_bytes, none, into, largest, items, stream));
  parts_of_scratch parts(s, std::max(sum_bytes, largest_bytes), runs, n);
  if (!s.data) return;
  auto* const begins = parts.first;
  auto* const marks = parts.second;
  must(cub::DeviceScan::ExclusiveSum(s.data, parts.cub_bytes, lengths, begins, number, stream));
  must(cudaMemsetAsync(marks, 0, static_cast<std::size_t>(n) * sizeof(std::int32_t), stream));
  must(cub::DeviceFor::Bulk(number, mark_begin{begins, lengths, marks}, stream));
  must(cub::DeviceScan::InclusiveScan(s.data, parts.cub_bytes, marks, into, largest, items, stream));
}

void run_length_decode_by_copies(scratch& s, std::uint32_t const* values, std::int32_t const* lengths, std::int64_t runs,
                                 std::uint32_t* out, cudaStream_t stream) {
  auto const number = static_cast<std::int32_t>(runs);
  auto const numbers = thrust::make_counting_iterator(std::int32_t{0});
  auto const from = thrust::make_transform_iterator(numbers, same_again{values});
  auto const copy = [&](void* data, std::size_t& bytes, std::int32_t const* begins) {
    must(cub::DeviceCopy::Batched(data, bytes, from, thrust::make_transform_iterator(numbers, place_of_run{begins, out}), lengths,
                                  number, stream));
  };
  std::int32_t* const none = nullptr;
  std::size_t sum_bytes = 0, copy_bytes = 0;
  must(cub::DeviceScan::ExclusiveSum(nullptr, sum_bytes, lengths, none, number, stream));
  copy(nullptr, copy_bytes, none);
  parts_of_scratch parts(s, std::max(sum_bytes, copy_bytes), runs, 0);
  if (!s.data) return;
  must(cub::DeviceScan::ExclusiveSum(s.data, parts.cub_bytes, lengths, parts.first, number, stream));
  copy(s.data, parts.cub_bytes, parts.first);
}

}  // namespace bench::cub_peer
