#include <thrust/execution_policy.h>
#include <thrust/iterator/constant_iterator.h>
#include <thrust/iterator/discard_iterator.h>
#include <thrust/iterator/zip_iterator.h>
#include <thrust/scatter.h>
#include <thrust/transform.h>
#include <thrust/tuple.h>

#include <algorithm>
#include <cub/device/device_for.cuh>
#include <cub/device/device_scan.cuh>
#include <limits>

#include "must.hpp"
#include "three_kernels.hpp"

namespace bench::three_kernels {

namespace {

using cub_peer::must;
using number = std::int32_t;

number checked(std::int64_t n) {
  if (n < 1 || n > std::numeric_limits<number>::max()) throw std::invalid_argument("three kernels: 1 <= n < 2^31");
  return static_cast<number>(n);
}

/// Arrays of n + 1 elements of 4 bytes behind CUB's scratch. Without memory it only sets s.bytes.
class scratch_arrays {
 public:
  scratch_arrays(scratch& s, std::size_t cub_bytes, std::int64_t n, int arrays)
      : cub_bytes_{rounded(cub_bytes)}, each_{rounded((static_cast<std::size_t>(n) + 1) * 4)}, data_{static_cast<char*>(s.data)} {
    if (!s.data) s.bytes = cub_bytes_ + each_ * static_cast<std::size_t>(arrays);
  }
  template <class T>
  T* array(int k) const {
    static_assert(sizeof(T) == 4);
    return reinterpret_cast<T*>(data_ + cub_bytes_ + each_ * static_cast<std::size_t>(k));
  }
  std::size_t cub_bytes() const { return cub_bytes_; }

 private:
  static std::size_t rounded(std::size_t bytes) { return (bytes + 255) / 256 * 256; }
  std::size_t cub_bytes_, each_;
  char* data_;
};

struct mark_kept {
  below<std::uint32_t> keep;
  __host__ __device__ number operator()(std::uint32_t x) const { return keep(x); }
};
struct mark_different {
  __host__ __device__ number operator()(std::uint32_t a, std::uint32_t b) const { return a != b; }
};
/// A run begins with item 0 and ends with item n - 1.
struct mark_ends {
  number* marks;
  number n;
  __device__ void operator()(int) const { marks[0] = marks[n] = 1; }
};
struct store_count {
  number const *places, *marks;
  number n;
  std::int64_t* count;
  __device__ void operator()(int) const { *count = std::int64_t{places[n - 1]} + marks[n - 1]; }
};
/// The operator of a segmented sum on pairs of a value and whether a segment begins there.
template <class T>
struct lifted_sum {
  using pair = thrust::tuple<T, number>;
  __host__ __device__ pair operator()(pair const& a, pair const& b) const {
    T const value = thrust::get<1>(b) != 0 ? thrust::get<0>(b) : thrust::get<0>(a) + thrust::get<0>(b);
    return pair(value, thrust::get<1>(a) | thrust::get<1>(b));
  }
};

/// marks[i] says whether a run begins at item i, and marks[i + 1] whether one ends there.
template <class Values, class T>
void sum_runs(scratch& s, std::uint32_t const* keys, Values values, std::uint32_t* keys_out, T* sums, std::int64_t* count,
              std::int64_t items, cudaStream_t stream) {
  number const n = checked(items);
  auto const scan_pairs = [&](void* data, std::size_t& bytes, number const* begins, T* scanned) {
    must(cub::DeviceScan::InclusiveScan(data, bytes, thrust::make_zip_iterator(values, begins),
                                        thrust::make_zip_iterator(scanned, thrust::make_discard_iterator()), lifted_sum<T>{}, n,
                                        stream));
  };
  number* const none = nullptr;
  std::size_t for_pairs = 0, for_places = 0;
  scan_pairs(nullptr, for_pairs, none, static_cast<T*>(nullptr));
  must(cub::DeviceScan::ExclusiveSum(nullptr, for_places, none, none, n, stream));
  scratch_arrays const arrays(s, std::max(for_pairs, for_places), n, 3);
  if (!s.data) return;
  auto *const marks = arrays.array<number>(0), *const places = arrays.array<number>(1);
  auto* const scanned = arrays.array<T>(2);
  auto* const ends = marks + 1;
  auto const on = thrust::cuda::par_nosync.on(stream);
  thrust::transform(on, keys, keys + n - 1, keys + 1, marks + 1, mark_different{});
  must(cub::DeviceFor::Bulk(1, mark_ends{marks, n}, stream));
  auto bytes = arrays.cub_bytes();
  scan_pairs(s.data, bytes, marks, scanned);
  must(cub::DeviceScan::ExclusiveSum(s.data, bytes, ends, places, n, stream));
  thrust::scatter_if(on, keys, keys + n, places, ends, keys_out);
  thrust::scatter_if(on, scanned, scanned + n, places, ends, sums);
  must(cub::DeviceFor::Bulk(1, store_count{places, ends, n, count}, stream));
}

}  // namespace

void select_if(scratch& s, std::uint32_t const* in, std::uint32_t* out, std::int64_t* count, std::int64_t items,
               below<std::uint32_t> keep, cudaStream_t stream) {
  number const n = checked(items);
  number* const none = nullptr;
  std::size_t bytes = 0;
  must(cub::DeviceScan::ExclusiveSum(nullptr, bytes, none, none, n, stream));
  scratch_arrays const arrays(s, bytes, n, 2);
  if (!s.data) return;
  auto *const marks = arrays.array<number>(0), *const places = arrays.array<number>(1);
  auto const on = thrust::cuda::par_nosync.on(stream);
  thrust::transform(on, in, in + n, marks, mark_kept{keep});
  bytes = arrays.cub_bytes();
  must(cub::DeviceScan::ExclusiveSum(s.data, bytes, marks, places, n, stream));
  thrust::scatter_if(on, in, in + n, places, marks, out);
  must(cub::DeviceFor::Bulk(1, store_count{places, marks, n, count}, stream));
}

void run_length_encode(scratch& s, std::uint32_t const* in, std::uint32_t* values, std::int32_t* lengths, std::int64_t* count,
                       std::int64_t n, cudaStream_t stream) {
  sum_runs(s, in, thrust::make_constant_iterator(std::int32_t{1}), values, lengths, count, n, stream);
}

void reduce_by_key(scratch& s, std::uint32_t const* keys, float const* values, std::uint32_t* keys_out, float* sums,
                   std::int64_t* count, std::int64_t n, cudaStream_t stream) {
  sum_runs(s, keys, values, keys_out, sums, count, n, stream);
}

}  // namespace bench::three_kernels
