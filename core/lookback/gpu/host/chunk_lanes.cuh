// Memory and streams for chunks on their way through a device: pinned memory of the host, memory of the device, and a stream for
// the copies in each direction, so that both and the kernels run at the same time. All is allocated once.
#pragma once
#include <cuda_runtime_api.h>

#include <cstddef>
#include <memory>
#include <span>
#include <type_traits>
#include <vector>

#include "../../error.hpp"
#include "capture.cuh"
#include "check.cuh"

namespace lookback::gpu {

namespace detail {

struct free_pinned {
  void operator()(void* p) const {
    beside_captures const meanwhile;
    cudaFreeHost(p);
  }
};
struct free_on_device {
  void operator()(void* p) const {
    beside_captures const meanwhile;
    cudaFree(p);
  }
};
struct destroy_stream {
  void operator()(cudaStream_t s) const { cudaStreamDestroy(s); }
};
struct destroy_event {
  void operator()(cudaEvent_t e) const { cudaEventDestroy(e); }
};
using pinned_memory = std::unique_ptr<void, free_pinned>;
using device_memory = std::unique_ptr<void, free_on_device>;
using own_stream = std::unique_ptr<std::remove_pointer_t<cudaStream_t>, destroy_stream>;
using own_event = std::unique_ptr<std::remove_pointer_t<cudaEvent_t>, destroy_event>;

inline pinned_memory pinned(std::size_t bytes) {
  beside_captures const meanwhile;
  void* p = nullptr;
  check(cudaMallocHost(&p, bytes));
  return pinned_memory(p);
}
inline device_memory on_device_memory(std::size_t bytes) {
  beside_captures const meanwhile;
  void* p = nullptr;
  check(cudaMalloc(&p, bytes));
  return device_memory(p);
}
inline own_stream new_stream() {
  cudaStream_t s = nullptr;
  check(cudaStreamCreateWithFlags(&s, cudaStreamNonBlocking));
  return own_stream(s);
}
/// The processor sleeps where it waits for one: a thread that spins takes a core from those that read and write.
inline own_event new_event() {
  cudaEvent_t e = nullptr;
  check(cudaEventCreateWithFlags(&e, cudaEventDisableTiming | cudaEventBlockingSync));
  return own_event(e);
}

}  // namespace detail

/// Slots, each with the inputs and outputs of one chunk. By the thread that enqueues: send() every input, sent(), kernels on the
/// stream, done(). By the one that brings results: wait(), fetch() every output, fetched(). Counts that kernels leave in counts(s)
/// are there behind wait().
class chunk_lanes {
 public:
  /// Bytes of each input and of each output of a chunk, and of what it counts. Throws out_of_memory.
  chunk_lanes(cudaStream_t kernels, std::size_t slots, std::span<std::size_t const> in, std::span<std::size_t const> out,
              std::size_t count_bytes)
      : kernels_{not_captured(kernels)}, count_bytes_{count_bytes}, counts_{detail::pinned(slots * count_bytes)}, slots_(slots) {
    check(cudaGetDevice(&device_));
    for (auto& one : slots_) {
      for (auto const bytes : in) one.in.push_back({detail::pinned(bytes), detail::on_device_memory(bytes)});
      for (auto const bytes : out) one.out.push_back({detail::pinned(bytes), detail::on_device_memory(bytes)});
    }
  }
  chunk_lanes(chunk_lanes const&) = delete;
  chunk_lanes& operator=(chunk_lanes const&) = delete;
  /// Where something was thrown copies may still be under way: waits for them before their memory is freed.
  ~chunk_lanes() {
    beside_captures const meanwhile;
    cudaStreamSynchronize(to_device_.get()), cudaStreamSynchronize(kernels_), cudaStreamSynchronize(from_device_.get());
  }

  void* host_in(std::size_t s, std::size_t k = 0) const { return slots_[s].in[k].host.get(); }
  void* host_out(std::size_t s, std::size_t k = 0) const { return slots_[s].out[k].host.get(); }
  void* device_in(std::size_t s, std::size_t k = 0) const { return slots_[s].in[k].device.get(); }
  void* device_out(std::size_t s, std::size_t k = 0) const { return slots_[s].out[k].device.get(); }
  /// Host memory that kernels write.
  void* counts(std::size_t s) const { return static_cast<std::byte*>(counts_.get()) + s * count_bytes_; }

  void send(std::size_t s, std::size_t k, std::size_t bytes) {
    check(cudaMemcpyAsync(device_in(s, k), host_in(s, k), bytes, cudaMemcpyHostToDevice, to_device_.get()));
  }
  void sent(std::size_t s) {
    check(cudaEventRecord(slots_[s].sent.get(), to_device_.get()));
    check(cudaStreamWaitEvent(kernels_, slots_[s].sent.get()));
  }
  void done(std::size_t s) { check(cudaEventRecord(slots_[s].done.get(), kernels_)); }
  void wait(std::size_t s) {
    beside_captures const meanwhile;
    check(cudaSetDevice(device_));  // of this thread
    check(cudaEventSynchronize(slots_[s].done.get()));
  }
  void fetch(std::size_t s, std::size_t k, std::size_t bytes) {
    check(cudaMemcpyAsync(host_out(s, k), device_out(s, k), bytes, cudaMemcpyDeviceToHost, from_device_.get()));
  }
  void fetched(std::size_t s) {
    beside_captures const meanwhile;
    check(cudaEventRecord(slots_[s].fetched.get(), from_device_.get()));
    check(cudaEventSynchronize(slots_[s].fetched.get()));
  }

 private:
  static cudaStream_t not_captured(cudaStream_t stream) {
    expects(!is_captured(stream), "a stream of chunks waits, and is not run on a CUDA stream that is captured");
    return stream;
  }
  struct both {
    detail::pinned_memory host;
    detail::device_memory device;
  };
  struct slot {
    std::vector<both> in, out;
    detail::own_event sent = detail::new_event(), done = detail::new_event(), fetched = detail::new_event();
  };
  cudaStream_t kernels_;
  std::size_t count_bytes_;
  int device_ = 0;
  detail::own_stream to_device_ = detail::new_stream(), from_device_ = detail::new_stream();
  detail::pinned_memory counts_;
  std::vector<slot> slots_;
};

}  // namespace lookback::gpu
