// What a benchmark does to every item on a GPU beside what it measures: it makes inputs and checks results where they lie, which
// takes milliseconds where the host takes seconds. f is called there.
#pragma once
#include "harness.hpp"

namespace bench {

inline constexpr int each_threads = 256, each_blocks = 2048;

template <class F>
__device__ void each_of_grid(std::size_t n, F const& f) {
  for (std::size_t i = blockIdx.x * std::size_t{each_threads} + threadIdx.x; i < n; i += std::size_t{each_threads} * each_blocks)
    f(i);
}
template <class T, class F>
__global__ void fill_kernel(T* out, std::size_t n, F f) {
  each_of_grid(n, [&](std::size_t i) { out[i] = f(i); });
}
template <class F>
__global__ void sum_kernel(unsigned long long* sum, std::size_t n, F f) {
  unsigned long long mine = 0;
  each_of_grid(n, [&](std::size_t i) { mine += f(i); });
  atomicAdd(sum, mine);
}
template <class F>
__global__ void first_failure_kernel(unsigned long long* first, std::size_t n, F f) {
  each_of_grid(n, [&](std::size_t i) {
    if (!f(i)) atomicMin(first, static_cast<unsigned long long>(i));
  });
}

/// f(0), ..., f(n - 1).
template <class T, class F>
array<T> generated(device const& d, std::size_t n, F f) {
  array<T> made(n);
  fill_kernel<<<each_blocks, each_threads, 0, d.stream()>>>(made.data(), n, f);
  must(cudaGetLastError());
  return made;
}
/// Their sum, which wraps around.
template <class F>
std::uint64_t sum_of(device const& d, std::size_t n, F f) {
  auto sum = d.filled(std::vector<unsigned long long>{0});
  sum_kernel<<<each_blocks, each_threads, 0, d.stream()>>>(sum.data(), n, f);
  must(cudaGetLastError());
  return d.fetched(sum.data(), 1)[0];
}
/// The least i below n for which f(i) is false, or n.
template <class F>
std::size_t first_failure(device const& d, std::size_t n, F f) {
  auto first = d.filled(std::vector<unsigned long long>{n});
  first_failure_kernel<<<each_blocks, each_threads, 0, d.stream()>>>(first.data(), n, f);
  must(cudaGetLastError());
  return d.fetched(first.data(), 1)[0];
}

}  // namespace bench
