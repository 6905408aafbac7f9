// Enters what a user would write instead of a sort inside of segments into a contest: std::sort of each, by one thread and by all.
// They sort in place: a copy of the input is made before each of their calls, and not timed.
#pragma once
#include <tbb/parallel_for.h>

#include <algorithm>

#include "harness.hpp"

namespace bench {

inline void enter_sort_segments_peers(contest& c, device& d, std::uint32_t const* in, std::uint32_t* out, std::size_t n,
                                      std::int32_t const* offsets, std::size_t segments) {
  auto const put_back = [=, &d] { d.put_back(in, out, n * sizeof(std::uint32_t)); };
  auto const sort = [=](std::size_t s) { std::sort(out + offsets[s], out + offsets[s + 1]); };
  c.enter("std", d.timed_after(put_back, [=] {
    for (std::size_t s = 0; s < segments; ++s) sort(s);
  }));
  c.enter("std_by_tbb", d.timed_after(put_back, [=] { tbb::parallel_for(std::size_t{0}, segments, sort); }));
}

}  // namespace bench
