// Enters the CPU's peers into a contest: what a user would write instead.
#pragma once
#include <tbb/blocked_range.h>
#include <tbb/parallel_scan.h>

#include <algorithm>
#include <execution>
#include <numeric>

#include "harness.hpp"

namespace bench {

template <class T, class Op>
void tbb_scan(T const* in, T* out, std::size_t n, T identity, bool exclusive, Op op) {
  tbb::parallel_scan(
      tbb::blocked_range<std::size_t>(0, n), identity,
      [=](tbb::blocked_range<std::size_t> const& r, T sum, bool is_final) {
        if (!is_final) {
          for (std::size_t i = r.begin(); i != r.end(); ++i) sum = op(sum, in[i]);
          return sum;
        }
        for (std::size_t i = r.begin(); i != r.end(); ++i) {
          T const next = op(sum, in[i]);
          out[i] = exclusive ? sum : next;
          sum = next;
        }
        return sum;
      },
      op);
}

/// std, std with execution::par, tbb::parallel_scan.
template <class T, class Op = std::plus<T>>
void enter_scan_peers(contest& c, device& d, timing how, T const* in, T* out, std::size_t n, bool exclusive, T identity = T{},
                      Op op = {}) {
  c.enter("std", d.timed(how, [=] {
    if (exclusive) std::exclusive_scan(in, in + n, out, identity, op);
    else std::inclusive_scan(in, in + n, out, op);
  }));
  c.enter("std_par", d.timed(how, [=] {
    if (exclusive) std::exclusive_scan(std::execution::par, in, in + n, out, identity, op);
    else std::inclusive_scan(std::execution::par, in, in + n, out, op);
  }));
  c.enter("tbb", d.timed(how, [=] { tbb_scan(in, out, n, identity, exclusive, op); }));
}

/// The larger of two floats, as a user writes it: whatever it makes of a NaN.
struct larger {
  template <class T>
  T operator()(T a, T b) const {
    return std::max(a, b);
  }
};

template <class T>
void enter_matrix_peers(contest& c, device& d, T const* in, T* out, std::size_t n) {
  c.enter("std", d.timed(timing::single, [=] { std::inclusive_scan(in, in + n, out, times_matrices{}); }));
}

/// The plain loop over flags: nothing in std or oneTBB scans segments.
struct segmented_peers {
  array<std::uint8_t> flags;
  segmented_peers(device& d, std::vector<std::int32_t> const& starts) : flags(d.filled(flags_at(starts))) {}

  template <class T, class Op = std::plus<T>>
  void enter(contest& c, device& d, T const* in, T* out, std::size_t n, Op op = {}) const {
    c.enter("loop", d.timed(timing::single, [=, f = flags.data()] {
      T sum{};
      for (std::size_t i = 0; i < n; ++i) out[i] = sum = f[i] ? in[i] : op(sum, in[i]);
    }));
  }
};

}  // namespace bench
