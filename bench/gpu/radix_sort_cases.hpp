// What sorts are measured by on a GPU.
#pragma once

namespace bench {

inline void add_radix_sort_cases() {
  // At full size a call takes 5 to 15 ms, and four are timed in every round.
  add_sorts({{16, 20, 24, 28}, 28, {"radix_sort/u32", "radix_sort/u64", "radix_sort/u32+u32"}, [](int power, bool is_uniform) {
               return power < 28 ? 100 : is_uniform ? 9 : 5;
             }});
}

}  // namespace bench
