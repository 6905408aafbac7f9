// One pass: a tile publishes its aggregate, looks back for its prefix, and publishes that. Source: Merrill & Garland 2016; for
// tiles with a head, which publish a prefix early, van den Hurk 2022.
#pragma once
#include "../protocol/look_back.cuh"
#include "prefix_exchange.cuh"

namespace lookback::gpu {

template <>
struct prefix_exchange<decoupled_look_back> : one_pass_exchange<decoupled_look_back> {
  template <class Tiles, class T>
  __device__ __forceinline__ static void early(Tiles const& tiles, index_t id, T const& aggregate, bool complete) {
    tiles.publish(id, complete ? status::prefix : status::aggregate, aggregate);
  }
  template <class T, class Tiles, class Fold, class InOrder>
  __device__ __forceinline__ static T before(Tiles const& tiles, index_t id, bool, Fold const& fold, InOrder in_order,
                                             exchange_call const&) {
    if constexpr (std::is_same_v<InOrder, std::false_type>) return look_back<T>(tiles, id, fold);
    else return in_order ? look_back_in_order<T>(tiles, id, fold) : look_back<T>(tiles, id, fold);
  }
  template <int Counters, class TilesOf>
  __device__ __forceinline__ static index_t before_of_each(TilesOf const& tiles_of, index_t id, exchange_call const&) {
    index_t mine = 0;
#pragma unroll(Counters <= 4 ? Counters : 1)
    for (int c = 0; c < Counters; ++c) {
      index_t const before = look_back<index_t>(tiles_of(c), id, sum_of_counts{{}, false});
      if (static_cast<int>(threadIdx.x % 32) == c) mine = before;
    }
    return mine;
  }
  template <class Tiles, class T>
  __device__ __forceinline__ static void late(Tiles const& tiles, index_t id, T const& prefix) {
    tiles.publish(id, status::prefix, prefix);
  }
};

}  // namespace lookback::gpu
