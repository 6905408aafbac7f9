// Where the GPU's peers run, and their temporary storage: one call at a time, kept between calls as users of CUB and Thrust keep
// it.
#pragma once
#include <cuda_runtime.h>

#include <lookback/gpu/host/check.cuh>

#include "scan.hpp"

namespace lookback::dispatch {

inline cudaStream_t stream_of(place const& on) { return static_cast<cudaStream_t>(on.stream); }

inline void* kept_storage(std::size_t bytes) {
  static void* storage = nullptr;
  static std::size_t held = 0;
  if (bytes > held) {
    cudaFree(storage);
    storage = nullptr, held = 0;
    gpu::check(cudaMalloc(&storage, bytes));
    held = bytes;
  }
  return storage;
}

/// What Thrust allocates from.
struct kept_allocator {
  using value_type = char;
  char* allocate(std::ptrdiff_t bytes) { return static_cast<char*>(kept_storage(static_cast<std::size_t>(bytes))); }
  void deallocate(char*, std::size_t) {}
};

/// Calls call(storage, bytes) twice: to be told how many bytes it needs, and with them.
template <class Call>
void with_storage(Call&& call) {
  std::size_t bytes = 0;
  gpu::check(call(nullptr, bytes));
  gpu::check(call(kept_storage(bytes), bytes));
}

}  // namespace lookback::dispatch
