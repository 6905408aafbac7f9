// The GPU's operators of one width: as few kernels as there are different ones, each for plain and segmented scans.
#pragma once
#include <lookback/gpu.cuh>

#include "call_scan.hpp"
#include "scan_tables.hpp"

namespace lookback::dispatch {

/// call(policy) with the policy that the request asks for.
template <class T, bool EveryStrategy, class Call>
void scan_gpu_by(place const& on, scan_request const& request, Call call) {
  auto const queue = gpu::on(static_cast<cudaStream_t>(on.stream)).with(*static_cast<gpu::workspace*>(on.workspace));
  if constexpr (EveryStrategy)
    if (request.how == strategy::reduce_then_scan) return call(queue.with(reduce_then_scan{}));
  if (std::is_floating_point_v<T> && request.reproducible) return call(queue.with(reproducible));
  call(queue);
}

template <class T, class Op, bool EveryStrategy>
void scan_gpu(place const& on, scan_request const& request) {
  scan_gpu_by<T, EveryStrategy>(on, request, [&](auto const& queue) { call_scan<T, Op>(queue, request); });
}
template <class T, class Op, bool EveryStrategy, class Bits>
void scan_gpu_flipped(place const& on, scan_request const& request, Bits mask) {
  scan_gpu_by<T, EveryStrategy>(on, request, [&](auto const& queue) { call_scan_flipped<T, Op>(queue, request, mask); });
}

/// Wrapping sums and products and the bit operators of an integer depend on its width alone, so they run as unsigned: one kernel
/// for two types. A mask makes one kernel serve for min and max of both, and one for `and` and `or`; 8-bit tables
/// compile in 24 s instead of 38.
template <class Signed, class Unsigned>
void scan_gpu_integer(place const& on, scan_request const& request) {
  constexpr Unsigned none = 0, all = static_cast<Unsigned>(~none), highest_bit = static_cast<Unsigned>(all - all / 2);
  constexpr bool every = sizeof(Signed) == 4;
  Unsigned const sign = is_signed_integer(request.type) ? none : highest_bit;
  switch (request.op) {
    case operation::plus:
      return scan_gpu<Unsigned, plus<Unsigned>, every>(on, request);
    case operation::multiplies:
      return scan_gpu<Unsigned, multiplies<Unsigned>, false>(on, request);
    case operation::bit_xor:
      return scan_gpu<Unsigned, bit_xor<Unsigned>, false>(on, request);
    case operation::bit_and:
      return scan_gpu_flipped<Unsigned, bit_and<Unsigned>, false>(on, request, none);
    case operation::bit_or:
      return scan_gpu_flipped<Unsigned, bit_and<Unsigned>, false>(on, request, all);
    case operation::min:
      return scan_gpu_flipped<Signed, minimum<Signed>, every>(on, request, sign);
    case operation::max:
      return scan_gpu_flipped<Signed, minimum<Signed>, every>(on, request, static_cast<Unsigned>(sign ^ all));
  }
}

template <class T>
void scan_gpu_float(place const& on, scan_request const& request) {
  using bits = std::conditional_t<sizeof(T) == 4, std::uint32_t, std::uint64_t>;
  constexpr bits none = 0, sign = bits{1} << (8 * sizeof(T) - 1);
  switch (request.op) {
    case operation::plus:
      return scan_gpu<T, plus<T>, true>(on, request);
    case operation::multiplies:
      return scan_gpu<T, multiplies<T>, false>(on, request);
    default:
      return scan_gpu_flipped<T, minimum<T>, true>(on, request, request.op == operation::max ? sign : none);
  }
}

}  // namespace lookback::dispatch
