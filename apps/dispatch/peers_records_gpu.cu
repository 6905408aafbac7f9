// The GPU's peers of sorting records: CUB's merge sort and Thrust's sort of their places, by the order of the CPU's peers.
#include <thrust/execution_policy.h>
#include <thrust/sequence.h>
#include <thrust/sort.h>

#include <cub/device/device_merge_sort.cuh>

#include "peer_tables.hpp"
#include "peers_storage.cuh"
#include "records_peer.hpp"

namespace lookback::dispatch {

namespace {

struct by_bytes {
  LOOKBACK_FN int operator()(record_text a, record_text b) const {
    index_t const common = a.length < b.length ? a.length : b.length;
    for (index_t i = 0; i < common; ++i) {
      int const difference = static_cast<unsigned char>(a.characters[i]) - static_cast<unsigned char>(b.characters[i]);
      if (difference != 0) return difference;
    }
    return a.length < b.length ? -1 : a.length > b.length ? 1 : 0;
  }
};

bool takes(records_request const&) { return true; }

/// sort(less) of the places in r.order, with the list of columns in memory that lasts for the call, in the order of the stream.
template <class Sort>
void run(place const& on, records_request const& r, Sort const& sort) {
  if (r.n == 0) return;
  auto const stream = stream_of(on);
  auto const bytes = r.columns.size() * sizeof(record_column);
  void* memory = nullptr;
  gpu::check(cudaMallocAsync(&memory, bytes, stream));
  // The request may end with this call: CUDA copies pageable memory to a buffer of its own before cudaMemcpyAsync returns.
  gpu::check(cudaMemcpyAsync(memory, r.columns.data(), bytes, cudaMemcpyHostToDevice, stream));
  thrust::sequence(thrust::cuda::par_nosync.on(stream), r.order, r.order + r.n);
  sort(before_in(r, static_cast<record_column const*>(memory), by_bytes{}));
  gpu::check(cudaFreeAsync(memory, stream));
}
void run_cub(place const& on, records_request const& r) {
  run(on, r, [&](auto less) {
    with_storage([&](void* storage, std::size_t& bytes) {
      return cub::DeviceMergeSort::StableSortKeys(storage, bytes, r.order, r.n, less, stream_of(on));
    });
  });
}
void run_thrust(place const& on, records_request const& r) {
  run(on, r, [&](auto less) {
    kept_allocator storage;
    thrust::stable_sort(thrust::cuda::par_nosync(storage).on(stream_of(on)), r.order, r.order + r.n, less);
  });
}

}  // namespace

std::vector<peer_of<records_request>> records_peers_on_gpu() {
  return {{"CUB", back_end::gpu, false, takes, run_cub}, {"Thrust", back_end::gpu, false, takes, run_thrust}};
}

}  // namespace lookback::dispatch
