// The GPU's peers of compaction and runs: CUB, and the device copy that nobody beats. CUB is compiled for elements of 4 bytes and
// a few others, which is what comparisons are made of.
#include <cuda_runtime.h>
#include <thrust/iterator/discard_iterator.h>

#include <cub/device/device_partition.cuh>
#include <cub/device/device_reduce.cuh>
#include <cub/device/device_run_length_encode.cuh>
#include <cub/device/device_select.cuh>
#include <cuda/std/functional>

#include "compaction_tables.hpp"
#include "peer_tables.hpp"
#include "peers_storage.cuh"

namespace lookback::dispatch {

namespace {

// Its fastest forms count in 32 bits, and some have no others.
bool short_enough(index_t n) { return n < (index_t{1} << 31); }

void copy(place const& on, void* out, void const* in, index_t n, element type) {
  gpu::check(cudaMemcpyAsync(out, in, static_cast<std::size_t>(n) * size_of(type), cudaMemcpyDeviceToDevice, stream_of(on)));
}

// ---- select

template <class T>
struct in_range {
  T low, high;
  __host__ __device__ bool operator()(T const& x) const { return low <= x && x <= high; }
};

template <class T>
struct out_of_range {
  in_range<T> in;
  __host__ __device__ bool operator()(T const& x) const { return !in(x); }
};

bool takes_select(select_request const& r) {
  if (!short_enough(r.n)) return false;
  if (r.rejected) return !r.flags && size_of(r.type) == 4;
  return r.flags ? size_of(r.type) == 4 && r.kept != r.in : size_of(r.type) == 4 || r.type == element::f64;
}

template <class T>
in_range<T> range_of(select_request const& r) {
  in_range<T> keep{};
  std::memcpy(&keep.low, r.low, sizeof(T)), std::memcpy(&keep.high, r.high, sizeof(T));
  return keep;
}
template <class T>
void run_select_of(place const& on, select_request const& r) {
  auto const* const in = static_cast<T const*>(r.in);
  auto* const kept = static_cast<T*>(r.kept);
  auto const keep = range_of<T>(r);
  with_storage([&](void* storage, std::size_t& bytes) {
    return kept == in ? cub::DeviceSelect::If(storage, bytes, kept, r.counts, r.n, keep, stream_of(on))
                      : cub::DeviceSelect::If(storage, bytes, in, kept, r.counts, r.n, keep, stream_of(on));
  });
}
// Its only form with two outputs in order parts in three: nothing is left for the third.
template <class T>
void run_partition_of(place const& on, select_request const& r) {
  auto const keep = range_of<T>(r);
  with_storage([&](void* storage, std::size_t& bytes) {
    return cub::DevicePartition::If(storage, bytes, static_cast<T const*>(r.in), static_cast<T*>(r.kept),
                                    static_cast<T*>(r.rejected), thrust::make_discard_iterator(), r.counts, static_cast<int>(r.n),
                                    keep, out_of_range<T>{keep}, stream_of(on));
  });
}
void run_partition(place const& on, select_request const& r) {
  if (r.type == element::i32) run_partition_of<std::int32_t>(on, r);
  else if (r.type == element::u32) run_partition_of<std::uint32_t>(on, r);
  else run_partition_of<float>(on, r);
}
void run_flagged(place const& on, select_request const& r) {
  with_storage([&](void* storage, std::size_t& bytes) {
    return cub::DeviceSelect::Flagged(storage, bytes, static_cast<std::uint32_t const*>(r.in), r.flags,
                                      static_cast<std::uint32_t*>(r.kept), r.counts, r.n, stream_of(on));
  });
}
void run_select(place const& on, select_request const& r) {
  if (r.rejected) run_partition(on, r);
  else if (r.flags) run_flagged(on, r);
  else if (r.type == element::i32) run_select_of<std::int32_t>(on, r);
  else if (r.type == element::u32) run_select_of<std::uint32_t>(on, r);
  else if (r.type == element::f32) run_select_of<float>(on, r);
  else run_select_of<double>(on, r);
}

// ---- runs

bool takes_unique(runs_request const& r) { return size_of(r.type) == 4 && !r.by_bits && short_enough(r.n); }

template <class T>
void run_unique_of(place const& on, runs_request const& r) {
  with_storage([&](void* storage, std::size_t& bytes) {
    return cub::DeviceSelect::Unique(storage, bytes, static_cast<T const*>(r.in), static_cast<T*>(r.firsts), r.count, r.n,
                                     stream_of(on));
  });
}
void run_unique(place const& on, runs_request const& r) {
  if (r.type == element::f32) run_unique_of<float>(on, r);
  else run_unique_of<std::uint32_t>(on, r);
}

// Floats by their bits alone: what `rle encode` asks for.
bool takes_encode(runs_request const& r) {
  return (size_of(r.type) == 1 || size_of(r.type) == 4) && (r.by_bits || !is_float(r.type)) && short_enough(r.n);
}
template <class T>
void run_encode_of(place const& on, runs_request const& r) {
  with_storage([&](void* storage, std::size_t& bytes) {
    return cub::DeviceRunLengthEncode::Encode(storage, bytes, static_cast<T const*>(r.in), static_cast<T*>(r.firsts), r.lengths,
                                              r.count, static_cast<int>(r.n), stream_of(on));
  });
}
void run_encode(place const& on, runs_request const& r) {
  if (size_of(r.type) == 1) run_encode_of<std::uint8_t>(on, r);
  else run_encode_of<std::uint32_t>(on, r);
}

// ---- reductions

bool takes_reduce(reduce_request const& r) {
  return r.op == operation::plus && size_of(r.key_type) == 4 && !is_float(r.key_type) &&
         (size_of(r.type) == 4 || r.type == element::i64) && short_enough(r.n);
}
template <class T>
void run_reduce_of(place const& on, reduce_request const& r) {
  with_storage([&](void* storage, std::size_t& bytes) {
    return cub::DeviceReduce::ReduceByKey(storage, bytes, static_cast<std::uint32_t const*>(r.keys),
                                          static_cast<std::uint32_t*>(r.keys_out), static_cast<T const*>(r.values),
                                          static_cast<T*>(r.values_out), r.count, ::cuda::std::plus<>{}, static_cast<int>(r.n),
                                          stream_of(on));
  });
}
void run_reduce(place const& on, reduce_request const& r) {
  if (r.type == element::f32) run_reduce_of<float>(on, r);
  else if (r.type == element::i64) run_reduce_of<std::uint64_t>(on, r);
  else run_reduce_of<std::uint32_t>(on, r);
}

template <class Request>
bool takes_any(Request const&) {
  return true;
}

void run_copy_of_runs(place const& on, runs_request const& r) { copy(on, r.firsts, r.in, r.n, r.type); }

}  // namespace

std::vector<peer_of<select_request>> select_peers_on_gpu() {
  return {{"CUB", back_end::gpu, false, takes_select, run_select},
          {"cudaMemcpy", back_end::gpu, true, takes_any<select_request>,
           [](place const& on, select_request const& r) { copy(on, r.kept, r.in, r.n, r.type); }}};
}

std::vector<peer_of<runs_request>> unique_peers_on_gpu() {
  return {{"CUB", back_end::gpu, false, takes_unique, run_unique},
          {"cudaMemcpy", back_end::gpu, true, takes_any<runs_request>, run_copy_of_runs}};
}

std::vector<peer_of<runs_request>> encode_peers_on_gpu() {
  return {{"CUB", back_end::gpu, false, takes_encode, run_encode},
          {"cudaMemcpy", back_end::gpu, true, takes_any<runs_request>, run_copy_of_runs}};
}

std::vector<peer_of<reduce_request>> reduce_peers_on_gpu() {
  return {{"CUB", back_end::gpu, false, takes_reduce, run_reduce},
          {"cudaMemcpy", back_end::gpu, true, takes_any<reduce_request>,
           [](place const& on, reduce_request const& r) { copy(on, r.values_out, r.values, r.n, r.type); }}};
}

}  // namespace lookback::dispatch
