// What run_length_decode is measured by on a CPU.
#pragma once

namespace bench {

inline void add_run_length_decode_cases() {
  for (int const power : {27, 24}) {
    std::string const at = "u32_2^" + std::to_string(power);
    std::size_t const n = std::size_t{1} << power;
    int const rounds = power == 27 ? 7 : 15;
    for (int const mean : {2, 10, 32, 500})
      add(at + "_mean_" + std::to_string(mean), {.n = n, .mean_run = static_cast<double>(mean)}, rounds);
    add(at + "_one_run", {.n = n, .mean_run = 1e18}, rounds);
    add(at + "_power_law", {.n = n, .mean_run = 0}, rounds);
  }
}

}  // namespace bench
