// Enters CUB's merge sort by the same function into a contest.
#pragma once
#include "../peers/merge_sort.hpp"
#include "../sorts.hpp"
#include "peers.hpp"

namespace bench {

template <class T>
void enter_quicksort_peers(contest& c, device& d, T const* in, T* out, std::size_t n) {
  enter_with_scratch(c, d, "cub", timing::single,
                     [=, &d](cub_peer::scratch& s) { cub_peer::merge_sort(s, in, out, n, d.stream()); });
}
inline void enter_quicksort_pairs_peers(contest& c, device& d, std::uint32_t const* in, std::uint32_t const* values,
                                        std::uint32_t* out, std::uint32_t* values_out, std::size_t n) {
  enter_with_scratch(c, d, "cub", timing::single,
                     [=, &d](cub_peer::scratch& s) { cub_peer::merge_sort_pairs(s, in, values, out, values_out, n, d.stream()); });
}

}  // namespace bench
