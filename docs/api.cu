// The same calls on a GPU: data in device memory, work in the order of a stream. Compiles and runs as a test; needs nvcc, and
// --extended-lambda for the lambdas.
#include <cuda_runtime_api.h>

#include <iostream>
#include <lookback/gpu.cuh>
#include <lookback/scan.hpp>
#include <lookback/segmented_scan.hpp>
#include <span>
#include <stdexcept>
#include <string>
#include <vector>

namespace lb = lookback;

void must(cudaError_t code) {
  if (code != cudaSuccess) throw std::runtime_error(cudaGetErrorString(code));
}

// Device memory for the length of this page. Any contiguous range will do: std::span, rmm::device_uvector, an own vector.
class device_ints {
 public:
  explicit device_ints(std::vector<int> const& values) : size_(values.size()) {
    must(cudaMalloc(&data_, size_ * sizeof(int)));
    must(cudaMemcpy(data_, values.data(), size_ * sizeof(int), cudaMemcpyHostToDevice));
  }
  ~device_ints() { cudaFree(data_); }
  device_ints(device_ints const&) = delete;
  device_ints& operator=(device_ints const&) = delete;
  std::span<int> all() const { return {data_, size_}; }
  std::vector<int> host() const {
    std::vector<int> values(size_);
    must(cudaMemcpy(values.data(), data_, size_ * sizeof(int), cudaMemcpyDeviceToHost));
    return values;
  }

 private:
  int* data_ = nullptr;
  std::size_t size_;
};

void shows(std::string const& call, device_ints const& got, std::vector<int> const& want) {
  std::cout << call << " =";
  for (int x : got.host()) std::cout << ' ' << x;
  std::cout << '\n';
  if (got.host() != want) throw std::logic_error("not what this page says: " + call);
}

void scans(cudaStream_t stream) {
  lb::gpu::workspace workspace;  // scratch that calls on one stream share; without it every call allocates and waits
  auto const on = lb::gpu::on(stream).with(workspace);
  device_ints const in({3, 1, 4, 1, 5, 9}), keys({7, 7, 2, 2, 2, 7});
  device_ints out({0, 0, 0, 0, 0, 0});

  lb::inclusive_scan(on, in.all(), out.all());
  must(cudaStreamSynchronize(stream));
  shows("inclusive_scan", out, {3, 4, 8, 9, 14, 23});

  lb::exclusive_scan(on.with(lb::right_to_left), in.all(), out.all(), lb::maximum<int>{}, 2);
  must(cudaStreamSynchronize(stream));
  shows("exclusive maximum, right to left", out, {9, 9, 9, 9, 9, 2});

  lb::inclusive_scan(on, lb::mapped(in.all(), [] __host__ __device__(int x) { return x * x; }), out.all());
  must(cudaStreamSynchronize(stream));
  shows("a map in front", out, {9, 10, 26, 27, 52, 133});

  lb::inclusive_segmented_scan(on, in.all(), lb::keys(keys.all()), out.all());
  must(cudaStreamSynchronize(stream));
  shows("segments by keys", out, {3, 4, 4, 5, 10, 9});

  device_ints const offsets({0, 2, 5, 6}), first_of_each({100, 200, 300});
  lb::exclusive_segmented_scan(on, in.all(), lb::offsets(offsets.all()), out.all(), lb::plus<int>{}, first_of_each.all());
  must(cudaStreamSynchronize(stream));
  shows("one initial value per segment", out, {100, 103, 200, 204, 205, 300});

  // Calls only enqueue, so a graph can hold them. The workspace has grown by now; reserve(bytes) does the same at once.
  cudaGraph_t graph;
  cudaGraphExec_t replay;
  must(cudaStreamBeginCapture(stream, cudaStreamCaptureModeThreadLocal));
  lb::inclusive_scan(on, in.all(), out.all());
  lb::inclusive_scan(on, out.all(), out.all());
  must(cudaStreamEndCapture(stream, &graph));
  must(cudaGraphInstantiate(&replay, graph, 0));
  must(cudaGraphLaunch(replay, stream));
  must(cudaStreamSynchronize(stream));
  shows("two scans in a graph", out, {3, 7, 15, 24, 38, 61});
  must(cudaGraphExecDestroy(replay));
  must(cudaGraphDestroy(graph));
}

int main() {
  int devices = 0;
  if (cudaGetDeviceCount(&devices) != cudaSuccess || devices == 0) {
    std::cout << "SKIPPED: no GPU in this machine\n";
    return 0;
  }
  cudaStream_t stream;
  must(cudaStreamCreate(&stream));
  scans(stream);
  must(cudaStreamDestroy(stream));
}
