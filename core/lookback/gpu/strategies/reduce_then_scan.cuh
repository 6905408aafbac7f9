// Two passes over the items: reduce every tile, scan the aggregates in a kernel of its own, scan every tile again from its prefix.
// Source: Sengupta, Harris, Zhang & Owens 2007.
#pragma once
#include "../protocol/aggregates.cuh"
#include "prefix_exchange.cuh"

namespace lookback::gpu {

template <>
struct prefix_exchange<reduce_then_scan, part::reduce> : publishing_exchange<reduce_then_scan> {
  static constexpr bool stores = false, is_local = false;
};
template <>
struct prefix_exchange<reduce_then_scan, part::scan> : known_prefix_exchange<reduce_then_scan> {};

/// All kernels are loaded before the first is queued. `resolve` turns aggregates into prefixes (scan_aggregates).
template <class Policy, class Launch, class Resolve>
void run_kernels(reduce_then_scan, Policy const& on, Launch& launch, Resolve const& resolve) {
  using reduces = prefix_exchange<reduce_then_scan, part::reduce>;
  using scans = prefix_exchange<reduce_then_scan, part::scan>;
  launch.template prepare<reduces>();
  launch.template prepare<scans>();
  resolve(detail::turn::load);
  launch.template enqueue<reduces>();
  half_call begun(on.scratch);
  resolve(detail::turn::enqueue);
  launch.template enqueue<scans>();
  begun.is_whole();
}

}  // namespace lookback::gpu
