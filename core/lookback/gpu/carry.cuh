// A carry lies in host memory or in memory that the device reads: a kernel needs the latter.
#pragma once
#include <cuda_runtime_api.h>

#include <utility>

#include "../policy.hpp"
#include "check.cuh"

namespace lookback::gpu {

namespace detail {

/// Can a kernel dereference `p`?
inline bool on_device(void const* p) {
  cudaPointerAttributes attributes;
  check(cudaPointerGetAttributes(&attributes, p));
  return attributes.type == cudaMemoryTypeDevice || attributes.type == cudaMemoryTypeManaged;
}

}  // namespace detail

/// Copies a host carry to the device before the call and back after it; a device carry is used as it is. A carry that goes back to
/// the host makes the call wait.
template <class Carry>
class carry_of_call {
 public:
  template <class Policy>
  carry_of_call(Policy const&, cudaStream_t) {}
  void finish() {}
};

template <class T, class Key>
class carry_of_call<carry<T, Key>> {
  using state = carried<T, Key>;

 public:
  template <class Policy>
  carry_of_call(Policy const& on, cudaStream_t stream) : carry_{on.carry}, stream_{stream} {
    in_on_host_ = carry_.in && !detail::on_device(carry_.in);
    out_on_host_ = carry_.out && !detail::on_device(carry_.out);
    if (!in_on_host_ && !out_on_host_) return;
    void* block = nullptr;
    check(cudaMallocAsync(&block, 2 * sizeof(state), stream_));
    copies_ = static_cast<state*>(block);
    check(cudaMemsetAsync(copies_, 0, 2 * sizeof(state), stream_));  // a kernel leaves gaps between members as they are
    if (in_on_host_) check(cudaMemcpyAsync(copies_, carry_.in, sizeof(state), cudaMemcpyHostToDevice, stream_));
  }
  carry_of_call(carry_of_call const&) = delete;
  carry_of_call& operator=(carry_of_call const&) = delete;
  ~carry_of_call() {
    if (copies_) cudaFreeAsync(copies_, stream_);
  }

  state const* in() const { return in_on_host_ ? copies_ : carry_.in; }
  state* out() const { return out_on_host_ ? copies_ + 1 : carry_.out; }
  void finish() {
    if (out_on_host_) {
      check(cudaMemcpyAsync(carry_.out, copies_ + 1, sizeof(state), cudaMemcpyDeviceToHost, stream_));
      check(cudaStreamSynchronize(stream_));
    }
    if (copies_) check(cudaFreeAsync(std::exchange(copies_, nullptr), stream_));
  }

 private:
  carry<T, Key> carry_;
  cudaStream_t stream_;
  state* copies_ = nullptr;
  bool in_on_host_ = false, out_on_host_ = false;
};

}  // namespace lookback::gpu
