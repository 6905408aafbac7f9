// The GPU side of the benchmarks: arrays, the policy, and how a call is timed.
#pragma once
#include <cuda_runtime_api.h>

#include <algorithm>
#include <cstdlib>
#include <lookback/gpu.cuh>
#include <memory>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "../case.hpp"
#include "../inputs.hpp"

namespace bench {

inline constexpr bool on_gpu = true;

inline bool read_option(std::string const&) { return false; }

inline void must(cudaError_t code) {
  if (code != cudaSuccess) throw std::runtime_error(cudaGetErrorString(code));
}

inline std::string device_name() {
  cudaDeviceProp properties;
  if (cudaGetDeviceProperties(&properties, 0) != cudaSuccess) return "no GPU";
  return properties.name;
}

inline void prepare_device() {
  int devices = 0;
  if (cudaGetDeviceCount(&devices) == cudaSuccess && devices > 0) return;
  std::fputs("not run: no GPU in this machine\n", stderr);
  std::exit(0);
}

/// Device memory that goes where it came from.
template <class T>
class array {
 public:
  explicit array(std::size_t n) : n_(n) { must(cudaMalloc(&data_, n * sizeof(T))); }
  array(array&& other) noexcept : n_(other.n_), data_(std::exchange(other.data_, nullptr)) {}
  array(array const&) = delete;
  array& operator=(array const&) = delete;
  ~array() { cudaFree(data_); }
  T* begin() { return data_; }
  T* end() { return data_ + n_; }
  T const* begin() const { return data_; }
  T const* end() const { return data_ + n_; }
  T* data() { return data_; }
  T const* data() const { return data_; }
  std::size_t size() const { return n_; }

 private:
  std::size_t n_;
  T* data_ = nullptr;
};

static __global__ void read_all_kernel(uint4 const* from, std::size_t count, unsigned* never) {
  unsigned found = 0;
  for (std::size_t k = blockIdx.x * std::size_t{blockDim.x} + threadIdx.x; k < count; k += gridDim.x * std::size_t{blockDim.x})
    found |= from[k].x | from[k].y | from[k].z | from[k].w;
  if (found != 0) *never = found;
}
/// Reads zeros, four times what L2 holds: after that nothing that a candidate reads is in it, nor anything that the one before it
/// has written, which would be written to memory at its cost (docs/lab/gpu.md, Cold caches). What is asked for while it runs is
/// queued when it ends, so that the host's way to the device is in no sample.
class cold_caches {
 public:
  cold_caches() {
    int device = 0, bytes = 0;
    must(cudaGetDevice(&device));
    must(cudaDeviceGetAttribute(&bytes, cudaDevAttrL2CacheSize, device));
    count_ = 4 * static_cast<std::size_t>(bytes) / sizeof(uint4);
    must(cudaMalloc(&zeros_, (count_ + 1) * sizeof(uint4)));
    must(cudaMemset(zeros_, 0, (count_ + 1) * sizeof(uint4)));
  }
  cold_caches(cold_caches const&) = delete;
  ~cold_caches() { cudaFree(zeros_); }
  void operator()(cudaStream_t stream) const {
    // What has asked to stay (ptx::load_to_stay), which older devices do not know.
    if (auto const code = cudaCtxResetPersistingL2Cache(); code == cudaErrorNotSupported) cudaGetLastError();
    else must(code);
    read_all_kernel<<<1056, 512, 0, stream>>>(zeros_, count_, reinterpret_cast<unsigned*>(zeros_ + count_));
    must(cudaGetLastError());
  }

 private:
  uint4* zeros_ = nullptr;
  std::size_t count_ = 0;
};

/// What one sample is: a call with cold caches; the share of one in a hundred queued calls; of one in a graph of twenty.
enum class timing { single, queued, graph };

/// Where the cases get their memory from and hand their calls to.
class device {
 public:
  device() {
    must(cudaStreamCreateWithFlags(&stream_, cudaStreamNonBlocking));
    must(cudaEventCreate(&start_));
    must(cudaEventCreate(&stop_));
  }
  device(device const&) = delete;
  device& operator=(device const&) = delete;
  ~device() {
    for (auto graph : graphs_) cudaGraphExecDestroy(graph);
    cudaEventDestroy(start_);
    cudaEventDestroy(stop_);
    cudaStreamDestroy(stream_);
  }

