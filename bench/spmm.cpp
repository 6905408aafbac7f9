// Sparse matrix times 2, 4 and 8 vectors at once: beside one product, and beside Eigen, which knows how many they are, too.
#include <functional>
#include <generate/matrix_generators.hpp>
#include <lookback/spmm.hpp>

#include "eigen_spmv.hpp"
#include "main.hpp"
#include "sparse.hpp"

namespace bench {

using maker = std::function<lookback::app::matrix(lookback::app::generation const&)>;

template <class T, int K>
void multiply(benchmark::State& state, maker const& make, std::vector<bar> const& bars) {
  device d;
  auto const made = sparse_of<T>(make({.type = lookback::app::element_of<T>(), .seed = 7}));
  auto const host_x = uniform<T>(made.columns * K);
  auto const offsets = d.filled(made.offsets), column_indices = d.filled(made.column_indices);
  auto const values = d.filled(made.values), x = d.filled(host_x);
  auto y = d.template empty<T>(made.rows() * K);
  lookback::csr_view const a{static_cast<lookback::index_t>(made.rows()), static_cast<lookback::index_t>(made.columns), offsets,
                             column_indices, values};
  double const bytes = static_cast<double>(values.size()) * (sizeof(T) + 4) + static_cast<double>(offsets.size()) * 4 +
                       static_cast<double>(x.size() + y.size()) * sizeof(T);

  contest c(bytes, bytes);
  c.enter("lookback", d.timed(timing::single, [&] { lookback::spmm<K>(d.on(), a, x, y); }));
  c.enter("plain", d.timed(timing::single, [&] { lookback::spmv(d.on(), a, x, y); }));
  c.enter("eigen", d.timed(timing::single, [&] {
    eigen_spmm<T, K>(a.rows, a.columns, a.offsets.data(), a.column_indices.data(), a.values.data(), x.data(), y.data(),
                     settings().threads);
  }));
  auto const half = static_cast<std::size_t>(bytes) / 2;
  auto from = d.template empty<std::byte>(half), to = d.template empty<std::byte>(half);
  c.enter("copy", d.copy(timing::single, from.data(), to.data(), half));
  for (auto const& each : bars) c.must(each);
  c.run(state);

  lookback::spmm<K>(d.on(), a, x, y);
  for (std::size_t k = 0; k < K; ++k) {
    std::vector<T> column(made.columns), got(made.rows());
    for (std::size_t i = 0; i < column.size(); ++i) column[i] = host_x[i * K + k];
    for (std::size_t i = 0; i < got.size(); ++i) got[i] = y.data()[i * K + k];
    expect_product(made, column, got);
  }
}

template <class T, int K>
void add_spmm_cases_of(std::string const& type) {
  using namespace lookback::app;
  auto const enter = [&](std::string const& name, std::vector<bar> bars, auto make) {
    bars.push_back({"x_eigen", 0.95, 1.3});
    add_case("spmm/" + type + "_" + name + "_" + std::to_string(K), 11,
             [=](benchmark::State& state) { multiply<T, K>(state, make, bars); });
  };
  // Most of what is read is the matrix: up to four products take the time of two at most.
  std::vector<bar> const shared = K <= 4 ? std::vector<bar>{{"of_plain", 0.5, 0.7}} : std::vector<bar>{};
  enter("poisson_2d_2048", shared, [](generation const& how) { return poisson_2d(2048, how); });
  enter("rmat_18", {}, [](generation const& how) { return rmat({.scale = 18}, how); });
}

void add_spmm_cases() {
  add_spmm_cases_of<double, 2>("f64"), add_spmm_cases_of<double, 4>("f64"), add_spmm_cases_of<double, 8>("f64");
  add_spmm_cases_of<float, 2>("f32"), add_spmm_cases_of<float, 4>("f32"), add_spmm_cases_of<float, 8>("f32");
}

}  // namespace bench

int main(int argc, char** argv) { return bench::run_cases(argc, argv, bench::add_spmm_cases); }
