// What the 32 threads of a warp do together with values of any trivially copyable type.
#pragma once
#include <cstring>

#include "../../operators.hpp"
#include "../protocol/descriptors.cuh"

namespace lookback::gpu {

inline constexpr unsigned all_lanes = ~0u;

/// The value that lane `from` holds.
template <class T>
__device__ __forceinline__ T shuffle(T const& value, int from) {
  constexpr int words = (sizeof(T) + 3) / 4;
  std::uint32_t buffer[words] = {};
  memcpy(buffer, &value, sizeof(T));
#pragma unroll
  for (int w = 0; w < words; ++w) buffer[w] = __shfl_sync(all_lanes, buffer[w], from);
  room<T> result;
  memcpy(&result, buffer, sizeof(T));
  return result.value;
}

/// Lanes, warps and threads in the order of the scan. From right to left the last thread in memory comes first.
struct scan_order {
  bool reversed;
  __device__ __forceinline__ int lane() const { return reversed ? 31 - threadIdx.x % 32 : threadIdx.x % 32; }
  __device__ __forceinline__ unsigned ballot(bool predicate) const {
    unsigned const lanes = __ballot_sync(all_lanes, predicate);
    return reversed ? __brev(lanes) : lanes;
  }
  template <class T>
  __device__ __forceinline__ T from(T const& value, int lane) const {
    return shuffle(value, reversed ? 31 - lane : lane);
  }
};

/// An operator whose operands stay in memory order whatever the direction of the scan.
template <class Op>
struct directed {
  Op op;
  bool reversed;
  static __device__ __forceinline__ auto identity() { return Op::identity(); }
  template <class T>
  __device__ __forceinline__ T operator()(T const& earlier, T const& later) const {
    if constexpr (is_commutative<Op>) return op(earlier, later);
    else return reversed ? static_cast<T>(op(later, earlier)) : static_cast<T>(op(earlier, later));
  }
};

/// Inclusive scan over lanes [start, end) in scan order, where `start` is at most the own lane: lanes before it are not looked
/// at, lanes at or after `end` keep what they have. Five Kogge-Stone steps; `start` may differ from lane to lane (segments).
template <class T, class Op>
__device__ __forceinline__ T warp_scan(T value, Op const& op, scan_order order, int start, int end) {
  int const lane = order.lane();
#pragma unroll
  for (int distance = 1; distance < 32; distance *= 2) {
    T const earlier = order.from(value, lane >= distance ? lane - distance : lane);
    if (lane - distance >= start && lane < end) value = op(earlier, value);
  }
  return value;
}

/// The last of the lanes of a set up to `lane`, where a scan of segments starts; 0 if there is none.
__device__ __forceinline__ int last_lane_upto(unsigned set, int lane) {
  unsigned const upto = set & ((2u << lane) - 1);
  return upto ? 31 - __clz(static_cast<int>(upto)) : 0;
}

/// The sum of the values of lanes 0 to this one, in memory order.
__device__ __forceinline__ std::uint32_t sum_of_lanes_upto(std::uint32_t value) {
  unsigned const lane = threadIdx.x % 32;
#pragma unroll
  for (unsigned distance = 1; distance < 32; distance *= 2) {
    std::uint32_t const earlier = __shfl_up_sync(all_lanes, value, distance);
    if (lane >= distance) value += earlier;
  }
  return value;
}

namespace detail {
template <class Op>
inline constexpr int redux_kind = 0;
template <class T>
inline constexpr int redux_kind<plus<T>> = std::is_integral_v<T> && sizeof(T) <= 4 ? 1 : 0;
template <class T>
inline constexpr int redux_kind<bit_and<T>> = sizeof(T) <= 4 ? 2 : 0;
template <class T>
inline constexpr int redux_kind<bit_or<T>> = sizeof(T) <= 4 ? 3 : 0;
template <class T>
inline constexpr int redux_kind<bit_xor<T>> = sizeof(T) <= 4 ? 4 : 0;
template <class T>
inline constexpr int redux_kind<minimum<T>> = std::is_integral_v<T> && sizeof(T) <= 4 ? 5 : 0;
template <class T>
inline constexpr int redux_kind<maximum<T>> = std::is_integral_v<T> && sizeof(T) <= 4 ? 6 : 0;
template <class Fold>
struct redux_of {
  static constexpr int kind = 0;
};
template <class Op>
struct redux_of<directed<Op>> {
  using type = Op;
  static constexpr int kind = redux_kind<Op>;
};
}  // namespace detail

/// Folds lanes 0 .. last, lane 0 being the *latest* in scan order: v[last] op ... op v[1] op v[0]. Every lane gets the result.
template <class T, class Fold>
__device__ __forceinline__ T fold_back(T value, Fold const& op, int last) {
  constexpr int kind = detail::redux_of<Fold>::kind;
  int const lane = threadIdx.x % 32;
  if constexpr (kind != 0) {
    using Op = typename detail::redux_of<Fold>::type;
    using wide = std::conditional_t<std::is_signed_v<T>, int, unsigned>;
    wide const mine = lane <= last ? static_cast<wide>(value) : static_cast<wide>(Op::identity());
    if constexpr (kind == 1) return static_cast<T>(__reduce_add_sync(all_lanes, static_cast<unsigned>(mine)));
    if constexpr (kind == 2) return static_cast<T>(__reduce_and_sync(all_lanes, static_cast<unsigned>(mine)));
    if constexpr (kind == 3) return static_cast<T>(__reduce_or_sync(all_lanes, static_cast<unsigned>(mine)));
    if constexpr (kind == 4) return static_cast<T>(__reduce_xor_sync(all_lanes, static_cast<unsigned>(mine)));
    if constexpr (kind == 5) return static_cast<T>(__reduce_min_sync(all_lanes, mine));
    if constexpr (kind == 6) return static_cast<T>(__reduce_max_sync(all_lanes, mine));
  } else {
#pragma unroll
    for (int distance = 1; distance < 32; distance *= 2) {
      T const earlier = shuffle(value, lane + distance < 32 ? lane + distance : lane);
      if (lane + distance <= last) value = op(earlier, value);
    }
    return shuffle(value, 0);
  }
}

}  // namespace lookback::gpu
