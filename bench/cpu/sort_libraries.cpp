#include "sort_libraries.hpp"

#include <type_traits>

#include "../compared.hpp"
#if defined(LOOKBACK_HAS_VQSORT)
#include <hwy/contrib/sort/vqsort.h>
#endif
#if defined(LOOKBACK_HAS_IPS4O)
#include <ips4o.hpp>
#endif

namespace bench {

#if defined(LOOKBACK_HAS_VQSORT)
bool has_vqsort() { return true; }
template <class T>
void vqsort(T* data, std::size_t n) {
  static hwy::Sorter const sorter;
  if constexpr (std::is_arithmetic_v<T>) sorter(data, n, hwy::SortAscending{});
  else sorter(reinterpret_cast<hwy::K32V32*>(data), n, hwy::SortAscending{});
}
#else
bool has_vqsort() { return false; }
template <class T>
void vqsort(T*, std::size_t) {}
#endif

#if defined(LOOKBACK_HAS_IPS4O)
bool has_ips4o() { return true; }
template <class T>
void ips4o_sort(T* data, std::size_t n, int threads) {
  ips4o::parallel::sort(data, data + n, asked_less{}, threads);
}
#else
bool has_ips4o() { return false; }
template <class T>
void ips4o_sort(T*, std::size_t, int) {}
#endif

template void vqsort(std::uint32_t*, std::size_t);
template void vqsort(std::uint64_t*, std::size_t);
template void vqsort(float*, std::size_t);
template void vqsort(valued_key<std::uint32_t>*, std::size_t);
template void ips4o_sort(std::uint32_t*, std::size_t, int);
template void ips4o_sort(std::uint64_t*, std::size_t, int);
template void ips4o_sort(float*, std::size_t, int);
template void ips4o_sort(valued_key<std::uint32_t>*, std::size_t, int);
template void ips4o_sort(valued_key<std::uint64_t>*, std::size_t, int);

}  // namespace bench
