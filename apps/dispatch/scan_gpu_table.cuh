// The GPU's operators of one width: as few kernels as there are different ones, each for plain and segmented scans.
#pragma once
#include "by_strategy.hpp"
#include "call_scan.hpp"
#include "on_queue.cuh"
#include "scan_tables.hpp"

namespace lookback::dispatch {

static_assert(reproducible_tile_bytes_on_gpu == gpu::tuning<>::threads * gpu::tuning<>::bytes_per_thread);

template <class T>
auto queue_of(place const& on, scan_request const& request) {
  auto const queue = on_queue(on);
  return std::is_floating_point_v<T> && request.reproducible ? queue.with(reproducible) : queue;
}

/// Chunks run by the kernels of a whole that is not small: a carry without a key takes no others.
template <class T, class Op, bool EveryStrategy>
void scan_gpu(place const& on, scan_request const& request) {
  if (request.state) return call_scan<T, Op>(queue_of<T>(on, request).with(carry_of<T, char>(request)), request);
  by_strategy<EveryStrategy, stored::values>(queue_of<T>(on, request), request.how,
                                             [&](auto const& queue) { call_scan<T, Op>(queue, request); });
}
template <class T, class Op, bool EveryStrategy, class Bits>
void scan_gpu_flipped(place const& on, scan_request const& request, Bits mask) {
  if (request.state) return call_scan_flipped<T, Op>(queue_of<T>(on, request).with(carry_of<T, char>(request)), request, mask);
  by_strategy<EveryStrategy, stored::mapped_values>(queue_of<T>(on, request), request.how,
                                                    [&](auto const& queue) { call_scan_flipped<T, Op>(queue, request, mask); });
}

/// A strategy that finishes stored values must find them as it stored them, so that its maximum is not a flipped minimum.
template <class T>
void propagate_maximum(place const& on, scan_request const& request) {
  call_scan<T, maximum<T>>(on_queue(on).with(scan_then_propagate{}), request);
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
      if constexpr (every)
        if (request.how == strategy::scan_then_propagate) return propagate_maximum<Signed>(on, request);
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
      if (request.op == operation::max && request.how == strategy::scan_then_propagate) return propagate_maximum<T>(on, request);
      return scan_gpu_flipped<T, minimum<T>, true>(on, request, request.op == operation::max ? sign : none);
  }
}

}  // namespace lookback::dispatch
