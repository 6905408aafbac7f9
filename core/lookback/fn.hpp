// The one conditional of the library: what a function is that both a host compiler and nvcc may call.
#pragma once
#include <cstdint>

// LOOKBACK_FN         a function for host and device
// LOOKBACK_CALLS_USER before one that calls a user's function: nvcc then accepts functions that exist on one side only
// LOOKBACK_APART      before one that would stand in hundreds of places of a kernel: device code calls it instead of taking it in
// LOOKBACK_ROUNDED    returns the first expression on the device, the second on the host
#if defined(__CUDACC__)
#include <nv/target>
#define LOOKBACK_FN __host__ __device__ constexpr
#define LOOKBACK_CALLS_USER _Pragma("nv_exec_check_disable")
#define LOOKBACK_APART __noinline__
#define LOOKBACK_ROUNDED(on_device, on_host) NV_IF_TARGET(NV_IS_DEVICE, (return on_device;), (return on_host;))
#else
#define LOOKBACK_FN constexpr
#define LOOKBACK_CALLS_USER
#define LOOKBACK_APART
#define LOOKBACK_ROUNDED(on_device, on_host) return on_host
#endif

namespace lookback {

/// Positions, sizes and counts, in elements.
using index_t = std::int64_t;

}  // namespace lookback
