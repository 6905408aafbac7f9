// What select_if is measured by on a GPU: fewest bytes, read n and write the kept.
#pragma once

namespace bench {

inline void add_select_if_cases() {
  constexpr std::size_t huge = std::size_t{1} << 28;
  int const rounds = 40;
  auto const share = [](double least, double aim) { return std::vector<bar>{{"share_of_copy", least, aim}}; };
  for (bool const in_place : {false, true}) {
    std::string const where = in_place ? "_in_place" : "";
    add<std::uint32_t>("u32_2^28_1%" + where, {.n = huge, .per_cent = 1, .in_place = in_place, .bars = share(0.86, 0.95)}, rounds);
    add<std::uint32_t>("u32_2^28_50%" + where, {.n = huge, .in_place = in_place, .bars = share(0.92, 0.96)}, rounds);
    add<std::uint32_t>("u32_2^28_99%" + where, {.n = huge, .per_cent = 99, .in_place = in_place, .bars = share(0.92, 0.96)},
                       rounds);
  }
  add<std::uint32_t>("u32_2^28_runs_of_10^4", {.n = huge, .run = 10'000, .bars = share(0.92, 0.96)}, rounds);
  add<std::uint32_t>("u32_2^28_all", {.n = huge, .per_cent = 100, .bars = share(0.94, 0.96)}, rounds);
  add<std::uint32_t>("u32_2^28_none", {.n = huge, .per_cent = 0, .bars = share(0.86, 0.96)}, rounds);
  add<std::uint8_t>("u8_2^28_50%", {.n = huge, .bars = share(0.70, 0.85)}, rounds);
  add<double>("f64_2^27_50%", {.n = huge / 2, .bars = share(0.93, 0.97)}, rounds);
  add<std::uint32_t>("u32_2^28_50%_by_bytes", {.n = huge, .what = by::flags}, rounds);
  add<std::uint32_t>("u32_2^28_50%_by_bits", {.n = huge, .what = by::bits}, rounds);
  for (int const power : {20, 16})
    add<std::uint32_t>("u32_2^" + std::to_string(power) + "_50%_queued",
                       {.n = std::size_t{1} << power, .how = timing::queued, .bars = {{"x_cub", 1 / 0.7, 2}}}, 100);
}

}  // namespace bench
