// Sparse matrix times vector: grids, power laws, one long row among short ones, and short rows alone.
#include <common/matrix_generators.hpp>
#include <lookback/spmv.hpp>

#include "main.hpp"
#include "sparse.hpp"
#include "spmv_peers.hpp"

namespace bench {

struct spmv_case {
  std::function<lookback::app::matrix(lookback::app::generation const&)> make;
  timing how = timing::single;
  std::vector<bar> bars{};
};

/// Bytes of a model that reads every word of the matrix, and of x, once.
template <class T>
void multiply(benchmark::State& state, spmv_case const& which) {
  device d;
  auto const on_host = sparse_of<T>(which.make({.type = lookback::app::element_of<T>(), .seed = 7}));
  auto const host_x = uniform<T>(on_host.columns);
  auto const offsets = d.filled(on_host.offsets), column_indices = d.filled(on_host.column_indices);
  auto const values = d.filled(on_host.values), x = d.filled(host_x);
  auto y = d.template empty<T>(on_host.rows());
  double const nonzeros = static_cast<double>(values.size()), rows = static_cast<double>(y.size());
  double const bytes = nonzeros * (sizeof(T) + 4) + static_cast<double>(offsets.size()) * 4 +
                       (rows + static_cast<double>(x.size())) * static_cast<double>(sizeof(T));
  state.counters["nonzeros"] = nonzeros;
  lookback::csr_view const a{static_cast<lookback::index_t>(y.size()), static_cast<lookback::index_t>(x.size()), offsets,
                             column_indices, values};

  contest c(bytes, bytes);
  auto const ours = [&] { lookback::spmv(d.on(), a, x, y); };
  c.enter("lookback", d.timed(which.how, ours));
  spmv_peers<T> const peers(d, a, x.data(), y.data());
  peers.enter(c, d, which.how);
  auto const half = static_cast<std::size_t>(bytes) / 2;
  auto from = d.template empty<std::byte>(half), to = d.template empty<std::byte>(half);
  c.enter("copy", d.copy(which.how, from.data(), to.data(), half));
  for (auto const& each : which.bars) c.must(each);
  c.run(state);

  ours();
  expect_product(on_host, host_x, d.fetched(y.data(), y.size()));
}

template <class T>
void add(std::string const& name, spmv_case const& which, int rounds) {
  add_case("spmv/" + name, rounds, [which](benchmark::State& state) { multiply<T>(state, which); });
}

}  // namespace bench

#include "spmv_cases.hpp"

int main(int argc, char** argv) { return bench::run_cases(argc, argv, bench::add_spmv_cases); }
