// Streams that are being captured into a graph, by this thread or by others.
#pragma once
#include <cuda_runtime_api.h>

#include "check.cuh"

namespace lookback::gpu {

/// Is `stream` being captured?
inline bool is_captured(cudaStream_t stream) {
  cudaStreamCaptureStatus status;
  check(cudaStreamIsCapturing(stream, &status));
  return status != cudaStreamCaptureStatusNone;
}

/// While a stream is captured in the global mode, the runtime refuses every thread what might disturb the capture: to allocate and
/// free, to load a kernel, to wait. While one of these lives, its thread may do so: the library does it with memory, kernels and
/// streams of calls that are not captured.
class beside_captures {
 public:
  beside_captures() noexcept { exchange(); }
  beside_captures(beside_captures const&) = delete;
  beside_captures& operator=(beside_captures const&) = delete;
  ~beside_captures() { exchange(); }

 private:
  void exchange() noexcept {
    if (cudaThreadExchangeStreamCaptureMode(&mode_) != cudaSuccess) cudaGetLastError();  // what comes next fails too, and says so
  }
  cudaStreamCaptureMode mode_ = cudaStreamCaptureModeRelaxed;
};

}  // namespace lookback::gpu
