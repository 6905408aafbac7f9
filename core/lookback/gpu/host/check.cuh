// Every call of the CUDA runtime goes through check: an error becomes an exception that says where.
#pragma once
#include <cuda_runtime_api.h>

#include <source_location>
#include <string>

#include "../../error.hpp"

namespace lookback::gpu {

/// Throws out_of_memory or device_error, with the runtime's words, unless `code` is success.
inline void check(cudaError_t code, std::source_location where = std::source_location::current()) {
  if (code == cudaSuccess) return;
  cudaGetLastError();  // an error of this call must not surface in the next one
  std::string const text = std::string("lookback: ") + cudaGetErrorString(code) + " (" + cudaGetErrorName(code) + ") at " +
                           where.file_name() + ":" + std::to_string(where.line());
  if (code == cudaErrorMemoryAllocation) throw out_of_memory(text);
  throw device_error(text);
}

}  // namespace lookback::gpu
