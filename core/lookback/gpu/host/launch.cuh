// Launching kernels, and the facts of devices and kernels that this takes.
#pragma once
#include <cxxabi.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cstdlib>
#include <memory>
#include <string>

#include "../../error.hpp"
#include "../../observe.hpp"
#include "capture.cuh"
#include "check.cuh"

namespace lookback::gpu::detail {

inline constexpr int most_devices = 64;

inline int current_device() {
  int device;
  check(cudaGetDevice(&device));
  return device;
}

inline int multiprocessors(int device) {
  static std::array<std::atomic<int>, most_devices> known{};
  int count = known[device % most_devices];
  if (count == 0) {
    check(cudaDeviceGetAttribute(&count, cudaDevAttrMultiProcessorCount, device));
    known[device % most_devices] = count;
  }
  return count;
}

template <auto Kernel>
bool may_start_early();

/// Blocks of Kernel that fit on the device at once with `shared_bytes` of slots; asked of the driver once per device and size.
template <auto Kernel, int Variants>
int resident_blocks(int threads, int shared_bytes, int variant) {
  static std::array<std::array<std::atomic<int>, Variants>, most_devices> known{};
  int const device = current_device();
  auto& slot = known[device % most_devices][variant];
  int blocks = slot;
  if (blocks == 0) {
    may_start_early<Kernel>();  // a launch asks this, too: it shall not be what fails then
    beside_captures const meanwhile;
    int most = 0;
    check(cudaDeviceGetAttribute(&most, cudaDevAttrMaxSharedMemoryPerBlockOptin, device));
    cudaFuncAttributes kernel{};
    check(cudaFuncGetAttributes(&kernel, Kernel));
    check(
        cudaFuncSetAttribute(Kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, most - static_cast<int>(kernel.sharedSizeBytes)));
    check(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, Kernel, threads, shared_bytes));
    if (blocks <= 0)
      throw invalid_argument("lookback: expected: a block of " + std::to_string(threads) + " threads with " +
                             std::to_string(shared_bytes) + " bytes of shared memory fits into a multiprocessor of this device");
    slot = blocks *= multiprocessors(device);
  }
  return blocks;
}

/// Lets blocks of Kernel have up to so many bytes of shared memory beside what it declares.
template <auto Kernel>
void allow_shared_bytes(int bytes) {
  static std::array<std::atomic<bool>, most_devices> allowed{};
  if (bytes + 4096 <= 48 << 10) return;  // as any kernel
  auto& here = allowed[current_device() % most_devices];
  if (here) return;
  beside_captures const meanwhile;
  check(cudaFuncSetAttribute(Kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, bytes));
  here = true;
}

/// What each of `blocks` blocks on one multiprocessor may use of its shared memory.
inline int shared_bytes_of_a_block(int blocks) {
  static std::array<std::atomic<int>, most_devices> known{};
  int const device = current_device();
  int bytes = known[device % most_devices];
  if (bytes == 0) {
    check(cudaDeviceGetAttribute(&bytes, cudaDevAttrMaxSharedMemoryPerMultiprocessor, device));
    known[device % most_devices] = bytes;
  }
  int most = 0, reserved = 0;
  check(cudaDeviceGetAttribute(&most, cudaDevAttrMaxSharedMemoryPerBlockOptin, device));
  check(cudaDeviceGetAttribute(&reserved, cudaDevAttrReservedSharedMemoryPerBlock, device));
  return std::min(most, bytes / blocks - reserved);
}

/// May Kernel start before the one before it in its stream has ended? If its code waits by itself, which that for sm_90 does.
template <auto Kernel>
bool may_start_early() {
  static std::array<std::atomic<int>, most_devices> known{};  // 0 unknown, 1 no, 2 yes
  auto& answer = known[current_device() % most_devices];
  if (answer == 0) {
    beside_captures const meanwhile;
    cudaFuncAttributes of;
    check(cudaFuncGetAttributes(&of, Kernel));
    answer = of.ptxVersion >= 90 && of.binaryVersion >= 90 ? 2 : 1;
  }
  return answer == 2;
}

/// Loads Kernel, unless that is done. A call of several kernels loads all of them before it queues the first: what cannot be loaded
/// fails while nothing has begun.
template <auto Kernel>
void load() {
  may_start_early<Kernel>();
}

/// "one_wave_kernel" of the mangled name of lookback::gpu::one_wave_kernel<...>.
inline std::string plain_name(char const* mangled) {
  int status = 0;
  std::unique_ptr<char, void (*)(void*)> const whole{abi::__cxa_demangle(mangled, nullptr, nullptr, &status), std::free};
  std::string name = whole ? whole.get() : mangled;
  name.resize(std::min(name.size(), name.find_first_of("<(")));
  std::size_t const qualified = name.find_last_of(": ");
  return qualified == std::string::npos ? name : name.substr(qualified + 1);
}
/// Notes the kernel that is queued next.
inline void observe_kernel(void const* kernel, int grid, int threads, int shared_bytes) {
  lookback::detail::observe([&](observation& seen) {
    char const* name = nullptr;
    if (cudaFuncGetName(&name, kernel) != cudaSuccess) name = nullptr, cudaGetLastError();
    seen.add(observed_pass{name ? plain_name(name) : "a kernel", grid, threads, shared_bytes, 1});
  });
}

/// What to do with a kernel of such a call.
enum class turn { load, enqueue };

/// Kernel<<<grid, threads, 0, stream>>>(arguments...), after all that came before. Its own status: an older error of the caller's
/// is none of ours.
template <auto Kernel, class... Arguments>
void enqueue_after(int grid, int threads, cudaStream_t stream, Arguments const&... arguments) {
  load<Kernel>();
  cudaLaunchConfig_t config{};
  config.gridDim = dim3(static_cast<unsigned>(grid));
  config.blockDim = dim3(static_cast<unsigned>(threads));
  config.stream = stream;
  observe_kernel(reinterpret_cast<void const*>(Kernel), grid, threads, 0);
  check(cudaLaunchKernelEx(&config, Kernel, arguments...));
}

/// Kernel<<<grid, threads, shared_bytes, stream>>>(arguments...), overlapping the end of the kernel before it where it can.
template <auto Kernel, class... Arguments>
void enqueue(int grid, int threads, int shared_bytes, cudaStream_t stream, Arguments const&... arguments) {
  cudaLaunchConfig_t config{};
  config.gridDim = dim3(static_cast<unsigned>(grid));
  config.blockDim = dim3(static_cast<unsigned>(threads));
  config.dynamicSmemBytes = static_cast<std::size_t>(shared_bytes);
  config.stream = stream;
  cudaLaunchAttribute overlap{};
  overlap.id = cudaLaunchAttributeProgrammaticStreamSerialization;
  overlap.val.programmaticStreamSerializationAllowed = 1;
  config.attrs = &overlap;
  config.numAttrs = may_start_early<Kernel>() ? 1 : 0;
  observe_kernel(reinterpret_cast<void const*>(Kernel), grid, threads, shared_bytes);
  check(cudaLaunchKernelEx(&config, Kernel, arguments...));
}

}  // namespace lookback::gpu::detail
