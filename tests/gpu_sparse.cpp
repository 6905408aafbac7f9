// Results of segments past what 32 bits count: a sparse matrix of more than 2^31 nonzeros, made and checked where it lies.
#include <algorithm>
#include <lookback/reduce_by_key.hpp>
#include <lookback/spmv.hpp>
#include <span>

#include "array.hpp"
#include "fixture.hpp"

using namespace harness;
using lookback::index_t;

namespace {

struct gpu_sparse : on_device {};

constexpr index_t in_row = 17;

/// Small integers, so that every sum is exact in any order.
__device__ float value_at(index_t k) { return static_cast<float>(k % 7) - 3; }
__device__ std::int32_t column_at(index_t k, index_t columns) {
  return static_cast<std::int32_t>(static_cast<std::uint64_t>(k) * 0x9E3779B97F4A7C15u % static_cast<std::uint64_t>(columns));
}

__global__ void make_matrix(index_t rows, std::int64_t* offsets, std::int32_t* columns, float* values, float* x) {
  index_t const thread = blockIdx.x * index_t{blockDim.x} + threadIdx.x, threads = gridDim.x * index_t{blockDim.x};
  for (index_t r = thread; r <= rows; r += threads) offsets[r] = r * in_row;
  for (index_t r = thread; r < rows; r += threads) x[r] = static_cast<float>(r % 5) - 2;
  for (index_t k = thread; k < rows * in_row; k += threads) values[k] = value_at(k), columns[k] = column_at(k, rows);
}
__global__ void count_wrong_rows(index_t rows, float const* y, unsigned long long* wrong) {
  index_t const thread = blockIdx.x * index_t{blockDim.x} + threadIdx.x, threads = gridDim.x * index_t{blockDim.x};
  for (index_t r = thread; r < rows; r += threads) {
    float want = 0;
    for (index_t k = r * in_row; k < (r + 1) * in_row; ++k) want += value_at(k) * (static_cast<float>(column_at(k, rows) % 5) - 2);
    if (y[r] != want) atomicAdd(wrong, 1ull);
  }
}

template <class T>
std::span<T> on_device_of(index_t n) {
  T* data = nullptr;
  check(cudaMalloc(&data, static_cast<std::size_t>(n) * sizeof(T)));
  return {data, static_cast<std::size_t>(n)};
}

}  // namespace

struct one {
  LOOKBACK_FN std::uint64_t operator()(index_t) const { return 1; }
};

/// A segment of a multiple of 2^32 items, of whose ends the low words agree.
TEST_F(gpu_sparse, a_segment_of_two_to_the_32_items) {
  index_t const longest = small() ? index_t{1} << 16 : index_t{1} << 32;
  std::vector<std::int64_t> const ends{0, longest, longest + 5};
  array<std::int64_t> const offsets(ends);
  array<std::uint64_t> out(std::size_t{2});
  lookback::segmented_reduce_async(lookback::gpu::on(stream()), lookback::generate(longest + 5, one{}),
                                   lookback::known_offsets(offsets), out, nullptr, lookback::plus<std::uint64_t>{});
  EXPECT_EQ(out.host(), (std::vector<std::uint64_t>{static_cast<std::uint64_t>(longest), 5}));
}

TEST_F(gpu_sparse, more_than_two_to_the_31_nonzeros) {
  std::size_t free = 0, all = 0;
  check(cudaMemGetInfo(&free, &all));
  index_t const bytes_of_row = in_row * 8 + 16, most = static_cast<index_t>(free) / 10 * 9 / bytes_of_row;
  index_t const rows = small() ? 10'007 : std::min(index_t{1} << 27, most), nonzeros = rows * in_row;
  auto const offsets = on_device_of<std::int64_t>(rows + 1);
  auto const columns = on_device_of<std::int32_t>(nonzeros);
  auto const values = on_device_of<float>(nonzeros), x = on_device_of<float>(rows), y = on_device_of<float>(rows);
  auto const wrong = on_device_of<unsigned long long>(1);
  check(cudaMemsetAsync(wrong.data(), 0, 8, stream()));
  make_matrix<<<1024, 256, 0, stream()>>>(rows, offsets.data(), columns.data(), values.data(), x.data());
  lookback::spmv(lookback::gpu::on(stream()), lookback::csr_view{rows, rows, offsets, columns, values}, x, y);
  count_wrong_rows<<<1024, 256, 0, stream()>>>(rows, y.data(), wrong.data());
  unsigned long long count = 1;
  check(cudaMemcpyAsync(&count, wrong.data(), 8, cudaMemcpyDeviceToHost, stream()));
  check(cudaStreamSynchronize(stream()));
  EXPECT_EQ(count, 0) << "of " << rows << " rows of " << in_row;
  RecordProperty("nonzeros", std::to_string(nonzeros));
  for (void* data : {static_cast<void*>(offsets.data()), static_cast<void*>(columns.data()), static_cast<void*>(values.data()),
                     static_cast<void*>(x.data()), static_cast<void*>(y.data()), static_cast<void*>(wrong.data())})
    check(cudaFree(data));
}

/// Its prefixes come of another association.
TEST_F(gpu_sparse, reproducible_sums_by_another_strategy_are_refused) {
  array<std::int32_t> const offsets(std::vector<std::int32_t>{0, 1}), columns(std::vector<std::int32_t>{0});
  array<double> const values(std::vector<double>{1}), x(std::vector<double>{1});
  array<double> y(1);
  lookback::csr_view const a{1, 1, offsets, columns, values};
  auto const on = lookback::gpu::on(stream()).with(lookback::reproducible);
  EXPECT_THROW(lookback::spmv(on.with(lookback::reduce_then_scan{}), a, x, y), lookback::invalid_argument);
}
