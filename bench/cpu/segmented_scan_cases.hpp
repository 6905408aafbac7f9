// The segmented scans that a CPU is measured by, against the plain loop that a user writes.
#pragma once

namespace bench {

inline void add_segmented_scan_cases() {
  constexpr std::size_t medium = std::size_t{1} << 24;
  add<float>("f32_2^24_mean_2_flags", {.n = medium, .mean_length = 2, .bars = {{"x_loop", 10, 14}}}, 15);
  add<float>("f32_2^24_mean_32_flags", {.n = medium, .mean_length = 32, .bars = {{"x_loop", 2.3, 3}}}, 15);
  add<float>("f32_2^24_mean_10000_flags", {.n = medium, .mean_length = 10000}, 15);
  add<float>("f32_2^24_mean_32_bits", {.n = medium, .mean_length = 32, .by = description::bits}, 15);
  add<float>("f32_2^24_mean_32_offsets", {.n = medium, .mean_length = 32, .by = description::offsets}, 15);
}

}  // namespace bench
