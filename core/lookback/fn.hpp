// The conditionals of the library: the compilers that it needs, and what a function is that both a host compiler and nvcc may call.
#pragma once
#include <cassert>
#include <cstdint>

// LOOKBACK_FN         a function for host and device
// LOOKBACK_CALLS_USER before one that calls a user's function: nvcc then accepts functions that exist on one side only
// LOOKBACK_APART      before one that would stand in hundreds of places of a kernel: device code calls it instead of taking it in
// LOOKBACK_ROUNDED    returns the first expression on the device, the second on the host
// LOOKBACK_FETCH(p)             a hint to a CPU that it will read *p soon; a device hides what reads take by running other threads
// LOOKBACK_STORE(to, value)     stores a word that another thread may store, too, with the same value
// LOOKBACK_DEVICE_ONLY(F)       true for a lambda that only the device can call: the host's compiler sees something else there
#if __cplusplus < 202002L
#error "lookback is C++20: compile with -std=c++20"
#elif defined(__CUDA_ARCH__) && __CUDA_ARCH__ < 800
#error \
    "lookback runs on devices of compute capability 8.0 and later: compile with -arch=sm_80 or a later one (CMake: CMAKE_CUDA_ARCHITECTURES=80)"
#endif
#if defined(__CUDACC__)
#include <nv/target>
#define LOOKBACK_FN __host__ __device__ constexpr
#define LOOKBACK_CALLS_USER _Pragma("nv_exec_check_disable")
#define LOOKBACK_APART __noinline__
#define LOOKBACK_ROUNDED(on_device, on_host) NV_IF_TARGET(NV_IS_DEVICE, (return on_device;), (return on_host;))
#define LOOKBACK_FETCH(p) NV_IF_TARGET(NV_IS_HOST, (__builtin_prefetch(p);))
#define LOOKBACK_STORE(to, value) NV_IF_TARGET(NV_IS_HOST, (__atomic_store_n(to, value, __ATOMIC_RELAXED);), (*(to) = value;))
#else
#define LOOKBACK_FN constexpr
#define LOOKBACK_CALLS_USER
#define LOOKBACK_APART
#define LOOKBACK_ROUNDED(on_device, on_host) return on_host
#define LOOKBACK_FETCH(p) __builtin_prefetch(p)
#define LOOKBACK_STORE(to, value) __atomic_store_n(to, value, __ATOMIC_RELAXED)
#endif
#if defined(__CUDACC_EXTENDED_LAMBDA__)
#define LOOKBACK_DEVICE_ONLY(F) __nv_is_extended_device_lambda_closure_type(F)
#else
#define LOOKBACK_DEVICE_ONLY(F) false
#endif

namespace lookback {

/// Positions, sizes and counts, in elements.
using index_t = std::int64_t;

namespace detail {
/// Is this a build with assertions (without NDEBUG)? Then calls also check what costs more than a comparison. One setting holds for
/// all of a program: of a call that two units make, the linker keeps one.
static constexpr bool asserts = [] {
  [[maybe_unused]] bool on = false;
  assert((on = true));
  return on;
}();
}  // namespace detail

}  // namespace lookback
