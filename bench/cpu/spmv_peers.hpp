// Enters Eigen into a contest: its rows by OpenMP, and by one thread.
#pragma once
#include <lookback/csr.hpp>
#include <lookback/spmv_plan.hpp>

#include "eigen_spmv.hpp"
#include "harness.hpp"

namespace bench {

template <class T>
struct spmv_peers {
  lookback::csr_view<T, std::int32_t, std::int32_t> a;
  T const* x;
  T* y;
  template <class Operands>
  spmv_peers(device const&, Operands& of) : a{of.matrix()}, x{of.x.data()}, y{of.y.data()} {}

  void enter(contest& c, device const& d, timing how) const {
    for (int const threads : {settings().threads, 1})
      c.enter(threads == 1 ? "eigen_1_thread" : "eigen", d.timed(how, [*this, threads] {
        eigen_spmv(a.rows, a.columns, a.offsets.data(), a.column_indices.data(), a.values.data(), x, y, threads);
      }));
  }
};

}  // namespace bench
