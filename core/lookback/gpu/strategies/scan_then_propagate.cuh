// Two passes over the items: scan every tile by itself and store it, scan the aggregates in a kernel of its own, read what was
// stored and put what comes before the tile before each value. It writes twice what reduce_then_scan writes once.
// Source: Merrill & Garland 2016, 3.2.
#pragma once
#include "../protocol/aggregates.cuh"
#include "prefix_exchange.cuh"

namespace lookback::gpu {

template <>
struct prefix_exchange<scan_then_propagate, part::scan> : publishing_exchange<scan_then_propagate> {
  static constexpr bool stores = true, is_local = true;
};
template <>
struct prefix_exchange<scan_then_propagate, part::propagate> : known_prefix_exchange<scan_then_propagate> {};

/// All kernels are loaded before the first is queued. `propagation` goes over the same tiles as `launch`.
template <class Policy, class Launch, class Propagation, class Resolve>
void run_kernels(scan_then_propagate, Policy const& on, Launch& launch, Propagation& propagation, Resolve const& resolve) {
  using scans = prefix_exchange<scan_then_propagate, part::scan>;
  using propagates = prefix_exchange<scan_then_propagate, part::propagate>;
  launch.template prepare<scans>();
  propagation.template prepare<propagates>();
  resolve(detail::turn::load);
  launch.template enqueue<scans>();
  half_call begun(on.scratch);
  resolve(detail::turn::enqueue);
  propagation.template enqueue<propagates>();
  begun.is_whole();
}

}  // namespace lookback::gpu
