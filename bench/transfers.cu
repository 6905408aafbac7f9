// What a transfer takes at best: one copy between pinned memory and the GPU, in each direction.
//   bench_transfers BYTES        prints the seconds of a copy to the GPU and of one back, the median of seven each
#include <cuda_runtime.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <stdexcept>
#include <vector>

namespace {

void check(cudaError_t code) {
  if (code != cudaSuccess) throw std::runtime_error(cudaGetErrorString(code));
}

double seconds_of(void* to, void const* from, std::size_t bytes) {
  std::vector<double> all(7);
  for (auto& one : all) {
    auto const begin = std::chrono::steady_clock::now();
    check(cudaMemcpy(to, from, bytes, cudaMemcpyDefault));
    check(cudaDeviceSynchronize());
    one = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  }
  std::nth_element(all.begin(), all.begin() + 3, all.end());
  return all[3];
}

}  // namespace

int main(int argc, char** argv) {
  auto const bytes = argc == 2 ? static_cast<std::size_t>(std::strtod(argv[1], nullptr)) : 0;
  if (bytes == 0) {
    std::fprintf(stderr, "bench_transfers BYTES\n");
    return 64;
  }
  try {
    void *host = nullptr, *device = nullptr;
    check(cudaMallocHost(&host, bytes));
    check(cudaMalloc(&device, bytes));
    double const in = seconds_of(device, host, bytes);
    std::printf("%.6f %.6f\n", in, seconds_of(host, device, bytes));
  } catch (std::exception const& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 70;
  }
}
