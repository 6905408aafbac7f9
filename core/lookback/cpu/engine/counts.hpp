// Where a call leaves counts that the caller waits for.
#pragma once
#include <array>
#include <type_traits>

#include "../run/policy.hpp"
#include "../simd/unit.hpp"

namespace lookback::cpu::inline LOOKBACK_UNIT {

/// K counts, here: a call on the CPU has waited.
template <int K>
class count_storage {
 public:
  index_t* data() { return counts_.data(); }
  std::array<index_t, static_cast<std::size_t>(K)> wait() { return counts_; }

 private:
  std::array<index_t, static_cast<std::size_t>(K)> counts_{};
};

/// Room for the K counts of one call, which `wait()` returns.
template <int K, class Strategy, class Carry, bool Reproducible>
count_storage<K> count_storage_for(policy<Strategy, Carry, Reproducible> const&, std::integral_constant<int, K>) {
  return {};
}

}  // namespace lookback::cpu::inline LOOKBACK_UNIT
