// The GPU of a build with CUDA. A machine without a driver still runs the program: every call says why there is no GPU.
#include <cuda_runtime.h>

#include <lookback/gpu.cuh>
#include <optional>

#include "gpu.hpp"

namespace lookback::dispatch {

namespace {

std::string version_text(int version) { return std::to_string(version / 1000) + "." + std::to_string(version % 1000 / 10); }

}  // namespace

gpu_survey survey_gpus() {
  gpu_survey found;
  int count = 0, runtime = 0, driver = 0;
  cudaRuntimeGetVersion(&runtime);
  cudaDriverGetVersion(&driver);
  found.versions = "runtime " + version_text(runtime) + ", driver " + (driver ? version_text(driver) : "none");
  if (auto const code = cudaGetDeviceCount(&count); code != cudaSuccess || count == 0) {
    cudaGetLastError();  // leave nothing behind for the next call
    found.why_none = code == cudaSuccess ? "no CUDA device" : cudaGetErrorString(code);
    return found;
  }
  for (int i = 0; i < count; ++i) {
    cudaDeviceProp about{};
    gpu::check(cudaGetDeviceProperties(&about, i));
    found.devices.push_back({about.name, "sm_" + std::to_string(about.major) + std::to_string(about.minor), about.totalGlobalMem,
                             about.multiProcessorCount});
  }
  return found;
}

bool has_gpu_code() { return true; }

gpu_memory::gpu_memory(std::size_t bytes) {
  if (bytes == 0) return;
  void* got = nullptr;
  if (auto const code = cudaMalloc(&got, bytes); code == cudaErrorMemoryAllocation) {
    cudaGetLastError();
    std::size_t left = 0, whole = 0;
    cudaMemGetInfo(&left, &whole);
    throw out_of_memory("no memory for " + std::to_string(bytes) + " bytes on the GPU (" + std::to_string(left) + " of " +
                        std::to_string(whole) + " bytes are free)");
  } else {
    gpu::check(code);
  }
  memory_ = std::shared_ptr<void>(got, [](void* p) { cudaFree(p); });
}

namespace {

__global__ void __launch_bounds__(512) read_all_kernel(uint4 const* from, std::size_t count, unsigned* never) {
  unsigned found = 0;
  for (std::size_t k = blockIdx.x * std::size_t{blockDim.x} + threadIdx.x; k < count; k += gridDim.x * std::size_t{blockDim.x})
    found |= from[k].x | from[k].y | from[k].z | from[k].w;
  if (found != 0) *never = found;
}

/// Zeros, four times what L2 holds: once they are read nothing else is there, nor waits to be written.
class cold_caches {
 public:
  explicit cold_caches(int device) {
    int bytes = 0;
    gpu::check(cudaDeviceGetAttribute(&bytes, cudaDevAttrL2CacheSize, device));
    count_ = 4 * static_cast<std::size_t>(bytes) / sizeof(uint4);
    if (cudaMalloc(&zeros_, (count_ + 1) * sizeof(uint4)) != cudaSuccess) {
      cudaGetLastError();
      zeros_ = nullptr;
    } else gpu::check(cudaMemset(zeros_, 0, (count_ + 1) * sizeof(uint4)));
  }
  cold_caches(cold_caches const&) = delete;
  ~cold_caches() { cudaFree(zeros_); }
  void operator()(cudaStream_t stream) const {
    if (!zeros_) return;
    // What has asked to stay (ptx::load_to_stay), which older devices do not know.
    if (auto const code = cudaCtxResetPersistingL2Cache(); code == cudaErrorNotSupported) cudaGetLastError();
    else gpu::check(code);
    read_all_kernel<<<1056, 512, 0, stream>>>(zeros_, count_, reinterpret_cast<unsigned*>(zeros_ + count_));
    gpu::check(cudaGetLastError());
  }

