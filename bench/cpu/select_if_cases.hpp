// What select_if is measured by on a CPU.
#pragma once

namespace bench {

inline void add_select_if_cases() {
  for (int const power : {27, 24}) {
    std::string const at = "u32_2^" + std::to_string(power);
    std::size_t const n = std::size_t{1} << power;
    int const rounds = power == 27 ? 7 : 15;
    add<std::uint32_t>(at + "_50%", {.n = n, .bars = {{"x_std", 12, 16}, {"x_std_par", 12, 16}, {"x_loop", 2.8, 3.3}}}, rounds);
    add<std::uint32_t>(at + "_1%", {.n = n, .per_cent = 1, .bars = {{"x_std", 4, 4.8}}}, rounds);
    add<std::uint32_t>(at + "_50%_in_place", {.n = n, .in_place = true, .bars = {{"x_std_par", 15, 21}}}, rounds);
  }
  std::size_t const medium = std::size_t{1} << 24;
  add<std::uint32_t>("u32_2^24_99%", {.n = medium, .per_cent = 99}, 15);
  add<std::uint8_t>("u8_2^24_50%", {.n = medium}, 15);
  add<double>("f64_2^24_50%", {.n = medium}, 15);
  add<std::uint32_t>("u32_2^24_50%_by_bytes", {.n = medium, .what = by::flags}, 15);
  add<std::uint32_t>("u32_2^24_50%_by_bits", {.n = medium, .what = by::bits}, 15);
}

}  // namespace bench
