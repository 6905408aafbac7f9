// What CUB's algorithms for whole devices make of runs written out: it has a form for one block only.
#include <thrust/iterator/constant_iterator.h>
#include <thrust/iterator/counting_iterator.h>
#include <thrust/iterator/transform_iterator.h>
#include <thrust/iterator/transform_output_iterator.h>

#include <algorithm>
#include <cub/device/device_copy.cuh>
#include <cub/device/device_for.cuh>
#include <cub/device/device_scan.cuh>
#include <cuda/functional>
#include <utility>

#include "compaction_tables.hpp"
#include "peer_tables.hpp"
#include "peers_storage.cuh"

namespace lookback::dispatch {

namespace {

// 32-bit places of items and runs, its fastest form.
bool takes_decode(decode_request const& r) {
  return (size_of(r.type) == 1 || size_of(r.type) == 4) && std::max(r.n, r.runs) < (index_t{1} << 31) && r.n > 0;
}

struct mark_begin {
  std::int32_t const* begins;
  index_t const* lengths;
  std::int32_t* marks;
  __device__ void operator()(std::int32_t r) const {
    if (lengths[r] > 0) marks[begins[r]] = r;
  }
};
template <class T>
struct value_of_run {
  T const* values;
  __host__ __device__ T operator()(std::int32_t r) const { return values[r]; }
};
template <class T>
struct repeated_value {
  T const* values;
  __host__ __device__ auto operator()(std::int32_t r) const { return thrust::make_constant_iterator(values[r]); }
};
template <class T>
struct place_of_run {
  std::int32_t const* begins;
  T* out;
  __host__ __device__ T* operator()(std::int32_t r) const { return out + begins[r]; }
};

// Storage that is kept between calls: CUB's for two of its calls, one after the other, then where runs begin, then `marks` numbers.
struct decode_storage {
  template <class First, class Second>
  decode_storage(decode_request const& r, index_t marks_count, First&& first, Second&& second) {
    std::size_t one = 0, other = 0;
    gpu::check(first(nullptr, one, nullptr));
    gpu::check(second(nullptr, other, nullptr));
    bytes = (std::max(one, other) + 255) / 256 * 256;
    cub = kept_storage(bytes + static_cast<std::size_t>(r.runs + marks_count) * sizeof(std::int32_t));
    begins = reinterpret_cast<std::int32_t*>(static_cast<char*>(cub) + bytes);
    marks = begins + r.runs;
  }
  void* cub;
  std::size_t bytes;
  std::int32_t *begins, *marks;
};

auto sum_of_lengths(place const& on, decode_request const& r) {
  return [&on, &r](void* storage, std::size_t& bytes, std::int32_t* begins) {
    return cub::DeviceScan::ExclusiveSum(storage, bytes, r.lengths, begins, static_cast<std::int32_t>(r.runs), stream_of(on));
  };
}

// Whoever has made room for n items knows the number.
void say_count(place const& on, decode_request const& r) {
  gpu::check(cudaMemcpyAsync(r.count, &r.n, sizeof r.n, cudaMemcpyHostToDevice, stream_of(on)));
}

/// Where runs begin, by a sum; their numbers at these places of an array; the largest number up to each item.
template <class T>
void by_scan(place const& on, decode_request const& r) {
  auto const stream = stream_of(on);
  auto const into =
      thrust::make_transform_output_iterator(static_cast<T*>(r.out), value_of_run<T>{static_cast<T const*>(r.values)});
  auto const sum = sum_of_lengths(on, r);
  auto const spread = [&](void* storage, std::size_t& bytes, std::int32_t const* marks) {
    return cub::DeviceScan::InclusiveScan(storage, bytes, marks, into, ::cuda::maximum<>{}, static_cast<std::int32_t>(r.n), stream);
  };
  decode_storage m(r, r.n, sum, spread);
  gpu::check(sum(m.cub, m.bytes, m.begins));
  gpu::check(cudaMemsetAsync(m.marks, 0, static_cast<std::size_t>(r.n) * sizeof(std::int32_t), stream));
  gpu::check(cub::DeviceFor::Bulk(static_cast<std::int32_t>(r.runs), mark_begin{m.begins, r.lengths, m.marks}, stream));
  gpu::check(spread(m.cub, m.bytes, m.marks));
  say_count(on, r);
}

/// Where runs begin, by a sum; each is copied from an iterator that says the same again and again.
template <class T>
void by_copies(place const& on, decode_request const& r) {
  auto const numbers = thrust::make_counting_iterator(std::int32_t{0});
  auto const from = thrust::make_transform_iterator(numbers, repeated_value<T>{static_cast<T const*>(r.values)});
  auto const sum = sum_of_lengths(on, r);
  auto const copy = [&](void* storage, std::size_t& bytes, std::int32_t const* begins) {
    auto const to = thrust::make_transform_iterator(numbers, place_of_run<T>{begins, static_cast<T*>(r.out)});
    return cub::DeviceCopy::Batched(storage, bytes, from, to, r.lengths, r.runs, stream_of(on));
  };
  decode_storage m(r, 0, sum, copy);
  gpu::check(sum(m.cub, m.bytes, m.begins));
  gpu::check(copy(m.cub, m.bytes, m.begins));
  say_count(on, r);
}

void run_by_scan(place const& on, decode_request const& r) {
  if (size_of(r.type) == 1) by_scan<std::uint8_t>(on, r);
  else by_scan<std::uint32_t>(on, r);
}
void run_by_copies(place const& on, decode_request const& r) {
  if (size_of(r.type) == 1) by_copies<std::uint8_t>(on, r);
  else by_copies<std::uint32_t>(on, r);
}

}  // namespace

std::vector<peer_of<decode_request>> decode_peers_on_gpu() {
  return {{"CUB by scan", back_end::gpu, false, takes_decode, run_by_scan},
          {"CUB by copies", back_end::gpu, false, takes_decode, run_by_copies}};
}

}  // namespace lookback::dispatch
