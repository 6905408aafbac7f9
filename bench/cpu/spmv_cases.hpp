// What spmv is measured by on a CPU: against Eigen's loop over the rows, which OpenMP deals to as many threads.
#pragma once

namespace bench {

template <class T>
void add_spmv_cases_of(std::string const& type) {
  using namespace lookback::app;
  using lookback::index_t;
  auto const must = [](double least, double aim) { return std::vector<bar>{{"x_eigen", least, aim}}; };
  auto const enter = [&](std::string const& name, auto make, std::vector<bar> bars, int rounds) {
    add<T>(type + "_" + name, {.make = make, .bars = std::move(bars)}, rounds);
  };
  enter(
      "poisson_2d_2048", [](generation const& how) { return poisson_2d(2048, how); }, must(1.25, 1.5), 11);
  enter(
      "poisson_3d_7_128", [](generation const& how) { return poisson_3d(128, 7, how); }, must(1.25, 1.5), 11);
  enter(
      "poisson_3d_27_128", [](generation const& how) { return poisson_3d(128, 27, how); }, must(1.25, 1.5), 7);
  enter(
      "rmat_18", [](generation const& how) { return rmat({.scale = 18}, how); }, must(1.2, 1.6), 15);
  enter(
      "rmat_20", [](generation const& how) { return rmat({.scale = 20}, how); }, must(1.2, 1.6), 11);
  enter(
      "long_row",
      [](generation const& how) {
        auto const others = geometric_rows(1 << 18, 3, {.columns = 1 << 22, .reach = 1000}, how);
        return with_long_row(others, {.nonzeros = 1 << 22}, how);
      },
      must(1.5, 1.9), 15);
  for (int const mean : {2, 4, 16})
    for (index_t const reach : {1000, 0})
      enter(
          "geometric_" + std::to_string(mean) + (reach > 0 ? "_near" : "_far"),
          [=](generation const& how) {
            index_t const rows = (1 << 22) / mean;
            return geometric_rows(rows, mean, {.columns = rows, .reach = reach}, how);
          },
          must(0.95, 1.1), 15);
  enter(
      "empty_90_percent",
      [](generation const& how) { return empty_rows(1 << 22, {.share = 0.9}, {.columns = 1 << 22, .reach = 1000}, how); }, {}, 15);
}

inline void add_spmv_cases() {
  add_spmv_cases_of<double>("f64");
  add_spmv_cases_of<float>("f32");
}

}  // namespace bench
