#include <cub/device/device_radix_sort.cuh>

#include "must.hpp"
#include "sort.hpp"

namespace bench::cub_peer {

template <class Key, class Number>
void sort_keys(scratch& s, Key const* in, Key* out, Number n, cudaStream_t stream) {
  must(cub::DeviceRadixSort::SortKeys(s.data, s.bytes, in, out, n, 0, static_cast<int>(8 * sizeof(Key)), stream));
}
template <class Key, class Number>
void sort_pairs(scratch& s, Key const* in, std::uint32_t const* values, Key* out, std::uint32_t* values_out, Number n,
                cudaStream_t stream) {
  must(cub::DeviceRadixSort::SortPairs(s.data, s.bytes, in, out, values, values_out, n, 0, static_cast<int>(8 * sizeof(Key)),
                                       stream));
}

#define BENCH_SORT_KEYS(Key)                                              \
  template void sort_keys(scratch&, Key const*, Key*, int, cudaStream_t); \
  template void sort_keys(scratch&, Key const*, Key*, std::size_t, cudaStream_t);
#define BENCH_SORT_PAIRS(Key)                                                                                    \
  template void sort_pairs(scratch&, Key const*, std::uint32_t const*, Key*, std::uint32_t*, int, cudaStream_t); \
  template void sort_pairs(scratch&, Key const*, std::uint32_t const*, Key*, std::uint32_t*, std::size_t, cudaStream_t);
BENCH_SORT_KEYS(std::uint32_t)
BENCH_SORT_KEYS(std::uint64_t)
BENCH_SORT_KEYS(float)
BENCH_SORT_PAIRS(std::uint32_t)
BENCH_SORT_PAIRS(std::uint64_t)

}  // namespace bench::cub_peer
