// The GPU's peers of sorting lines: CUB's merge sort and Thrust's sort, by the same order.
#include <thrust/execution_policy.h>
#include <thrust/sort.h>
#include <thrust/tabulate.h>
#include <thrust/transform.h>

#include <cub/device/device_merge_sort.cuh>

#include "lines_peer.hpp"
#include "peer_tables.hpp"
#include "peers_storage.cuh"

namespace lookback::dispatch {

namespace {

bool takes(lines_request const& r) { return !r.counts_equal; }

/// sort(lines, less) of lines in memory that lasts for the call, in the order of the stream.
template <class Sort>
void run(place const& on, lines_request const& r, Sort const& sort) {
  if (r.lines == 0) return;
  auto const stream = stream_of(on);
  void* memory = nullptr;
  gpu::check(cudaMallocAsync(&memory, static_cast<std::size_t>(r.lines) * sizeof(numbered_line), stream));
  auto* const lines = static_cast<numbered_line*>(memory);
  auto const policy = thrust::cuda::par_nosync.on(stream);
  thrust::tabulate(policy, lines, lines + r.lines, numbered_line_at{r});
  sort(lines, numbered_before{{r.characters}});
  thrust::transform(policy, lines, lines + r.lines, r.order, number_of_line{});
  gpu::check(cudaFreeAsync(memory, stream));
}
void run_cub(place const& on, lines_request const& r) {
  run(on, r, [&](numbered_line* lines, auto less) {
    with_storage([&](void* storage, std::size_t& bytes) {
      return cub::DeviceMergeSort::StableSortKeys(storage, bytes, lines, r.lines, less, stream_of(on));
    });
  });
}
void run_thrust(place const& on, lines_request const& r) {
  run(on, r, [&](numbered_line* lines, auto less) {
    kept_allocator storage;
    thrust::stable_sort(thrust::cuda::par_nosync(storage).on(stream_of(on)), lines, lines + r.lines, less);
  });
}

}  // namespace

std::vector<peer_of<lines_request>> lines_peers_on_gpu() {
  return {{"CUB", back_end::gpu, false, takes, run_cub}, {"Thrust", back_end::gpu, false, takes, run_thrust}};
}

}  // namespace lookback::dispatch
