// Scratch memory of the engine: descriptors, and the epoch, ticket and exit count that live beside them in device memory, so that
// replays of a captured graph find them as the call before left them.
#pragma once
#include <cuda_runtime_api.h>

#include <algorithm>
#include <utility>
#include <vector>

#include "../../error.hpp"
#include "../../observe.hpp"
#include "../protocol/descriptors.cuh"
#include "capture.cuh"
#include "check.cuh"
#include "stream_memory.cuh"

namespace lookback::gpu {

/// First bytes of every workspace. Advanced by the last block of a call, never by the host.
struct call_state {
  std::uint32_t epoch_minus_one;  // so that cleared memory is epoch 1
  std::uint32_t ticket;           // the next tile to claim
  std::uint32_t left;             // blocks that have finished
  std::uint64_t put_off;          // tiles that were put off, and how many parts they have (distribute_into.cuh)
  std::uint64_t next_part;        // of these, the next to claim
  std::uint64_t auxiliary;        // who makes prefixes, and how far (auxiliary_block.cuh)
};

/// What a kernel needs of a workspace: three arrays that never share memory, so that no format can be read as another.
struct scratch {
  call_state* state;
  std::uint64_t* words_64;
  ptx::word_128* words_128;
  char* values;
  std::uint64_t words_64_capacity, words_128_capacity;  // what the last block clears when epochs run out
};

/// What one call needs of a workspace: descriptors, and memory that its kernels leave things in for each other. A verb that needs
/// much says so before it is called (radix_sort_scratch).
struct scratch_need {
  std::size_t words_64 = 0, bytes = 0;
  std::size_t total() const { return words_64 * 8 + bytes; }
};

/// Memory that calls on one stream reuse: `on.with(workspace)`. Without one, a call allocates and frees in stream order.
///
/// Belongs to the device that is current at construction. Grows on demand, except while its stream is being captured:
/// reserve(bytes) before. Memory lives until destruction, so captured graphs stay valid.
///
/// One stream at a time: a call while another stream is still at work in it is refused, with nothing queued. That is not seen of
/// calls that are captured, nor of graphs that are launched, whose order is the caller's. To see it, the library asks the stream of
/// the last call, which is there still, or has handed the workspace over.
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
    beside_captures const meanwhile;
    for (void* block : blocks_) cudaFree(block);  // errors have no way out of a destructor
    if (counts_) cudaFreeHost(counts_);
  }

  /// Makes room for every call that needs at most `bytes` (see scratch_bytes), and for what the calls of an algorithm leave for
  /// each other: n / 64 bytes at most, where scratch_bytes says more than n / 32, or 64 KB. Waits for nothing; throws
  /// out_of_memory. `stream` is that of the calls to come.
  void reserve(std::size_t bytes, cudaStream_t stream = nullptr) {
    std::size_t const quarter = (bytes + 3) / 4;
    scratch_for(quarter / 8 + 1, quarter / 16 + 1, 2 * quarter, stream);
    if (lend(std::max(2 * quarter, std::size_t{64} << 10), stream)) take_back();
  }

  /// The same for calls that say what they need.
  void reserve(scratch_need const& of, cudaStream_t stream = nullptr) {
    scratch_for(of.words_64, 0, 0, stream);
    if (lend(of.bytes, stream)) take_back();
  }

  /// Calls go on in `stream`, which the caller has made wait for the last one, by an event, say; or that is done. The last one is
  /// not asked: it may be destroyed.
  void hand_over(cudaStream_t stream) {
    stream_ = stream;
    has_stream_ = true;
  }

  /// Scratch for one call. Contents are descriptors of past epochs, or zero.
  scratch scratch_for(std::size_t words_64, std::size_t words_128, std::size_t value_bytes, cudaStream_t stream) {
    expects_own_device();
    expects_alone(stream);
    lookback::detail::observe_scratch(cleared_bytes(words_64, words_128) + value_bytes);
    if (!now_.state || words_64 > now_.words_64_capacity || words_128 > now_.words_128_capacity || value_bytes > value_bytes_)
      grow(words_64, words_128, value_bytes, stream);
    if (is_incomplete_) begin_anew(stream);
    return now_;
  }
  /// A call has queued some of its kernels and not the last: the next one must not read what they leave.
  void mark_incomplete() { is_incomplete_ = true; }

  /// Memory that no call touches, for what the calls of an algorithm leave for each other; null while it is lent. The next to whom
  /// it is lent uses it later in the order of the stream.
  void* lend(std::size_t bytes, cudaStream_t stream) {
    if (is_lent_) return nullptr;
    expects_own_device();
    expects_alone(stream);
    lookback::detail::observe_scratch(bytes);
    if (!between_calls_ || bytes > between_calls_bytes_) {
      std::size_t const wanted = bytes + std::min(bytes / 2, std::size_t{64} << 20) + 128;
      between_calls_ = allocated(wanted, stream);
      between_calls_bytes_ = wanted;
    }
    is_lent_ = true;
    return between_calls_;
  }
  void take_back() { is_lent_ = false; }

  /// Memory of the host that kernels write, for the counts of the call that waits. Allocated at the first such call.
  index_t* counts() {
    if (counts_) return counts_;
    beside_captures const meanwhile;
    check(cudaHostAlloc(reinterpret_cast<void**>(&counts_), count_capacity * sizeof(index_t), cudaHostAllocPortable));
    return counts_;
  }
  static constexpr int count_capacity = 16;

  int device() const { return device_; }

 private:
  /// All of it anew: a graph that was captured before keeps its own state and descriptors together, so that their epochs agree.
  void grow(std::size_t words_64, std::size_t words_128, std::size_t value_bytes, cudaStream_t stream) {
    auto const wanted = [](std::size_t held, std::size_t asked) { return asked <= held ? held : asked + asked / 2; };
    words_64 = wanted(now_.words_64_capacity, words_64) + 15 & ~std::size_t{15};
    words_128 = wanted(now_.words_128_capacity, words_128) + 7 & ~std::size_t{7};
    value_bytes = wanted(value_bytes_, value_bytes);
    std::size_t const cleared = cleared_bytes(words_64, words_128);
    void* const fresh = allocated(cleared + value_bytes, stream);
    check(cudaMemsetAsync(fresh, 0, cleared, stream));
    char* const block = static_cast<char*>(fresh);
    now_ = {reinterpret_cast<call_state*>(block),
            reinterpret_cast<std::uint64_t*>(block + head),
            reinterpret_cast<ptx::word_128*>(block + head + words_64 * 8),
            block + cleared,
            words_64,
            words_128};
    value_bytes_ = value_bytes;
    is_incomplete_ = false;
  }
  /// Epoch 1 of memory without descriptors. A captured stream does that whenever its graph runs, and calls outside of it still
  /// must.
  void begin_anew(cudaStream_t stream) {
    check(cudaMemsetAsync(now_.state, 0, cleared_bytes(now_.words_64_capacity, now_.words_128_capacity), stream));
    if (!is_captured(stream)) is_incomplete_ = false;
  }
  static constexpr std::size_t head = (sizeof(call_state) + 127) / 128 * 128;
  static std::size_t cleared_bytes(std::size_t words_64, std::size_t words_128) { return head + words_64 * 8 + words_128 * 16; }
  void* allocated(std::size_t bytes, cudaStream_t stream) {
    expects(!is_captured(stream), "the workspace is large enough before its stream is captured: reserve(scratch_bytes(...))");
    blocks_.reserve(blocks_.size() + 1);
    beside_captures const meanwhile;
    void* fresh = nullptr;
    check(cudaMalloc(&fresh, bytes));
    blocks_.push_back(fresh);
    return fresh;
  }
  void expects_own_device() const {
    int device = 0;
    check(cudaGetDevice(&device));
    expects(device == device_, "a workspace is used on the device that was current when it was made");
  }
  /// The stream of the last call costs one comparison.
  void expects_alone(cudaStream_t stream) {
    if (has_stream_ && stream == stream_) return;
    if (is_captured(stream)) return;  // nothing runs now
    expects(!has_stream_ || !is_at_work(stream_),
            "a workspace serves one stream at a time, and another one is at work in it: wait for that, or hand_over(stream)");
    hand_over(stream);
  }
  /// A stream that is being captured must not be asked: that would spoil its capture.
  static bool is_at_work(cudaStream_t stream) {
    beside_captures const meanwhile;
    cudaStreamCaptureStatus capturing;
    cudaError_t code = cudaStreamIsCapturing(stream, &capturing);
    if (code == cudaSuccess && capturing == cudaStreamCaptureStatusNone) code = cudaStreamQuery(stream);
    if (code != cudaSuccess) cudaGetLastError();
    return code == cudaErrorNotReady;
  }
  void swap(workspace& other) noexcept {
    std::swap(now_, other.now_);
    std::swap(value_bytes_, other.value_bytes_);
    std::swap(device_, other.device_);
    std::swap(stream_, other.stream_);
    std::swap(has_stream_, other.has_stream_);
    std::swap(is_incomplete_, other.is_incomplete_);
    std::swap(counts_, other.counts_);
    std::swap(between_calls_, other.between_calls_);
    std::swap(between_calls_bytes_, other.between_calls_bytes_);
    std::swap(is_lent_, other.is_lent_);
    std::swap(blocks_, other.blocks_);
  }

  scratch now_{};
  std::size_t value_bytes_ = 0;
  int device_ = 0;
  cudaStream_t stream_ = nullptr;  // of the last call that was not captured, if there was one
  bool has_stream_ = false, is_incomplete_ = false;
  index_t* counts_ = nullptr;
  void* between_calls_ = nullptr;  // one block, apart from what calls use
  std::size_t between_calls_bytes_ = 0;
  bool is_lent_ = false;
  std::vector<void*> blocks_;
};

