// Sorters that CMake found: Highway's vqsort and ips4o.
#include "peers_sort.hpp"

#if defined(LOOKBACK_HAS_VQSORT)
#include <hwy/contrib/sort/vqsort.h>
#endif
#if defined(LOOKBACK_HAS_IPS4O)
#include <ips4o.hpp>
#endif

namespace lookback::dispatch {

namespace {

#if defined(LOOKBACK_HAS_VQSORT)
/// Its interface of Highway 1.0 has names for the types of the fixed widths.
void run_vqsort(place const& on, sort_request const& r) {
  sort_copy(on, r, [](auto* first, auto* last, auto order) {
    static hwy::Sorter const sorter;
    auto const n = static_cast<std::size_t>(last - first);
    if constexpr (std::is_same_v<decltype(order), peer_order<true>>) sorter(first, n, hwy::SortDescending());
    else sorter(first, n, hwy::SortAscending());
  });
}
void add_vqsort(std::vector<peer_of<sort_request>>& list) {
  list.push_back({"vqsort", back_end::cpu, false, sorts_keys, run_vqsort});
}
#else
void add_vqsort(std::vector<peer_of<sort_request>>&) {}
#endif

#if defined(LOOKBACK_HAS_IPS4O)
void add_ips4o(std::vector<peer_of<sort_request>>& list) {
  list.push_back({"ips4o", back_end::cpu, false, sorts_keys, [](place const& on, sort_request const& r) {
                    sort_copy(on, r, [](auto* first, auto* last, auto order) { ips4o::sort(first, last, order); });
                  }});
  list.push_back({"ips4o parallel", back_end::cpu, false, sorts_keys, [](place const& on, sort_request const& r) {
                    sort_copy(on, r,
                              [&](auto* first, auto* last, auto order) { ips4o::parallel::sort(first, last, order, on.threads); });
                  }});
}
#else
void add_ips4o(std::vector<peer_of<sort_request>>&) {}
#endif

}  // namespace

void add_installed_sorters(std::vector<peer_of<sort_request>>& list) {
  add_vqsort(list);
  add_ips4o(list);
}

}  // namespace lookback::dispatch
