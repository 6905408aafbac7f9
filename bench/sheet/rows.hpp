// A row of the sheet: one combination that the API offers, ours beside CUB's and a copy. Its inputs are made on the device.
#pragma once
#include <functional>
#include <lookback/select_if.hpp>
#include <memory>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "../gpu/harness.hpp"
#include "../main.hpp"
#include "../peers/sheet.hpp"

namespace bench::sheet {

/// Sizes at which every combination is measured: 2^28 items, 2^27 from 8 bytes on, and 2^20.
template <class T>
std::vector<std::size_t> sizes() {
  return {std::size_t{1} << (sizeof(T) < 8 ? 28 : 27), std::size_t{1} << 20};
}
template <class T>
std::string width() {
  return std::to_string(sizeof(T)) + "B";
}
inline std::string power(std::size_t n) {
  int k = 0;
  while (std::size_t{1} << k < n) ++k;
  return "2^" + std::to_string(k);
}

__host__ __device__ inline std::uint64_t hash(std::uint64_t x) {  // splitmix64
  x += 0x9E3779B97F4A7C15u;
  x = (x ^ x >> 30) * 0xBF58476D1CE4E5B9u;
  x = (x ^ x >> 27) * 0x94D049BB133111EBu;
  return x ^ x >> 31;
}
template <class T>
__host__ __device__ T from_number(std::uint64_t x) {
  if constexpr (std::is_same_v<T, wide>) return {x, x ^ 0x5555};
  else return static_cast<T>(x);
}

template <class T, class F>
__global__ void make_kernel(T* out, std::size_t n, F f) {
  for (std::size_t i = blockIdx.x * std::size_t{blockDim.x} + threadIdx.x; i < n; i += gridDim.x * std::size_t{blockDim.x})
    out[i] = f(i);
}
template <class T, class F>
array<T> made(device& d, std::size_t n, F f) {
  array<T> to(n);
  make_kernel<<<1056, 256, 0, d.stream()>>>(to.data(), n, f);
  must(cudaGetLastError());
  return to;
}
/// Counts bytes that differ, of items of `width` bytes; b may hold them from its end on.
static __global__ void differ_kernel(unsigned char const* a, unsigned char const* b, std::size_t bytes, std::size_t width,
                                     bool reversed, unsigned long long* count) {
  unsigned long long found = 0;
  for (std::size_t i = blockIdx.x * std::size_t{blockDim.x} + threadIdx.x; i < bytes; i += gridDim.x * std::size_t{blockDim.x})
    found += a[i] != b[reversed ? bytes - width - i / width * width + i % width : i];
  if (found) atomicAdd(count, found);
}

template <class T>
struct random_value {
  std::uint64_t seed;
  __device__ T operator()(std::size_t i) const { return from_number<T>(hash(i + seed)); }
};
template <class T>
array<T> random_items(device& d, std::size_t n) {
  return made<T>(d, n, random_value<T>{n});
}

inline constexpr std::size_t mean_length = 10;
struct begins {
  __host__ __device__ std::uint8_t operator()(std::size_t i) const { return i == 0 || hash(i) % mean_length == 0; }
};
struct byte_of_bits {
  __device__ std::uint8_t operator()(std::size_t byte) const {
    unsigned bits = 0;
    for (unsigned k = 0; k < 8; ++k) bits |= static_cast<unsigned>(begins{}(byte * 8 + k)) << k;
    return static_cast<std::uint8_t>(bits);
  }
};
template <class T>
struct number_of_run {
  std::uint32_t const* numbers;
  __device__ T operator()(std::size_t i) const { return from_number<T>(numbers[i]); }
};
struct place {
  __host__ __device__ std::int64_t operator()(std::int64_t i) const { return i; }
};
template <class To>
struct as_type {
  std::int64_t const* from;
  __device__ To operator()(std::size_t i) const { return static_cast<To>(from[i]); }
};

struct flag32 {
  __device__ std::int32_t operator()(std::size_t i) const { return begins{}(i); }
};
/// Rows are as long as segments are on average.
constexpr std::int32_t row_length = static_cast<std::int32_t>(mean_length);
struct number_of_row {
  __device__ std::uint32_t operator()(std::size_t i) const { return static_cast<std::uint32_t>(i / row_length); }
};

/// Segments of n items, ten long on average, in every description.
struct described {
  std::size_t n;
  array<std::uint8_t> flags, bits;
  array<std::uint32_t> numbers;  // of the segment of each item: keys of 4 bytes
  array<std::int64_t> offsets;
  std::size_t segments;

  described(device& d, std::size_t items);
  template <class T>
  array<T> keys(device& d) const {
    return made<T>(d, n, number_of_run<T>{numbers.data()});
  }
  template <class T>
  array<T> offsets_of(device& d) const {
    return made<T>(d, segments + 1, as_type<T>{offsets.data()});
  }
};

/// What a row is made of. `prepare` puts back what a call changes. Ours and theirs are compared byte by byte.
struct row {
  double bytes = 0;  // least that must move, read and written
  std::function<void()> ours;
  using peer = std::function<void(cub_peer::scratch&)>;
  peer theirs, other_of_theirs;  // none, one or two, whose results are the same
  std::function<void()> prepare, prepare_theirs;
  struct pair {
    void const *ours, *theirs;
    std::size_t bytes, width = 1;
    bool reversed = false;
  };
  std::vector<pair> same;  // `theirs` may be what the result must be, without a peer
};

/// Measures and compares.
void run_row(benchmark::State& state, device& d, row const& r);

inline void add_row(std::string const& name, std::size_t n, std::function<void(benchmark::State&, device&)> body) {
  add_case("sheet/" + name + "_" + power(n), n > std::size_t{1} << 24 ? 9 : 21, [body](benchmark::State& state) {
    device d;
    body(state, d);
  });
}

void add_scans();
void add_segmented_scans();
void add_compactions();
void add_runs();
void add_reductions();

}  // namespace bench::sheet
