// What reduce_by_key is measured by on a CPU.
#pragma once

namespace bench {

inline void add_reduce_by_key_cases() {
  for (int const power : {27, 24}) {
    std::string const at = "u32_f32_2^" + std::to_string(power);
    std::size_t const n = std::size_t{1} << power;
    int const rounds = power == 27 ? 7 : 15;
    add(at + "_mean_2", {.n = n, .mean_run = 2, .bars = {{"x_loop_parts", 4, 5.5}}}, rounds);
    add(at + "_mean_32", {.n = n, .mean_run = 32, .bars = {{"x_loop_parts", 1.2, 1.4}}}, rounds);
    if (power == 24) {
      add(at + "_all_distinct", {.n = n, .mean_run = 1}, rounds);
      add(at + "_one_run", {.n = n, .mean_run = 1e12}, rounds);
    }
  }
}

}  // namespace bench
