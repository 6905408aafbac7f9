// The segmented scans that a GPU is measured by: each by its own bytes an item.
#pragma once

namespace bench {

inline void add_segmented_scan_cases() {
  constexpr std::size_t huge = std::size_t{1} << 28;
  struct length {
    char const* name;
    double mean;
    bar flags;
  };
  length const lengths[] = {{"10", 10, {"share_of_copy", 0.96, 1.0}},
                            {"500", 500, {"share_of_copy", 0.96, 1.0}},
                            {"10^4", 1e4, {"share_of_copy", 0.93, 0.97}},
                            {"10^7", 1e7, {"share_of_copy", 0.93, 0.97}}};
  for (auto const& l : lengths) {
    std::string const name = std::string("i32_2^28_mean_") + l.name;
    add<std::int32_t>(name + "_flags", {.n = huge, .mean_length = l.mean, .bars = {l.flags}}, 50);
    add<std::int32_t>(
        name + "_bits",
        {.n = huge, .mean_length = l.mean, .by = description::bits, .against_peers = false, .bars = {{"share_of_copy", 0.94, 1.0}}},
        50);
    add<std::int32_t>(name + "_offsets",
                      {.n = huge,
                       .mean_length = l.mean,
                       .by = description::offsets,
                       .against_peers = false,
                       .bars = {{"share_of_copy", 0.92, 0.97}}},
                      50);
  }
}

}  // namespace bench
