// The plain scans that a GPU is measured by. Bars are for the H100, and where given for the H200.
#pragma once

namespace bench {

inline void add_scan_cases() {
  bool const h200 = device_name().find("H200") != std::string::npos;
  constexpr std::size_t huge = std::size_t{1} << 28, large = std::size_t{1} << 27, medium = std::size_t{1} << 24;
  bar const full = h200 ? bar{"share_of_copy", 0.86, 0.92} : bar{"share_of_copy", 0.95, 0.98};
  int const rounds = 50;

  add<std::int32_t>("inclusive_i32_2^28", {.n = huge, .bars = {full}}, rounds);
  add<std::int32_t>("exclusive_i32_2^28", {.n = huge, .exclusive = true, .bars = {full}}, rounds);
  add<float>("inclusive_f32_2^28", {.n = huge, .bars = {full}}, rounds);
  add<float>("exclusive_f32_2^28", {.n = huge, .exclusive = true, .bars = {full}}, rounds);
  add<std::int64_t>("inclusive_i64_2^27", {.n = large, .bars = {{"share_of_copy", 0.95, 0.98}}}, rounds);
  add<double>("inclusive_f64_2^27", {.n = large, .bars = {{"share_of_copy", 0.95, 0.98}}}, rounds);
  add<std::int8_t>("inclusive_i8_2^28", {.n = huge, .bars = {{"share_of_copy", 0.70, 0.85}}}, rounds);
  add_matrices(medium, rounds);
  add<std::int32_t>("inclusive_i32_2^24", {.n = medium, .bars = {{"share_of_copy", 0.83, 0.88}}}, 200);

  // Small: per call, of calls that wait in a queue or stand in a graph. 0.7 of CUB's time is 1.43 times its speed.
  for (int const power : {20, 16}) {
    std::string const name = "inclusive_i32_2^" + std::to_string(power);
    std::size_t const n = std::size_t{1} << power;
    add<std::int32_t>(name + "_queued", {.n = n, .how = timing::queued, .bars = {{"x_cub", 1 / 0.7, 1 / 0.5}}}, 100);
    add<std::int32_t>(name + "_graph", {.n = n, .how = timing::graph, .bars = {{"x_cub", 1 / 0.7, 1 / 0.5}}}, 100);
  }

  add<std::int32_t>("right_to_left_i32_2^28", {.n = huge, .reverse = true, .beside_plain = true, .bars = {{"of_plain", 0.98, 1.0}}},
                    rounds);
  add<std::int32_t>("in_place_i32_2^28", {.n = huge, .in_place = true, .beside_plain = true, .bars = {{"of_plain", 0.98, 1.0}}},
                    rounds);
  add<std::int32_t>("misaligned_i32_2^28",
                    {.n = huge, .misaligned = 1, .beside_plain = true, .bars = {{"share_of_copy", 0.90, 0.95}}}, rounds);
  add<float>("reproducible_f32_2^28",
             {.n = huge, .reproducible = true, .beside_plain = true, .bars = {{"share_of_copy", 0.88, 0.95}}}, rounds);
}

}  // namespace bench
