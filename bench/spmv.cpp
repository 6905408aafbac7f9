// Sparse matrix times vector: grids, power laws, one long row among short ones, and short rows alone.
#include <chrono>
#include <generate/matrix_generators.hpp>
#include <optional>

#include "main.hpp"
#include "sparse.hpp"
#include "spmv_peers.hpp"

namespace bench {

using maker = std::function<lookback::app::matrix(lookback::app::generation const&)>;

struct spmv_case {
  maker make;
  maker beside{};        // another matrix, whose product is "plain": what the rows of the first cost
  bool planned = false;  // the product by a plan; that without one is "plain"
  timing how = timing::single;
  std::vector<bar> bars{};
};

/// A matrix, a vector and a place for their product, where the calls run.
template <class T>
struct operands {
  sparse<T> on_host;
  std::vector<T> host_x;
  array<std::int32_t> offsets, column_indices;
  array<T> values, x, y;

  operands(device& d, maker const& make)
      : on_host{sparse_of<T>(make({.type = lookback::app::element_of<T>(), .seed = 7}))},
        host_x{uniform<T>(on_host.columns)},
        offsets{d.filled(on_host.offsets)},
        column_indices{d.filled(on_host.column_indices)},
        values{d.filled(on_host.values)},
        x{d.filled(host_x)},
        y{d.template empty<T>(on_host.rows())} {}

  auto matrix() const {
    return lookback::csr_view{static_cast<lookback::index_t>(y.size()), static_cast<lookback::index_t>(x.size()), offsets,
                              column_indices, values};
  }
  void multiply(device& d) { lookback::spmv(d.on(), matrix(), x, y); }
  /// Of a model that reads every word of the matrix, and of x, once.
  double bytes() const {
    return static_cast<double>(values.size()) * (sizeof(T) + 4) + static_cast<double>(offsets.size()) * 4 +
           static_cast<double>(x.size() + y.size()) * static_cast<double>(sizeof(T));
  }
};

template <class T>
using plan_of = decltype(lookback::spmv_plan(std::declval<device&>().on(), std::declval<operands<T> const&>().matrix()));

/// What a plan keeps, what the host waits for one to be made and destroyed, and after how many products that is paid back.
template <class Plan, class Make>
void report_plan(benchmark::State& state, Plan const& plan, Make make) {
  std::vector<double> took;
  for (int k = 0; k < 7; ++k) {
    auto const start = std::chrono::steady_clock::now();
    make();
    took.push_back(std::chrono::duration<double, std::micro>(std::chrono::steady_clock::now() - start).count());
  }
  auto& out = state.counters;
  out["kept_columns"] = static_cast<double>(plan.cached_columns());
  out["share_kept"] = plan.cached_share();
  out["plan_us"] = median(took);
  if (double const gained = out["us:plain"] - out["us:lookback"]; gained > 0) out["pays_back_after"] = median(took) / gained;
}

template <class T>
void multiply(benchmark::State& state, spmv_case const& which) {
  device d;
  operands<T> all(d, which.make);
  double const bytes = all.bytes();
  state.counters["nonzeros"] = static_cast<double>(all.values.size());

  contest c(bytes, bytes);
  std::optional<plan_of<T>> plan;
  if (which.planned) plan.emplace(d.on(), all.matrix());
  auto const multiply = [&] {
    if (plan) lookback::spmv(d.on(), *plan, all.x, all.y);
    else all.multiply(d);
  };
  c.enter("lookback", d.timed(which.how, multiply));
  if (plan) c.enter("plain", d.timed(which.how, [&] { all.multiply(d); }));
  std::optional<operands<T>> others;
  if (which.beside) {
    others.emplace(d, which.beside);
    c.enter("plain", d.timed(which.how, [&] { others->multiply(d); }));
  }
  spmv_peers<T> const peers(d, all);
  peers.enter(c, d, which.how);
  auto const half = static_cast<std::size_t>(bytes) / 2;
  auto from = d.template empty<std::byte>(half), to = d.template empty<std::byte>(half);
  c.enter("copy", d.copy(which.how, from.data(), to.data(), half));
  for (auto const& each : which.bars) c.must(each);
  c.run(state);

  if (plan) report_plan(state, *plan, [&] { plan_of<T>(d.on(), all.matrix()); });
  multiply();
  expect_product(all.on_host, all.host_x, d.fetched(all.y.data(), all.y.size()));
}

template <class T>
void add(std::string const& name, spmv_case const& which, int rounds) {
  add_case("spmv/" + name, rounds, [which](benchmark::State& state) { multiply<T>(state, which); });
}

}  // namespace bench

#include "spmv_cases.hpp"

int main(int argc, char** argv) { return bench::run_cases(argc, argv, bench::add_spmv_cases); }