 private:
  uint4* zeros_ = nullptr;
  std::size_t count_ = 0;
};

/// Two places in a stream, and the time between them.
struct stretch {
  cudaEvent_t begin = nullptr, end = nullptr;
  stretch() {
    gpu::check(cudaEventCreate(&begin));
    gpu::check(cudaEventCreate(&end));
  }
  stretch(stretch const&) = delete;
  ~stretch() {
    cudaEventDestroy(begin);
    cudaEventDestroy(end);
  }
};

}  // namespace

struct gpu_queue::state {
  int device;
  cudaStream_t stream = nullptr;
  gpu::workspace scratch;
  std::optional<cold_caches> cold;
  std::optional<stretch> timed;
  explicit state(int number) : device{(gpu::check(cudaSetDevice(number)), number)} {
    gpu::check(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
  }
  ~state() { cudaStreamDestroy(stream); }
  state(state const&) = delete;
};

gpu_queue::gpu_queue(int device) {
  auto const survey = survey_gpus();
  if (survey.devices.empty()) throw unavailable(survey.why_none);
  if (device < 0 || static_cast<std::size_t>(device) >= survey.devices.size())
    throw unavailable("no GPU has the number " + std::to_string(device));
  state_ = std::make_unique<state>(device);
}
gpu_queue::~gpu_queue() = default;
gpu_queue::gpu_queue(gpu_queue&&) noexcept = default;
gpu_queue& gpu_queue::operator=(gpu_queue&&) noexcept = default;

place gpu_queue::place() const {
  dispatch::place on;
  on.where = back_end::gpu;
  on.stream = state_->stream;
  on.workspace = &state_->scratch;
  return on;
}

void gpu_queue::copy_in(void* device, void const* host, std::size_t bytes) const {
  gpu::check(cudaMemcpyAsync(device, host, bytes, cudaMemcpyHostToDevice, state_->stream));
  wait();
}
void gpu_queue::copy_out(void* host, void const* device, std::size_t bytes) const {
  gpu::check(cudaMemcpyAsync(host, device, bytes, cudaMemcpyDeviceToHost, state_->stream));
  wait();
}
void gpu_queue::wait() const { gpu::check(cudaStreamSynchronize(state_->stream)); }

double gpu_queue::seconds_of(std::function<void()> const& enqueue) const {
  auto& all = *state_;
  if (!all.cold) all.cold.emplace(all.device);
  if (!all.timed) all.timed.emplace();
  (*all.cold)(all.stream);
  gpu::check(cudaEventRecord(all.timed->begin, all.stream));
  enqueue();
  gpu::check(cudaEventRecord(all.timed->end, all.stream));
  wait();
  float milliseconds = 0;
  gpu::check(cudaEventElapsedTime(&milliseconds, all.timed->begin, all.timed->end));
  return milliseconds / 1e3;
}

pinned::pinned(void const* data, std::size_t bytes) {
  if (bytes == 0) return;
  void* const start = const_cast<void*>(data);
  gpu::check(cudaHostRegister(start, bytes, cudaHostRegisterDefault));
  lock_ = std::shared_ptr<void>(start, [](void* p) { cudaHostUnregister(p); });
}

gpu_lanes::gpu_lanes(gpu_queue const& queue, std::size_t slots, std::vector<std::size_t> const& in,
                     std::vector<std::size_t> const& out, std::size_t count_bytes)
    : lanes_{std::make_shared<gpu::chunk_lanes>(static_cast<cudaStream_t>(queue.place().stream), slots, in, out, count_bytes)} {}
void* gpu_lanes::host_in(std::size_t slot, std::size_t k) const { return lanes_->host_in(slot, k); }
void* gpu_lanes::host_out(std::size_t slot, std::size_t k) const { return lanes_->host_out(slot, k); }
void* gpu_lanes::device_in(std::size_t slot, std::size_t k) const { return lanes_->device_in(slot, k); }
void* gpu_lanes::device_out(std::size_t slot, std::size_t k) const { return lanes_->device_out(slot, k); }
void* gpu_lanes::counts(std::size_t slot) const { return lanes_->counts(slot); }
void gpu_lanes::send(std::size_t slot, std::size_t k, std::size_t bytes) const { lanes_->send(slot, k, bytes); }
void gpu_lanes::sent(std::size_t slot) const { lanes_->sent(slot); }
void gpu_lanes::done(std::size_t slot) const { lanes_->done(slot); }
void gpu_lanes::wait(std::size_t slot) const { lanes_->wait(slot); }
void gpu_lanes::fetch(std::size_t slot, std::size_t k, std::size_t bytes) const { lanes_->fetch(slot, k, bytes); }
void gpu_lanes::fetched(std::size_t slot) const { lanes_->fetched(slot); }

}  // namespace lookback::dispatch
