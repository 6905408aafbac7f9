// A user's first scan on a GPU. Lambdas would need --extended-lambda; the built-in operators need no flag.
#include <cuda_runtime.h>

#include <cstdio>
#include <lookback/gpu.cuh>
#include <lookback/scan.hpp>
#include <span>
#include <vector>

int main() {
  int devices = 0;
  if (cudaGetDeviceCount(&devices) != cudaSuccess || devices == 0) {
    std::printf("no GPU: compiled and linked only\n");
    return 0;
  }
  std::vector<int> host{3, 1, 4, 1, 5};
  int* device = nullptr;
  cudaMalloc(&device, host.size() * sizeof(int));
  cudaMemcpy(device, host.data(), host.size() * sizeof(int), cudaMemcpyHostToDevice);
  std::span<int> const data(device, host.size());
  lookback::inclusive_scan(lookback::gpu::on(nullptr), data, data);
  cudaMemcpy(host.data(), device, host.size() * sizeof(int), cudaMemcpyDeviceToHost);
  cudaFree(device);
  for (int x : host) std::printf("%d ", x);
  std::printf("\n");
  return host.back() == 14 ? 0 : 1;
}
