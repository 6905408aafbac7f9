// What run_length_decode is measured by on a GPU: fewest bytes, read a value and a length for each run and write n.
#pragma once

namespace bench {

inline void add_run_length_decode_cases() {
  constexpr std::size_t huge = std::size_t{1} << 28;
  std::vector<bar> const must{{"share_of_copy", 0.85, 0.94}};
  add("u32_2^28_mean_2", {.n = huge, .mean_run = 2}, 40);
  for (int const mean : {10, 500})
    add("u32_2^28_mean_" + std::to_string(mean), {.n = huge, .mean_run = static_cast<double>(mean), .bars = must}, 40);
  add("u32_2^28_power_law", {.n = huge, .mean_run = 0, .bars = must}, 40);
  add("u32_2^28_one_run", {.n = huge, .mean_run = 1e18}, 40);
  for (int const power : {20, 16})
    add("u32_2^" + std::to_string(power) + "_mean_10_queued", {.n = std::size_t{1} << power, .mean_run = 10, .how = timing::queued},
        100);
}

}  // namespace bench
