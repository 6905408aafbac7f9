// Device memory that is allocated and freed in the order of a stream: a call that uses it only enqueues.
#pragma once
#include <cstddef>
#include <utility>

#include "../../observe.hpp"
#include "capture.cuh"
#include "check.cuh"

namespace lookback::gpu {

class stream_memory {
 public:
  stream_memory() = default;
  /// Throws out_of_memory. No bytes, no memory.
  stream_memory(std::size_t bytes, cudaStream_t stream) : stream_{stream} {
    if (bytes == 0) return;
    lookback::detail::observe_scratch(bytes);
    beside_captures const meanwhile;
    check(cudaMallocAsync(&data_, bytes, stream));
  }
  stream_memory(stream_memory&& other) noexcept : data_{std::exchange(other.data_, nullptr)}, stream_{other.stream_} {}
  stream_memory& operator=(stream_memory&& other) noexcept {
    std::swap(data_, other.data_);
    std::swap(stream_, other.stream_);
    return *this;
  }
  ~stream_memory() {
    if (!data_) return;
    beside_captures const meanwhile;
    cudaFreeAsync(data_, stream_);  // errors have no way out of a destructor
  }
  void* data() const { return data_; }
  explicit operator bool() const { return data_ != nullptr; }

 private:
  void* data_ = nullptr;
  cudaStream_t stream_ = nullptr;
};

}  // namespace lookback::gpu