  auto on() { return lookback::gpu::on(stream_).with(workspace_); }
  cudaStream_t stream() const { return stream_; }

  template <class T>
  array<T> empty(std::size_t n) const {
    array<T> a(n);
    must(cudaMemsetAsync(a.data(), 0, n * sizeof(T), stream_));
    return a;
  }
  template <class T>
  array<T> filled(std::vector<T> const& values) const {
    array<T> a(values.size());
    must(cudaMemcpy(a.data(), values.data(), values.size() * sizeof(T), cudaMemcpyHostToDevice));
    return a;
  }

  /// Elements from `data` on, when all that was asked for is done.
  template <class T>
  std::vector<T> fetched(T const* data, std::size_t count) const {
    std::vector<T> values(count);
    must(cudaStreamSynchronize(stream_));
    must(cudaMemcpy(values.data(), data, count * sizeof(T), cudaMemcpyDeviceToHost));
    return values;
  }

  template <class Call>
  sampler timed(timing how, Call call) {
    for (int i = 0; i < 3; ++i) call();  // loads the kernel, grows the workspace, wakes the clocks
    must(cudaStreamSynchronize(stream_));
    if (how == timing::single) return alone(call);
    if (how == timing::queued) {
      return between_events(
          [call] {
            for (int i = 0; i < 100; ++i) call();
          },
          100);
    }
    cudaGraphExec_t const graph = captured(call, 20);
    return between_events([graph, this] { must(cudaGraphLaunch(graph, stream_)); }, 20);
  }
  /// Calls that change their input: `prepare` puts it back before each of them, and is not timed.
  template <class Prepare, class Call>
  sampler timed_after(Prepare prepare, Call call) {
    for (int i = 0; i < 3; ++i) prepare(), call();
    must(cudaStreamSynchronize(stream_));
    return [prepare, timed = alone(call)] {
      prepare();
      return timed();
    };
  }
  void put_back(void const* from, void* to, std::size_t bytes) const {
    must(cudaMemcpyAsync(to, from, bytes, cudaMemcpyDeviceToDevice, stream_));
  }
  sampler copy(timing how, void const* in, void* out, std::size_t bytes) {
    return timed(how, [=, this] { must(cudaMemcpyAsync(out, in, bytes, cudaMemcpyDeviceToDevice, stream_)); });
  }

 private:
  /// One call with cold caches.
  template <class Call>
  sampler alone(Call call) {
    return [this, timed = between_events(call, 1)] {
      cold_(stream_);
      return timed();
    };
  }
  template <class Calls>
  sampler between_events(Calls calls, int number) {
    return [=, this] {
      must(cudaEventRecord(start_, stream_));
      calls();
      must(cudaEventRecord(stop_, stream_));
      must(cudaEventSynchronize(stop_));
      float milliseconds = 0;
      must(cudaEventElapsedTime(&milliseconds, start_, stop_));
      return sample{milliseconds * 1e-3 / number};
    };
  }

  template <class Call>
  cudaGraphExec_t captured(Call const& call, int number) {
    cudaGraph_t graph;
    cudaGraphExec_t ready;
    must(cudaStreamBeginCapture(stream_, cudaStreamCaptureModeThreadLocal));
    for (int i = 0; i < number; ++i) call();
    must(cudaStreamEndCapture(stream_, &graph));
    must(cudaGraphInstantiate(&ready, graph, 0));
    must(cudaGraphDestroy(graph));
    graphs_.push_back(ready);
    return ready;
  }

  cudaStream_t stream_;
  cudaEvent_t start_, stop_;
  lookback::gpu::workspace workspace_;
  std::vector<cudaGraphExec_t> graphs_;
  cold_caches cold_;
};

}  // namespace bench
