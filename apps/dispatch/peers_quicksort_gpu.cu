// The GPU's peers of sorts by comparisons, which ask the same function: CUB's merge sort and Thrust's sort. Compiled for keys of 4
// and 8 bytes, and values as wide.
#include <thrust/execution_policy.h>
#include <thrust/sort.h>

#include <cub/device/device_merge_sort.cuh>

#include "peer_tables.hpp"
#include "peers_storage.cuh"

namespace lookback::dispatch {

namespace {

using request = quicksort_request;

bool takes(request const& r) {
  return size_of(r.type) >= 4 && !r.offsets && (!r.values || r.value_bytes >= 4) && r.n < (index_t{1} << 31);
}

/// Calls f(keys, values, less), both in their outputs, where they are sorted in place; without values, values is null.
template <class Bits, class F>
void in_outputs_of(request const& r, F const& f) {
  lower_rank<Bits> const less{key_rank_of<Bits>(r.type, r.order)};
  auto* const keys = static_cast<Bits*>(r.keys_out);
  if (!r.values || r.value_bytes == 4) f(keys, static_cast<std::uint32_t*>(r.values_out), less);
  else f(keys, static_cast<std::uint64_t*>(r.values_out), less);
}
template <class F>
void in_outputs(place const& on, request const& r, F const& f) {
  auto const n = static_cast<std::size_t>(r.n);
  copy(on, r.keys_out, r.keys, n * size_of(r.type));
  if (r.values) copy(on, r.values_out, r.values, n * r.value_bytes);
  if (size_of(r.type) == 4) in_outputs_of<std::uint32_t>(r, f);
  else in_outputs_of<std::uint64_t>(r, f);
}

void run_cub(place const& on, request const& r) {
  using sort = cub::DeviceMergeSort;
  auto const n = static_cast<std::uint32_t>(r.n);
  in_outputs(on, r, [&](auto* keys, auto* values, auto less) {
    with_storage([&](void* storage, std::size_t& bytes) {
      if (!values)
        return r.unstable ? sort::SortKeys(storage, bytes, keys, n, less, stream_of(on))
                          : sort::StableSortKeys(storage, bytes, keys, n, less, stream_of(on));
      return r.unstable ? sort::SortPairs(storage, bytes, keys, values, n, less, stream_of(on))
                        : sort::StableSortPairs(storage, bytes, keys, values, n, less, stream_of(on));
    });
  });
}

void run_thrust(place const& on, request const& r) {
  kept_allocator storage;
  auto const policy = thrust::cuda::par_nosync(storage).on(stream_of(on));
  in_outputs(on, r, [&](auto* keys, auto* values, auto less) {
    if (!values) r.unstable ? thrust::sort(policy, keys, keys + r.n, less) : thrust::stable_sort(policy, keys, keys + r.n, less);
    else if (r.unstable) thrust::sort_by_key(policy, keys, keys + r.n, values, less);
    else thrust::stable_sort_by_key(policy, keys, keys + r.n, values, less);
  });
}

}  // namespace

std::vector<peer_of<quicksort_request>> quicksort_peers_on_gpu() {
  return {
      {"CUB", back_end::gpu, false, takes, run_cub},
      {"Thrust", back_end::gpu, false, takes, run_thrust},
      {"cudaMemcpy", back_end::gpu, true, [](request const&) { return true; },
       [](place const& on, request const& r) { copy(on, r.keys_out, r.keys, static_cast<std::size_t>(r.n) * size_of(r.type)); }}};
}

}  // namespace lookback::dispatch
