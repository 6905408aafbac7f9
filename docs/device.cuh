// What the page of calls on a GPU keeps its data in, and how it shows results: nothing that the library asks for.
#pragma once
#include <cuda_runtime_api.h>

#include <iostream>
#include <lookback/gpu.cuh>
#include <stdexcept>
#include <string>
#include <vector>

namespace lb = lookback;

inline void must(cudaError_t code) {
  if (code != cudaSuccess) throw std::runtime_error(cudaGetErrorString(code));
}

inline cudaStream_t page_stream = nullptr;  // of all calls on this page

// Device memory, filled and read in the order of the stream. Any contiguous range will do for the library: std::span,
// rmm::device_uvector, an own vector.
template <class T>
class device {
 public:
  device(std::vector<T> const& values) : size_(values.size()) {
    must(cudaMalloc(&data_, size_ * sizeof(T)));
    write(values);
  }
  device(std::initializer_list<T> values) : device(std::vector<T>(values)) {}  // one value is not a size
  explicit device(std::size_t size) : device(std::vector<T>(size)) {}
  ~device() { cudaFree(data_); }
  device(device const&) = delete;
  device& operator=(device const&) = delete;
  T* data() { return data_; }
  T const* data() const { return data_; }
  std::size_t size() const { return size_; }
  T* begin() { return data_; }
  T* end() { return data_ + size_; }
  T const* begin() const { return data_; }
  T const* end() const { return data_ + size_; }
  void write(std::vector<T> const& values) {
    must(cudaMemcpyAsync(data_, values.data(), size_ * sizeof(T), cudaMemcpyHostToDevice, page_stream));
    must(cudaStreamSynchronize(page_stream));
  }
  std::vector<T> host() const {
    std::vector<T> values(size_);
    must(cudaMemcpyAsync(values.data(), data_, size_ * sizeof(T), cudaMemcpyDeviceToHost, page_stream));
    must(cudaStreamSynchronize(page_stream));
    return values;
  }

 private:
  T* data_ = nullptr;
  std::size_t size_;
};
using ints = device<int>;

// Prints what a call gave, and stops at the first surprise. Waits for the stream.
template <class T>
void shows(std::string const& call, device<T> const& got, std::vector<T> const& want) {
  auto front = got.host();
  front.resize(want.size());  // behind a compaction's results is what was there before
  std::cout << call << " =";
  for (auto const& x : front) std::cout << ' ' << x;
  std::cout << '\n';
  if (front != want) throw std::logic_error("not what this page says: " + call);
}
inline void shows(std::string const& call, lb::index_t got, lb::index_t want) {
  std::cout << call << " = " << got << '\n';
  if (got != want) throw std::logic_error("not what this page says: " + call);
}
