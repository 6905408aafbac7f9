// Two passes over the items: reduce every tile, scan the aggregates in a kernel of its own, scan every tile again from its prefix.
// Source: Sengupta, Harris, Zhang & Owens 2007.
#pragma once
#include "../protocol/aggregates.cuh"
#include "prefix_exchange.cuh"

namespace lookback::gpu {

template <>
struct prefix_exchange<reduce_then_scan, part::reduce> {
  static constexpr bool stores = false, has_all_prefixes = false;
  template <class Tiles, class T>
  __device__ __forceinline__ static void early(Tiles const& tiles, index_t id, T const& aggregate, bool complete) {
    tiles.publish(id, complete ? status::prefix : status::aggregate, aggregate);
  }
};

template <>
struct prefix_exchange<reduce_then_scan, part::scan> {
  static constexpr bool stores = true, has_all_prefixes = true;
  template <class Tiles, class T>
  __device__ __forceinline__ static void early(Tiles const&, index_t, T const&, bool) {}
  template <class T, class Tiles, class Fold, class InOrder>
  __device__ __forceinline__ static T before(Tiles const& tiles, index_t id, bool, Fold const&, InOrder, exchange_call const&) {
    room<T> before;
    tiles.peek(id - 1, before);
    return before.value;
  }
  template <int Counters, class TilesOf>
  __device__ __forceinline__ static index_t before_of_each(TilesOf const& tiles_of, index_t id, exchange_call const&) {
    int const lane = threadIdx.x % 32;
    room<index_t> before;
    before.value = 0;
    if (lane < Counters) tiles_of(lane).peek(id - 1, before);
    return before.value;
  }
  template <class Tiles, class T>
  __device__ __forceinline__ static void late(Tiles const&, index_t, T const&) {}
};

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
