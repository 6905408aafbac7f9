// A carry lies in host memory or in memory that the device reads: a kernel needs the latter.
#pragma once
#include <cuda_runtime_api.h>

#include <utility>

#include "../../error.hpp"
#include "../../policy.hpp"
#include "check.cuh"
#include "reach.cuh"
#include "stream_memory.cuh"

namespace lookback::gpu {

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
    expects(in_on_host_ || carry_.in == nullptr || carry_.in != carry_.out,
            "a carry in device memory goes in and out at two places: blocks that start late still read what came in");
    if (!in_on_host_ && !out_on_host_) return;
    expects(!out_on_host_ || !is_captured(stream_), "a carry goes out to device memory where the stream is captured");
    beside_captures const meanwhile;
    copies_ = stream_memory(2 * sizeof(state), stream_);
    check(cudaMemsetAsync(copies_.data(), 0, 2 * sizeof(state), stream_));  // a kernel leaves gaps between members as they are
    if (!in_on_host_) return;
    // A graph reads it at each replay. Else it is the caller's again when the call returns, pinned memory too.
    state const now = *carry_.in;
    auto const* const from = is_captured(stream_) ? carry_.in : &now;
    check(cudaMemcpyAsync(copies_.data(), from, sizeof(state), cudaMemcpyHostToDevice, stream_));
  }
  carry_of_call(carry_of_call const&) = delete;
  carry_of_call& operator=(carry_of_call const&) = delete;

  state const* in() const { return in_on_host_ ? copy() : carry_.in; }
  state* out() const { return out_on_host_ ? copy() + 1 : carry_.out; }
  void finish() {
    if (out_on_host_) {
      beside_captures const meanwhile;
      check(cudaMemcpyAsync(carry_.out, copy() + 1, sizeof(state), cudaMemcpyDeviceToHost, stream_));
      check(cudaStreamSynchronize(stream_));
    }
  }

 private:
  state* copy() const { return static_cast<state*>(copies_.data()); }

  carry<T, Key> carry_;
  cudaStream_t stream_;
  stream_memory copies_;
  bool in_on_host_ = false, out_on_host_ = false;
};

}  // namespace lookback::gpu
