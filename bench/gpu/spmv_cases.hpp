// What spmv is measured by on a GPU: against a copy of the bytes of which none is read twice, and the best of cuSPARSE. Beside
// irregular matrices stands the same with every column 0: what reads of x cost is then none of it.
#pragma once

namespace bench {

template <class T>
void add_spmv_cases_of(std::string const& type) {
  using namespace lookback::app;
  using lookback::index_t;
  using bars = std::vector<bar>;
  auto const enter = [&](std::string const& name, maker make, bars must, maker beside = {}) {
    add<T>(type + "_" + name, {.make = std::move(make), .beside = std::move(beside), .bars = std::move(must)}, 21);
  };
  auto const in_column_0 = [](maker make) {
    return [make](generation const& how) {
      matrix made = make(how);
      order_columns(made, column_order::all_zero, how);
      return made;
    };
  };
  bars const regular{{"share_of_copy", 0.90, 0.95}, {"x_best", 0.97, 1.03}};
  enter(
      "poisson_2d_4000", [](generation const& how) { return poisson_2d(4000, how); }, regular);
  if (sizeof(T) == 8)
    enter(
        "poisson_3d_27_200", [](generation const& how) { return poisson_3d(200, 27, how); }, regular);
  for (int const scale : {20, 21, 22}) {
    maker const make = [=](generation const& how) { return rmat({.scale = scale}, how); };
    enter("rmat_" + std::to_string(scale), make, {{"x_best", 1.05, 1.25}});
    add<T>(type + "_planned_rmat_" + std::to_string(scale),
           {.make = make, .planned = true, .bars = {{"x_best", 1.05, 1.25}, {"of_plain", 1.05, 1.25}}}, 21);
    enter("rmat_" + std::to_string(scale) + "_column_0", in_column_0(make), {{"share_of_copy", 0.85, 0.93}});
  }
  auto const with_row_in = [](index_t pieces) {
    return [=](generation const& how) {
      auto const others = geometric_rows(1 << 20, 3, {.columns = 1 << 24, .reach = 1000}, how);
      return with_long_row(others, {.nonzeros = 1 << 24, .pieces = pieces}, how);
    };
  };
  enter("long_row", with_row_in(1), {{"x_best", 1.3, 2.0}, {"of_plain", 0.95, 0.98}}, with_row_in(1000));
  auto const short_rows = [](double mean) {
    return [=](generation const& how) {
      auto const rows = static_cast<index_t>((1 << 26) / mean);
      return geometric_rows(rows, mean, {.columns = rows, .reach = 1000}, how);
    };
  };
  bars const of_copy{{"share_of_copy", 0.80, 0.90}};
  enter("geometric_1", short_rows(1), of_copy);
  enter("geometric_2", short_rows(2), {{"share_of_copy", 0.80, 0.90}, {"x_best", 1.2, 1.5}});
  enter("geometric_3", short_rows(3), of_copy);
  enter("geometric_4", short_rows(4), {{"x_best", 1.2, 1.5}});
  for (int const percent : {90, 99})
    enter("empty_" + std::to_string(percent) + "_percent",
          [=](generation const& how) {
            return empty_rows(1 << 26, {.share = percent / 100.0}, {.columns = 1 << 26, .reach = 1000}, how);
          },
          {{"share_of_copy", 1 / 1.15, 1 / 1.05}});
  auto const varied = [&](double variation) {
    return in_column_0([=](generation const& how) {
      return varied_rows({.nonzeros = 1 << 25, .mean = 16, .variation = variation, .zipf = variation > 4}, {.columns = 1 << 24},
                         how);
    });
  };
  enter("variation_1", varied(1), {});
  for (int const variation : {4, 16, 64})
    enter("variation_" + std::to_string(variation), varied(variation), {{"of_plain", 0.90, 0.95}}, varied(1));
}

inline void add_spmv_cases() {
  add_spmv_cases_of<float>("f32");
  add_spmv_cases_of<double>("f64");
}

}  // namespace bench
