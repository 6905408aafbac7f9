// The GPU's peers: CUB, plain and with the operator lifted over head flags; Thrust; and the device copy that nobody beats.
// Compiled for i32, f32 and f64 with plus and max (lifted: i32 and f32 sums, inclusive), which is what comparisons are made of.
#define THRUST_FORCE_32_BIT_OFFSET_TYPE  // Thrust's kernels are then CUB's, compiled once
#include <cuda_runtime.h>
#include <thrust/execution_policy.h>
#include <thrust/iterator/counting_iterator.h>
#include <thrust/iterator/transform_iterator.h>
#include <thrust/iterator/transform_output_iterator.h>
#include <thrust/scan.h>

#include <cub/device/device_scan.cuh>
#include <cuda/functional>
#include <limits>

#include "peer_tables.hpp"
#include "peers_storage.cuh"
#include "scan_tables.hpp"

namespace lookback::dispatch {

namespace {

bool short_enough(scan_request const& r) { return r.n < (index_t{1} << 32); }

// By the operators of their own library: CUB has sizes for those that it knows. With another operator that does the same a sum
// takes 1.16 to 1.21 times as long (i32, 2^24 and 2^26, H200).
template <class F>
void with_types(scan_request const& r, F&& f) {
  bool const sum = r.op == operation::plus;
  ::cuda::std::plus<> const plus;
  ::cuda::maximum<> const maximum;
  if (r.type == element::i32) return sum ? f(std::uint32_t{}, plus) : f(std::numeric_limits<std::int32_t>::min(), maximum);
  if (r.type == element::f32) return sum ? f(0.0f, plus) : f(-std::numeric_limits<float>::infinity(), maximum);
  return sum ? f(0.0, plus) : f(-std::numeric_limits<double>::infinity(), maximum);
}
template <class T>
T first_of(scan_request const& r, T const& identity) {
  return r.initial ? *static_cast<T const*>(r.initial) : identity;
}

void run_cub(place const& on, scan_request const& r) {
  auto const stream = static_cast<cudaStream_t>(on.stream);
  auto const n = static_cast<std::uint32_t>(r.n);
  with_types(r, [&]<class T, class Op>(T identity, Op op) {
    auto const* const in = static_cast<T const*>(r.in);
    auto* const out = static_cast<T*>(r.out);
    T const first = first_of(r, identity);
    with_storage([&](void* storage, std::size_t& bytes) {
      if (r.exclusive) return cub::DeviceScan::ExclusiveScan(storage, bytes, in, out, op, first, n, stream);
      if (r.initial) return cub::DeviceScan::InclusiveScanInit(storage, bytes, in, out, op, first, n, stream);
      return cub::DeviceScan::InclusiveScan(storage, bytes, in, out, op, n, stream);
    });
  });
}

// In its best form: it neither allocates nor waits.
void run_thrust(place const& on, scan_request const& r) {
  kept_allocator storage;
  auto const policy = thrust::cuda::par_nosync(storage).on(static_cast<cudaStream_t>(on.stream));
  with_types(r, [&]<class T, class Op>(T identity, Op op) {
    auto const* const in = static_cast<T const*>(r.in);
    auto* const out = static_cast<T*>(r.out);
    T const first = first_of(r, identity);
    if (r.exclusive) thrust::exclusive_scan(policy, in, in + r.n, out, first, op);
    else if (r.initial) thrust::inclusive_scan(policy, in, in + r.n, out, first, op);
    else thrust::inclusive_scan(policy, in, in + r.n, out, op);
  });
}

// What a chunk of a sum goes on from, put into its first item.
template <class T>
struct first_joined {
  T const* in;
  T const* before;
  __device__ T operator()(index_t i) const { return i == 0 ? *before + in[0] : in[i]; }
};

bool takes_chunk(scan_request const& r) {
  return !r.heads && !r.reverse && !r.exclusive && !r.initial && r.op == operation::plus && short_enough(r) &&
         (r.type == element::i32 || is_float(r.type));
}

void run_chunk(place const& on, scan_request const& r) {
  auto const stream = static_cast<cudaStream_t>(on.stream);
  auto const run = [&]<class T>(T) {
    auto* const out = static_cast<T*>(r.out);
    first_joined<T> const items{static_cast<T const*>(r.in), reinterpret_cast<T const*>(r.state)};
    auto const in = thrust::make_transform_iterator(thrust::counting_iterator<index_t>(0), items);
    with_storage([&](void* storage, std::size_t& bytes) {
      return cub::DeviceScan::InclusiveScan(storage, bytes, in, out, ::cuda::std::plus<>{}, static_cast<std::uint32_t>(r.n),
                                            stream);
    });
    gpu::check(cudaMemcpyAsync(r.state_out, out + r.n - 1, sizeof(T), cudaMemcpyDeviceToDevice, stream));
  };
  if (r.type == element::i32) run(std::uint32_t{});
  else if (r.type == element::f32) run(float{});
  else run(double{});
}

// Blelloch's lifted operator: a value and whether a segment began in it.
template <class T>
struct lifted_value {
  T value;
  bool head;
};
template <class T, class Op>
struct lifted {
  __host__ __device__ lifted_value<T> operator()(lifted_value<T> const& a, lifted_value<T> const& b) const {
    return {b.head ? b.value : Op{}(a.value, b.value), a.head || b.head};
  }
};
template <class T>
struct lift {
  T const* in;
  segments heads;
  __host__ __device__ lifted_value<T> operator()(index_t i) const { return {in[i], i == 0 || head_at(heads, i)}; }
};
template <class T>
struct lower {
  __host__ __device__ T operator()(lifted_value<T> const& x) const { return x.value; }
};

bool takes_lifted(scan_request const& r) {
  return r.heads && !is_offsets(*r.heads) && !r.reverse && !r.exclusive && !r.initial && r.op == operation::plus &&
         short_enough(r) && (r.type == element::i32 || r.type == element::f32);
}

template <class T>
void run_lifted(place const& on, scan_request const& r) {
  auto const values =
      thrust::make_transform_iterator(thrust::counting_iterator<index_t>(0), lift<T>{static_cast<T const*>(r.in), *r.heads});
  auto const out = thrust::make_transform_output_iterator(static_cast<T*>(r.out), lower<T>{});
  with_storage([&](void* storage, std::size_t& bytes) {
    return cub::DeviceScan::InclusiveScan(storage, bytes, values, out, lifted<T, plus<T>>{}, static_cast<std::uint32_t>(r.n),
                                          static_cast<cudaStream_t>(on.stream));
  });
}

bool takes_plain(scan_request const& r) { return !r.heads && !r.reverse && has_every_strategy(r.type, r.op) && short_enough(r); }

void run_copy(place const& on, scan_request const& r) {
  gpu::check(cudaMemcpyAsync(r.out, r.in, static_cast<std::size_t>(r.n) * size_of(r.type), cudaMemcpyDeviceToDevice,
                             static_cast<cudaStream_t>(on.stream)));
}

}  // namespace

std::vector<peer> chunk_peers_on_gpu() { return {{"CUB", back_end::gpu, false, takes_chunk, run_chunk}}; }

std::vector<peer> peers_on_gpu() {
  return {{"CUB", back_end::gpu, false, takes_plain, run_cub},
          {"Thrust", back_end::gpu, false, takes_plain, run_thrust},
          {"CUB lifted", back_end::gpu, false, takes_lifted,
           [](place const& on, scan_request const& r) {
             return r.type == element::i32 ? run_lifted<std::uint32_t>(on, r) : run_lifted<float>(on, r);
           }},
          {"cudaMemcpy", back_end::gpu, true, [](scan_request const&) { return true; }, run_copy}};
}

}  // namespace lookback::dispatch
