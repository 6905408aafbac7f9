// Sparse products of one type on the CPU.
#pragma once
#include "by_strategy.hpp"
#include "call_spmv.hpp"
#include "on_workers.hpp"

namespace lookback::dispatch {

/// Plain and scaled products of floats and complex numbers; what is rare has one form for both.
template <class T>
void multiply_cpu(place const& on, spmv_request const& r) {
  constexpr bool only_scaled = std::is_integral_v<T>;
  auto const workers = on_workers(on, r.how);
  if constexpr (std::is_floating_point_v<T>) {
    if (r.reproducible) {
      auto const same_bits = workers.with(reproducible);
      if (r.column_type == element::i64) return multiply_on<T, std::int64_t, true>(same_bits, r);
      return multiply_on<T, std::int32_t, true>(same_bits, r);
    }
    if (r.column_type == element::i64) return multiply_on<T, std::int64_t, true>(workers, r);
    if (is_compared(r.how))
      return by_strategy<true>(workers, r.how, [&](auto const& policy) { multiply_on<T, std::int32_t, true>(policy, r); });
  }
  multiply_on<T, std::int32_t, only_scaled>(workers, r);
}

}  // namespace lookback::dispatch
