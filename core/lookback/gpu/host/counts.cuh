// Where a call leaves counts that the caller waits for.
#pragma once
#include <cuda_runtime_api.h>

#include <algorithm>
#include <array>
#include <type_traits>

#include "policy.cuh"
#include "stream_memory.cuh"

namespace lookback::gpu {

/// K counts. With a workspace they lie in its memory of the host, which kernels write; else in device memory, allocated and freed
/// in the order of the stream.
template <int K>
class count_storage {
 public:
  /// Throws invalid_argument if the stream is being captured: a graph cannot wait.
  count_storage(workspace* from, cudaStream_t stream) : stream_{stream} {
    expects(!is_captured(stream), "a form that returns a count waits; the _async form is for captured streams");
    if (from) on_host_ = from->counts();
    else own_ = stream_memory(K * sizeof(index_t), stream);
  }
  count_storage(count_storage const&) = delete;
  count_storage& operator=(count_storage const&) = delete;

  index_t* data() const { return on_host_ ? on_host_ : static_cast<index_t*>(own_.data()); }
  /// Waits for the stream.
  std::array<index_t, K> wait() const {
    std::array<index_t, K> counts;
    beside_captures const meanwhile;
    if (!on_host_) check(cudaMemcpyAsync(counts.data(), own_.data(), sizeof counts, cudaMemcpyDeviceToHost, stream_));
    check(cudaStreamSynchronize(stream_));
    if (on_host_) std::copy_n(on_host_, K, counts.begin());
    return counts;
  }

 private:
  static_assert(K <= workspace::count_capacity);
  cudaStream_t stream_;
  index_t* on_host_ = nullptr;
  stream_memory own_;
};

/// Room for the K counts of one call, which `wait()` returns.
template <int K, class Strategy, class Carry, class Tuning>
count_storage<K> count_storage_for(policy<Strategy, Carry, Tuning> const& on, std::integral_constant<int, K>) {
  return {on.scratch, on.stream};
}

}  // namespace lookback::gpu
