// sort_into on the CPU: a stable sort, by digits of numbers or by comparisons, of one array (sort_array.hpp) or of each segment
// (sort_segments.hpp).
#pragma once
#include <type_traits>

#include "../../model/sort_job.hpp"
#include "../engine/scatter_into.hpp"
#include "../run/policy.hpp"
#include "../simd/unit.hpp"
#include "gather.hpp"
#include "sort_array.hpp"
#include "sort_segments.hpp"

namespace lookback::cpu::inline LOOKBACK_UNIT {

/// Does what the job says. Waits. Throws out_of_memory before anything but scratch is written, and what the order threw: then one
/// array is unchanged, and of segments each is sorted or unchanged.
template <class Strategy, class Carry, bool Reproducible, class T, class Order, class Beside, class Segments>
void sort_into(policy<Strategy, Carry, Reproducible> const& on, sort_job<T, Order, Beside, Segments> const& job) {
  static_assert(std::is_same_v<Carry, no_carry>, "a carry is for scans, compactions and results of segments");
  index_t const n = count_of(job.size);
  if (n <= 0) return;
  index_t const bytes = n * static_cast<index_t>(sizeof(T) + packed_bytes<Beside>);
  index_t const times = comparison<Order> ? times_of_comparisons : 1;
  sort_workers const workers{on.executor, on.memory, on.tuning, detail::workers_of(on, times * bytes)};
  if constexpr (std::is_same_v<Segments, no_segments>) sort_array(workers, job, n);
  else sort_segments(workers, job, n);
}

}  // namespace lookback::cpu::inline LOOKBACK_UNIT
