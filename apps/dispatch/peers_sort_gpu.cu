// The GPU's peers of sorts: CUB's radix sort and Thrust's sort. Compiled for keys of 4 and 8 bytes, and values as wide.
#include <cuda_runtime.h>
#include <thrust/execution_policy.h>
#include <thrust/sort.h>

#include <cub/device/device_radix_sort.cuh>

#include "peer_tables.hpp"
#include "peers_storage.cuh"

namespace lookback::dispatch {

namespace {

using request = sort_request;

bool is_wide(request const& r) {
  return size_of(r.type) >= 4 && r.keys_out && !r.indices && !r.offsets && r.n < (index_t{1} << 31);
}
bool takes_cub(request const& r) { return is_wide(r) && !r.nan_first && (!r.values || r.value_bytes >= 4); }
bool takes_thrust(request const& r) { return takes_cub(r) && r.end_bit < 0 && !r.descending && !is_float(r.type); }

template <class T>
void cub_keys(place const& on, request const& r, int end) {
  auto const n = static_cast<std::uint32_t>(r.n);
  auto const* const in = static_cast<T const*>(r.keys);
  auto* const out = static_cast<T*>(r.keys_out);
  with_storage([&](void* storage, std::size_t& bytes) {
    return r.descending ? cub::DeviceRadixSort::SortKeysDescending(storage, bytes, in, out, n, r.begin_bit, end, stream_of(on))
                        : cub::DeviceRadixSort::SortKeys(storage, bytes, in, out, n, r.begin_bit, end, stream_of(on));
  });
}

template <class T, class V>
void cub_pairs(place const& on, request const& r, int end) {
  auto const n = static_cast<std::uint32_t>(r.n);
  auto const* const in = static_cast<T const*>(r.keys);
  auto* const out = static_cast<T*>(r.keys_out);
  auto const* const values = static_cast<V const*>(r.values);
  auto* const to = static_cast<V*>(r.values_out);
  with_storage([&](void* storage, std::size_t& bytes) {
    return r.descending
               ? cub::DeviceRadixSort::SortPairsDescending(storage, bytes, in, out, values, to, n, r.begin_bit, end, stream_of(on))
               : cub::DeviceRadixSort::SortPairs(storage, bytes, in, out, values, to, n, r.begin_bit, end, stream_of(on));
  });
}

void run_cub(place const& on, request const& r) {
  int const end = r.end_bit < 0 ? 8 * static_cast<int>(size_of(r.type)) : r.end_bit;
  with_wide_type(r.type, [&]<class T>() {
    if (!r.values) cub_keys<T>(on, r, end);
    else if (r.value_bytes == 4) cub_pairs<T, std::uint32_t>(on, r, end);
    else cub_pairs<T, std::uint64_t>(on, r, end);
  });
}

// It sorts in place.
void run_thrust(place const& on, request const& r) {
  auto const n = static_cast<std::size_t>(r.n);
  kept_allocator storage;
  auto const policy = thrust::cuda::par_nosync(storage).on(stream_of(on));
  copy(on, r.keys_out, r.keys, n * size_of(r.type));
  if (r.values) copy(on, r.values_out, r.values, n * r.value_bytes);
  with_wide_type(r.type, [&]<class T>() {
    if constexpr (std::is_integral_v<T>) {
      auto* const keys = static_cast<T*>(r.keys_out);
      if (!r.values) thrust::sort(policy, keys, keys + n);
      else if (r.value_bytes == 4) thrust::stable_sort_by_key(policy, keys, keys + n, static_cast<std::uint32_t*>(r.values_out));
      else thrust::stable_sort_by_key(policy, keys, keys + n, static_cast<std::uint64_t*>(r.values_out));
    }
  });
}

}  // namespace

std::vector<peer_of<sort_request>> sort_peers_on_gpu() {
  return {
      {"CUB", back_end::gpu, false, takes_cub, run_cub},
      {"Thrust", back_end::gpu, false, takes_thrust, run_thrust},
      {"cudaMemcpy", back_end::gpu, true, [](request const& r) { return r.keys_out != nullptr; },
       [](place const& on, request const& r) { copy(on, r.keys_out, r.keys, static_cast<std::size_t>(r.n) * size_of(r.type)); }}};
}

}  // namespace lookback::dispatch
