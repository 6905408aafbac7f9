// What sorts are measured by on a GPU.
#pragma once

namespace bench {

inline void add_radix_sort_cases() {
  add_sorts({16, 20, 24, 28}, 28, [](int power) { return power == 28 ? 20 : 100; });
}

}  // namespace bench
