// The plain scans that a CPU is measured by: against the best of std, std with execution::par and tbb::parallel_scan, and against a
// copy by as many threads with streaming stores.
#pragma once

namespace bench {

inline void add_scan_cases() {
  bar const copy{"share_of_copy", 0.83, 0.95};
  for (int const power : {27, 24}) {
    std::string const at = "_2^" + std::to_string(power);
    std::size_t const n = std::size_t{1} << power;
    int const rounds = power == 27 ? 9 : 25;
    add<std::int32_t>("inclusive_i32" + at, {.n = n, .bars = {{"x_best", 1.6, 1.85}, copy}}, rounds);
    add<double>("inclusive_f64" + at, {.n = n, .bars = {{"x_best", 1.6, 1.85}, copy}}, rounds);
    add<float>("inclusive_f32" + at, {.n = n, .bars = {{"x_best", 2.2, 2.5}, copy}}, rounds);
    add<std::int32_t>("in_place_i32" + at, {.n = n, .in_place = true, .bars = {{"x_best", 1.8, 2.0}}}, rounds);
  }
  std::size_t const medium = std::size_t{1} << 24, cached = std::size_t{1} << 20;
  add<std::int32_t>("inclusive_i32_2^20", {.n = cached, .bars = {{"x_best", 3.0, 4.0}}}, 51);
  add<float>("inclusive_f32_2^20", {.n = cached, .bars = {{"x_best", 4.0, 6.0}}}, 51);
  add<double>("inclusive_f64_2^20", {.n = cached, .bars = {{"x_best", 2.5, 3.5}}}, 51);
  add<std::int32_t>("exclusive_i32_2^24", {.n = medium, .exclusive = true, .bars = {copy}}, 25);
  add<std::int32_t>("right_to_left_i32_2^24",
                    {.n = medium, .reverse = true, .beside_plain = true, .bars = {{"of_plain", 0.98, 1.0}}}, 25);
  add<float>("reproducible_f32_2^24", {.n = medium, .reproducible = true, .beside_plain = true, .bars = {{"of_plain", 0.5, 0.8}}},
             25);
  add_matrices(std::size_t{1} << 20, 15);
}

}  // namespace bench
