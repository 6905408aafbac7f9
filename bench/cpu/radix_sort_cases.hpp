// What sorts are measured by on a CPU: a peer takes seconds for the largest.
#pragma once

namespace bench {

inline void add_radix_sort_cases() {
  add_sorts({{16, 20, 24, 26}, 24, all_sorts, [](int power, bool) { return power == 26 ? 3 : power == 24 ? 5 : 15; }});
}

}  // namespace bench
