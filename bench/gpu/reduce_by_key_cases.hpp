// What reduce_by_key is measured by on a GPU: fewest bytes, read n keys and values, write a key and a sum for each run.
#pragma once

namespace bench {

inline void add_reduce_by_key_cases() {
  constexpr std::size_t huge = std::size_t{1} << 28;
  std::vector<bar> const must{{"share_of_copy", 0.90, 0.95}};
  for (int const mean : {2, 10, 500})
    add("u32_f32_2^28_mean_" + std::to_string(mean), {.n = huge, .mean_run = static_cast<double>(mean), .bars = must}, 40);
  add("u32_f32_2^28_power_law", {.n = huge, .mean_run = 0, .bars = must}, 40);
  add("u32_f32_2^28_all_distinct", {.n = huge, .mean_run = 1}, 40);
  add("u32_f32_2^28_one_run", {.n = huge, .mean_run = 1e12}, 40);
  for (int const power : {20, 16})
    add("u32_f32_2^" + std::to_string(power) + "_mean_10_queued",
        {.n = std::size_t{1} << power, .mean_run = 10, .how = timing::queued, .bars = {{"x_cub", 1 / 0.7, 2}}}, 100);
}

}  // namespace bench
