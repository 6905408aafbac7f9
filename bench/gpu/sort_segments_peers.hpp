// Enters CUB's two sorts of segments into a contest: the one that looks at lengths, and where segments are long the radix sort,
// which gives every segment a block.
#pragma once
#include "../peers/sort_segments.hpp"
#include "peers.hpp"

namespace bench {

inline void enter_sort_segments_peers(contest& c, device& d, std::uint32_t const* in, std::uint32_t* out, std::size_t n,
                                      std::int32_t const* offsets, std::size_t segments) {
  constexpr std::size_t long_from = 1024;
  auto const enter = [&](char const* name, auto sort) {
    enter_with_scratch(c, d, name, timing::single,
                       [=, &d](cub_peer::scratch& s) { sort(s, in, out, n, offsets, segments, d.stream()); });
  };
  enter("cub_segmented_sort", cub_peer::sort_segments);
  if (n / segments >= long_from) enter("cub_segmented_radix_sort", cub_peer::radix_sort_segments);
}

}  // namespace bench
