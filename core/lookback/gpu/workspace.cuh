// Scratch memory of the engine: descriptors, and the epoch, ticket and exit count that live beside them in device memory, so that
// replays of a captured graph find them as the call before left them.
#pragma once
#include <cuda_runtime_api.h>

#include <utility>
#include <vector>

#include "check.cuh"
#include "descriptors.cuh"

namespace lookback::gpu {

/// First bytes of every workspace. Advanced by the last block of a call, never by the host.
struct call_state {
  std::uint32_t epoch_minus_one;  // so that cleared memory is epoch 1
  std::uint32_t ticket;           // the next tile to claim
  std::uint32_t left;             // blocks that have finished
  std::uint32_t unused;
  index_t total;  // room for one result that the host waits for
};

/// What a kernel needs of a workspace: three arrays that never share memory, so that no format can be read as another.
struct scratch {
  call_state* state;
  std::uint64_t* words_64;
  ptx::word_128* words_128;
  char* values;
  std::uint64_t words_64_capacity, words_128_capacity;  // what the last block clears when epochs run out
};

/// Memory that calls on one stream reuse: `on.with(workspace)`. Without one, a call allocates and frees in stream order.
///
/// Belongs to the device that is current at construction. Grows on demand, except while its stream is being captured:
/// reserve(bytes) before. Memory lives until destruction, so captured graphs stay valid. One stream at a time.
class workspace {
 public:
  workspace() { check(cudaGetDevice(&device_)); }
  workspace(workspace&& other) noexcept { swap(other); }
  workspace& operator=(workspace&& other) noexcept {
    workspace moved(std::move(other));
    swap(moved);
    return *this;
  }
  workspace(workspace const&) = delete;
  workspace& operator=(workspace const&) = delete;
  ~workspace() {
    for (void* block : blocks_) cudaFree(block);  // errors have no way out of a destructor
  }

  /// Makes room for every call that needs at most `bytes` (see scratch_bytes). Waits for nothing; throws out_of_memory.
  void reserve(std::size_t bytes, cudaStream_t stream = nullptr) {
    std::size_t const quarter = (bytes + 3) / 4;
    scratch_for(quarter / 8 + 1, quarter / 16 + 1, 2 * quarter, stream);
  }

  /// Scratch for one call. Contents are descriptors of past epochs, or zero.
  scratch scratch_for(std::size_t words_64, std::size_t words_128, std::size_t value_bytes, cudaStream_t stream) {
    grow(reinterpret_cast<void*&>(now_.state), state_bytes_, sizeof(call_state), stream);
    grow(reinterpret_cast<void*&>(now_.words_64), words_64_bytes_, words_64 * 8, stream);
    grow(reinterpret_cast<void*&>(now_.words_128), words_128_bytes_, words_128 * 16, stream);
    grow(reinterpret_cast<void*&>(now_.values), value_bytes_, value_bytes, stream);
    now_.words_64_capacity = words_64_bytes_ / 8;
    now_.words_128_capacity = words_128_bytes_ / 16;
    return now_;
  }

  int device() const { return device_; }

 private:
  void grow(void*& block, std::size_t& held, std::size_t bytes, cudaStream_t stream) {
    if (bytes <= held) return;
    cudaStreamCaptureStatus capturing;
    check(cudaStreamIsCapturing(stream, &capturing));
    expects(capturing == cudaStreamCaptureStatusNone,
            "the workspace is large enough before its stream is captured: reserve(scratch_bytes(...))");
    std::size_t const wanted = bytes + bytes / 2;
    void* fresh = nullptr;
    check(cudaMalloc(&fresh, wanted));
    blocks_.push_back(fresh);
    check(cudaMemsetAsync(fresh, 0, wanted, stream));
    block = fresh;
    held = wanted;
  }
  void swap(workspace& other) noexcept {
    std::swap(now_, other.now_);
    std::swap(state_bytes_, other.state_bytes_);
    std::swap(words_64_bytes_, other.words_64_bytes_);
    std::swap(words_128_bytes_, other.words_128_bytes_);
    std::swap(value_bytes_, other.value_bytes_);
    std::swap(device_, other.device_);
    std::swap(blocks_, other.blocks_);
  }

  scratch now_{};
  std::size_t state_bytes_ = 0, words_64_bytes_ = 0, words_128_bytes_ = 0, value_bytes_ = 0;
  int device_ = 0;
  std::vector<void*> blocks_;
};

/// Bytes to reserve so that no call on up to n items and segments grows the workspace: items, sums and results of at most
/// `item_bytes` bytes, at most `classes` classes, the default tuning.
constexpr std::size_t scratch_bytes(index_t n, std::size_t item_bytes, int classes = 1) {
  std::size_t const wide = item_bytes < 8 ? 8 : item_bytes;
  // No tile is smaller than 384 threads of 40 bytes, but for calls of few items, which have at most as many tiles as
  // multiprocessors.
  std::size_t const tiles = static_cast<std::size_t>(n) * wide / (384 * 40) + 1024;
  std::size_t const words = tiles * 8 * (static_cast<std::size_t>(classes) + 1), pairs = tiles * 16, values = tiles * 2 * wide;
  return 4 * (words > pairs ? words : pairs) + 2 * values;
}

/// The scratch of one call: a workspace's, or memory of its own, allocated, cleared and freed in stream order.
class scratch_of_call {
 public:
  scratch_of_call(workspace* from, std::size_t words_64, std::size_t words_128, std::size_t value_bytes, cudaStream_t stream)
      : stream_{stream} {
    if (from) {
      scratch_ = from->scratch_for(words_64, words_128, value_bytes, stream);
      return;
    }
    std::size_t const head = (sizeof(call_state) + 127) / 128 * 128, small = (words_64 * 8 + 127) / 128 * 128;
    std::size_t const cleared = head + small + words_128 * 16;
    void* block = nullptr;
    check(cudaMallocAsync(&block, cleared + value_bytes, stream));
    block_ = static_cast<char*>(block);
    check(cudaMemsetAsync(block_, 0, cleared, stream));
    scratch_ = {reinterpret_cast<call_state*>(block_),
                reinterpret_cast<std::uint64_t*>(block_ + head),
                reinterpret_cast<ptx::word_128*>(block_ + head + small),
                block_ + cleared,
                words_64,
                words_128};
  }
  scratch_of_call(scratch_of_call const&) = delete;
  scratch_of_call& operator=(scratch_of_call const&) = delete;
  ~scratch_of_call() {
    if (block_) cudaFreeAsync(block_, stream_);
  }

  scratch const& get() const { return scratch_; }
  /// The call is enqueued: its memory may be reused by what comes after it in the stream.
  void release() {
    if (block_) check(cudaFreeAsync(std::exchange(block_, nullptr), stream_));
  }

 private:
  scratch scratch_{};
  char* block_ = nullptr;
  cudaStream_t stream_;
};

}  // namespace lookback::gpu
