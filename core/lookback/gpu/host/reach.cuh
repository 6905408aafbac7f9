// Which memory the kernels of the current device may touch.
#pragma once
#include <cuda_runtime_api.h>

#include "capture.cuh"
#include "check.cuh"

namespace lookback::gpu::detail {

/// Memory that the runtime gives a device address for: of devices, managed, pinned. All memory of the host where the system lets
/// the device page it in.
inline bool reaches(void const* p) {
  beside_captures const meanwhile;
  cudaPointerAttributes of;
  check(cudaPointerGetAttributes(&of, p));
  if (of.devicePointer) return true;
  int device = 0, pages = 0;
  check(cudaGetDevice(&device));
  check(cudaDeviceGetAttribute(&pages, cudaDevAttrPageableMemoryAccess, device));
  return pages && of.type == cudaMemoryTypeUnregistered;
}

/// Memory of a device, or managed: what lies there may be used when the call runs. Memory of the host, pinned or not, belongs to
/// the caller again when the call returns.
inline bool on_device(void const* p) {
  cudaPointerAttributes of;
  check(cudaPointerGetAttributes(&of, p));
  return of.type == cudaMemoryTypeDevice || of.type == cudaMemoryTypeManaged;
}

}  // namespace lookback::gpu::detail
