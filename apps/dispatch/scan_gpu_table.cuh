// The GPU's operators of one width: as scan_cpu_table.hpp, one kernel each for plain and segmented scans.
#pragma once
#include <lookback/gpu.cuh>

#include "call_scan.hpp"
#include "scan_tables.hpp"

namespace lookback::dispatch {

/// Has the GPU engine this strategy?
template <class Strategy>
inline constexpr bool gpu_has = requires(decltype(gpu::on(nullptr).with(Strategy{})) on,
                                         source<elements<float>, no_segments, float> from, each<float> sink) {
  scan_into(on, size{}, from, plus<float>{}, sink);
};

template <class T, class Op, bool EveryStrategy>
void scan_gpu(place const& on, scan_request const& request) {
  auto const queue = gpu::on(static_cast<cudaStream_t>(on.stream)).with(*static_cast<gpu::workspace*>(on.workspace));
  if constexpr (EveryStrategy && gpu_has<reduce_then_scan>)
    if (request.how == strategy::reduce_then_scan) return call_scan<T, Op>(queue.with(reduce_then_scan{}), request);
  if (std::is_floating_point_v<T> && request.reproducible) return call_scan<T, Op>(queue.with(reproducible), request);
  call_scan<T, Op>(queue, request);
}

/// Wrapping sums and products and the bit operators of an integer depend on its width alone, so they run as unsigned: one kernel
/// for two types. Only min and max need to know the sign.
template <class Signed, class Unsigned>
void scan_gpu_integer(place const& on, scan_request const& request) {
  bool const is_signed = is_signed_integer(request.type);
  constexpr bool every = sizeof(Signed) == 4;
  switch (request.op) {
    case operation::plus:
      return scan_gpu<Unsigned, plus<Unsigned>, every>(on, request);
    case operation::multiplies:
      return scan_gpu<Unsigned, multiplies<Unsigned>, false>(on, request);
    case operation::bit_and:
      return scan_gpu<Unsigned, bit_and<Unsigned>, false>(on, request);
    case operation::bit_or:
      return scan_gpu<Unsigned, bit_or<Unsigned>, false>(on, request);
    case operation::bit_xor:
      return scan_gpu<Unsigned, bit_xor<Unsigned>, false>(on, request);
    case operation::min:
      return is_signed ? scan_gpu<Signed, minimum<Signed>, false>(on, request)
                       : scan_gpu<Unsigned, minimum<Unsigned>, false>(on, request);
    case operation::max:
      return is_signed ? scan_gpu<Signed, maximum<Signed>, every>(on, request)
                       : scan_gpu<Unsigned, maximum<Unsigned>, false>(on, request);
  }
}

template <class T>
void scan_gpu_float(place const& on, scan_request const& request) {
  switch (request.op) {
    case operation::plus:
      return scan_gpu<T, plus<T>, true>(on, request);
    case operation::multiplies:
      return scan_gpu<T, multiplies<T>, false>(on, request);
    case operation::min:
      return scan_gpu<T, minimum<T>, false>(on, request);
    default:
      return scan_gpu<T, maximum<T>, true>(on, request);
  }
}

}  // namespace lookback::dispatch
