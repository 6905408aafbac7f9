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
  // By keys: value, key and result are what must move.
  struct width {
    char const* name;
    description by;
  };
  width const widths[] = {{"keys8", description::keys8},
                          {"keys16", description::keys16},
                          {"keys32", description::keys32},
                          {"keys64", description::keys64}};
  length const by_keys[] = {{"2", 2, {}}, {"10", 10, {}}, {"500", 500, {}}, {"10^7", 1e7, {}}};
  for (std::size_t const n : {huge, std::size_t{1} << 24})
    for (auto const& l : by_keys)
      for (auto const& w : widths)
        add<std::int32_t>(std::string("i32_2^") + (n == huge ? "28" : "24") + "_mean_" + l.name + "_" + w.name,
                          {.n = n,
                           .mean_length = l.mean,
                           .by = w.by,
                           .against_peers = w.by == description::keys32,
                           .bars = n == huge ? std::vector<bar>{{"share_of_copy", 0.90, 0.96}} : std::vector<bar>{}},
                          30);
}

}  // namespace bench
