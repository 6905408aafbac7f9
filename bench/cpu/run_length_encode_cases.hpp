// What run_length_encode is measured by on a CPU.
#pragma once

namespace bench {

inline void add_run_length_encode_cases() {
  for (int const power : {27, 24}) {
    std::string const at = "u32_2^" + std::to_string(power);
    std::size_t const n = std::size_t{1} << power;
    int const rounds = power == 27 ? 7 : 15;
    add(at + "_mean_2", {.n = n, .mean_run = 2, .bars = {{"x_loop", 10, 15}}}, rounds);
    add_non_trivial(at + "_mean_2", {.n = n, .mean_run = 2}, rounds);
    add(at + "_mean_32", {.n = n, .mean_run = 32, .bars = {{"x_loop", 4, 5.2}}}, rounds);
    if (power == 24) {
      add(at + "_all_distinct", {.n = n, .mean_run = 1}, rounds);
      add(at + "_one_run", {.n = n, .mean_run = 1e12}, rounds);
    }
  }
}

}  // namespace bench
