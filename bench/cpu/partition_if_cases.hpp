// What partition_if is measured by on a CPU.
#pragma once

namespace bench {

inline void add_partition_if_cases() {
  std::size_t const medium = std::size_t{1} << 24;
  add<std::uint32_t>("u32_2^24_50%_two_outputs", {.n = medium}, 15);
  add<std::uint32_t>("u32_2^24_50%_rejects_reversed", {.n = medium, .one_output = true}, 15);
  add<std::uint32_t>("u32_2^24_50%_stable", {.n = medium, .one_output = true, .stable = true}, 15);
}

}  // namespace bench