/// Bytes to reserve so that no call on up to n items and segments grows the workspace: items, sums and results of at most
/// `item_bytes` bytes, at most `classes` classes, the default tuning.
constexpr std::size_t scratch_bytes(index_t n, std::size_t item_bytes, int classes = 1) {
  std::size_t const wide = item_bytes < 8 ? 8 : item_bytes;
  // Few tiles are smaller than 160 threads of 48 bytes: those of calls of few items, which are at most as many as multiprocessors,
  // and of items of several wide arrays along a path, up to half as large. More than twice what tiles need is asked for.
  std::size_t const tiles = static_cast<std::size_t>(n) * wide / (160 * 48) + 1024;
  std::size_t const words = tiles * 8 * (static_cast<std::size_t>(classes) + 1), pairs = tiles * 16, values = tiles * 2 * wide;
  return 4 * (words > pairs ? words : pairs) + 2 * values;
}

/// What the calls of an algorithm leave for each other: a workspace's memory for that, or its own, allocated and freed in stream
/// order. The host may destroy this while they are queued.
template <class T>
class scratch_between_calls {
 public:
  scratch_between_calls(workspace* from, index_t count, cudaStream_t stream) {
    std::size_t const bytes = static_cast<std::size_t>(count) * sizeof(T);
    if (from) lent_ = from->lend(bytes, stream);
    if (lent_) lender_ = from;
    else own_ = stream_memory(bytes, stream);
  }
  scratch_between_calls(scratch_between_calls const&) = delete;
  scratch_between_calls& operator=(scratch_between_calls const&) = delete;
  ~scratch_between_calls() {
    if (lender_) lender_->take_back();
  }
  T* data() const { return static_cast<T*>(lent_ ? lent_ : own_.data()); }

