// What unique is measured by on a GPU: fewest bytes, read n and write the runs.
#pragma once

namespace bench {

inline void add_unique_cases() {
  constexpr std::size_t huge = std::size_t{1} << 28;
  std::vector<bar> const must{{"share_of_copy", 0.90, 0.95}};
  for (int const mean : {2, 10, 500})
    add("u32_2^28_mean_" + std::to_string(mean), {.n = huge, .mean_run = static_cast<double>(mean), .bars = must}, 40);
  add("u32_2^28_all_distinct", {.n = huge, .mean_run = 1}, 40);
  add("u32_2^28_one_run", {.n = huge, .mean_run = 1e12}, 40);
  add("u32_2^28_mean_2_in_place", {.n = huge, .mean_run = 2, .in_place = true, .bars = must}, 40);
}

}  // namespace bench
