// What partition_if is measured by on a GPU: it reads and writes all items.
#pragma once

namespace bench {

inline void add_partition_if_cases() {
  constexpr std::size_t huge = std::size_t{1} << 28;
  std::vector<bar> const must{{"share_of_copy", 0.90, 0.95}};
  add<std::uint32_t>("u32_2^28_50%_two_outputs", {.n = huge, .bars = must}, 40);
  add<std::uint32_t>("u32_2^28_50%_rejects_reversed", {.n = huge, .one_output = true, .bars = must}, 40);
  add<std::uint32_t>("u32_2^28_50%_stable",
                     {.n = huge, .one_output = true, .stable = true, .bars = {{"share_of_copy", 0.60, 0.65}}}, 40);
  add<std::uint32_t>("u32_2^28_10%_two_outputs", {.n = huge, .per_cent = 10, .bars = must}, 40);
}

}  // namespace bench