 private:
  workspace* lender_ = nullptr;
  void* lent_ = nullptr;
  stream_memory own_;
};

/// Lives from the first kernel of a call to the last: if that is not queued, the workspace begins anew.
class half_call {
 public:
  explicit half_call(workspace* in) : in_{in} {}
  half_call(half_call const&) = delete;
  half_call& operator=(half_call const&) = delete;
  ~half_call() {
    if (in_) in_->mark_incomplete();
  }
  void is_whole() { in_ = nullptr; }

 private:
  workspace* in_;
};

/// The scratch of one call: a workspace's, or memory of its own, allocated, cleared and freed in stream order.
class scratch_of_call {
 public:
  scratch_of_call(workspace* from, std::size_t words_64, std::size_t words_128, std::size_t value_bytes, cudaStream_t stream) {
    if (from) {
      scratch_ = from->scratch_for(words_64, words_128, value_bytes, stream);
      return;
    }
    std::size_t const head = (sizeof(call_state) + 127) / 128 * 128, small = (words_64 * 8 + 127) / 128 * 128;
    std::size_t const cleared = head + small + words_128 * 16;
    own_ = stream_memory(cleared + value_bytes, stream);
    char* const block = static_cast<char*>(own_.data());
    check(cudaMemsetAsync(block, 0, cleared, stream));
    scratch_ = {reinterpret_cast<call_state*>(block),
                reinterpret_cast<std::uint64_t*>(block + head),
                reinterpret_cast<ptx::word_128*>(block + head + small),
                block + cleared,
                words_64,
                words_128};
  }

  /// For a later kernel of a call that has its scratch.
  explicit scratch_of_call(scratch const& of_call) : scratch_{of_call} {}

  scratch const& get() const { return scratch_; }

 private:
  scratch scratch_{};
  stream_memory own_;
};

}  // namespace lookback::gpu
