#define THRUST_FORCE_32_BIT_OFFSET_TYPE  // Thrust's kernels are then CUB's, compiled once
#include <thrust/execution_policy.h>
#include <thrust/iterator/counting_iterator.h>
#include <thrust/iterator/transform_iterator.h>
#include <thrust/iterator/transform_output_iterator.h>
#include <thrust/scan.h>

#include <cub/device/device_scan.cuh>

#include "../matrices.hpp"
#include "must.hpp"
#include "scan.hpp"

namespace bench::cub_peer {

namespace {

struct lifted {
  std::int32_t value, starts;
};
struct lifted_plus {
  __host__ __device__ lifted operator()(lifted a, lifted b) const {
    return {b.starts ? b.value : a.value + b.value, a.starts | b.starts};
  }
};
struct lift {
  std::uint8_t const* flags;
  std::int32_t const* in;
  __host__ __device__ lifted operator()(std::int32_t i) const { return {in[i], flags[i]}; }
};
struct drop {
  __host__ __device__ std::int32_t operator()(lifted x) const { return x.value; }
};

// Kept between calls: the warm-up calls have allocated it.
struct kept_allocator {
  using value_type = char;
  char* allocate(std::ptrdiff_t wanted) {
    static char* storage = nullptr;
    static std::ptrdiff_t held = 0;
    if (wanted > held) {
      cudaFree(storage);
      storage = nullptr, held = 0;
      must(cudaMalloc(&storage, static_cast<std::size_t>(wanted)));
      held = wanted;
    }
    return storage;
  }
  void deallocate(char*, std::size_t) {}
};

}  // namespace

// 32-bit counts: CUB's fastest form, and enough for every case here.
template <class T>
void scan(scratch& s, T const* in, T* out, std::int64_t n, bool exclusive, cudaStream_t stream) {
  auto const items = static_cast<std::int32_t>(n);
  must(exclusive ? cub::DeviceScan::ExclusiveSum(s.data, s.bytes, in, out, items, stream)
                 : cub::DeviceScan::InclusiveSum(s.data, s.bytes, in, out, items, stream));
}

template <class T>
void thrust_scan(T const* in, T* out, std::int64_t n, bool exclusive, cudaStream_t stream) {
  kept_allocator storage;
  auto const policy = thrust::cuda::par_nosync(storage).on(stream);
  if (exclusive) thrust::exclusive_scan(policy, in, in + n, out, T{});
  else thrust::inclusive_scan(policy, in, in + n, out);
}

#define BENCH_SCAN_OF(T)                                                        \
  template void scan(scratch&, T const*, T*, std::int64_t, bool, cudaStream_t); \
  template void thrust_scan(T const*, T*, std::int64_t, bool, cudaStream_t);
BENCH_SCAN_OF(std::int8_t)
BENCH_SCAN_OF(std::int32_t)
BENCH_SCAN_OF(std::int64_t)
BENCH_SCAN_OF(float)
BENCH_SCAN_OF(double)

void scan_matrices(scratch& s, void const* in, void* out, std::int64_t n, cudaStream_t stream) {
  must(cub::DeviceScan::InclusiveScan(s.data, s.bytes, static_cast<matrices const*>(in), static_cast<matrices*>(out),
                                      times_matrices{}, static_cast<std::int32_t>(n), stream));
}

void segmented_by_keys(scratch& s, std::int32_t const* keys, std::int32_t const* in, std::int32_t* out, std::int64_t n,
                       cudaStream_t stream) {
  must(cub::DeviceScan::InclusiveSumByKey(s.data, s.bytes, keys, in, out, static_cast<std::int32_t>(n), ::cuda::std::equal_to<>{},
                                          stream));
}

void segmented_lifted(scratch& s, std::uint8_t const* flags, std::int32_t const* in, std::int32_t* out, std::int64_t n,
                      cudaStream_t stream) {
  auto const from = thrust::make_transform_iterator(thrust::counting_iterator<std::int32_t>(0), lift{flags, in});
  auto const to = thrust::make_transform_output_iterator(out, drop{});
  must(cub::DeviceScan::InclusiveScan(s.data, s.bytes, from, to, lifted_plus{}, static_cast<std::int32_t>(n), stream));
}

}  // namespace bench::cub_peer
