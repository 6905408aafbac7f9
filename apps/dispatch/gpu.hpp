// The program's GPU: devices, a queue with its workspace, memory. In a build without CUDA every call says so.
#pragma once
#include <cstddef>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "scan.hpp"

namespace lookback::gpu {
class chunk_lanes;
}

namespace lookback::dispatch {

struct gpu_device {
  std::string name;
  std::string architecture;  // "sm_90"
  std::size_t memory_bytes;
  int multiprocessors;
};

/// What a GPU user would want to know. `why_none` is empty exactly where there is a device.
struct gpu_survey {
  std::vector<gpu_device> devices;
  std::string why_none;  // "no GPU in this build", or the driver's words
  std::string versions;  // "CUDA runtime 13.0, driver 13.0", empty without CUDA
};

gpu_survey survey_gpus();

/// Was the program built with CUDA? A machine without a GPU can still have such a build.
bool has_gpu_code();
/// Was it built for this back end?
inline bool has_code(back_end where) { return where == back_end::cpu || has_gpu_code(); }

/// Device memory, freed with the value. Throws out_of_memory with the number of bytes, and of those that are free.
class gpu_memory {
 public:
  gpu_memory() = default;
  explicit gpu_memory(std::size_t bytes);
  void* data() const { return memory_.get(); }

 private:
  std::shared_ptr<void> memory_;
};

/// A stream on a device, with the library's workspace on it. Becomes the current device of the thread.
class gpu_queue {
 public:
  /// Throws unavailable, with the driver's words, if there is no such device.
  explicit gpu_queue(int device);
  ~gpu_queue();
  gpu_queue(gpu_queue&&) noexcept;
  gpu_queue& operator=(gpu_queue&&) noexcept;

  dispatch::place place() const;
  void copy_in(void* device, void const* host, std::size_t bytes) const;   // returns when the bytes are there
  void copy_out(void* host, void const* device, std::size_t bytes) const;  // returns when the bytes are there
  void wait() const;
  /// Seconds of the device for what `enqueue` enqueues, with cold caches: before it, four times what the L2 cache holds is read, so
  /// that the host's way to the device is not in the time either. Without memory for that, caches are as they are. Waits.
  double seconds_of(std::function<void()> const& enqueue) const;

 private:
  struct state;
  std::unique_ptr<state> state_;
};

/// Page-locks host memory while it lives, so that transfers run at full speed. Throws device_error if the system refuses.
class pinned {
 public:
  pinned(void const* data, std::size_t bytes);

 private:
  std::shared_ptr<void> lock_;
};

/// Slots for chunks on their way through a GPU, as gpu::chunk_lanes has them: memory on both sides, and copies beside the kernels
/// of a queue.
class gpu_lanes {
 public:
  /// Bytes of each input and output of a chunk, and of its counts. Throws out_of_memory.
  gpu_lanes(gpu_queue const& queue, std::size_t slots, std::vector<std::size_t> const& in, std::vector<std::size_t> const& out,
            std::size_t count_bytes);
  void* host_in(std::size_t slot, std::size_t k) const;
  void* host_out(std::size_t slot, std::size_t k) const;
  void* device_in(std::size_t slot, std::size_t k) const;
  void* device_out(std::size_t slot, std::size_t k) const;
  void* counts(std::size_t slot) const;  // of the host; kernels write there
  void send(std::size_t slot, std::size_t k, std::size_t bytes) const;
  void sent(std::size_t slot) const;  // every input: what the queue is given from here waits for them
  void done(std::size_t slot) const;  // the queue has all of the chunk
  void wait(std::size_t slot) const;  // until its kernels have ended
  void fetch(std::size_t slot, std::size_t k, std::size_t bytes) const;
  void fetched(std::size_t slot) const;  // every output: waits

 private:
  std::shared_ptr<gpu::chunk_lanes> lanes_;
};

}  // namespace lookback::dispatch
