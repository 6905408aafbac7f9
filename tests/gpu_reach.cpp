// Arrays that the GPU does not reach are refused before anything is queued, by name: in builds with assertions, as this one is.
#include <lookback/partition_if.hpp>
#include <lookback/reduce_by_key.hpp>
#include <lookback/run_length_decode.hpp>
#include <lookback/run_length_encode.hpp>
#include <lookback/select_if.hpp>
#include <lookback/spmv.hpp>
#include <lookback/spmv_plan.cuh>
#include <lookback/unique.hpp>
#include <memory>
#include <span>

#include "array.hpp"
#include "fixture.hpp"

using namespace harness;
namespace gpu = lookback::gpu;

static_assert(lookback::detail::asserts, "this file is compiled without NDEBUG");

struct gpu_reach : on_device {
  void SetUp() override {
    on_device::SetUp();
    if (IsSkipped()) return;
    int device = 0, pages = 0;
    check(cudaGetDevice(&device));
    check(cudaDeviceGetAttribute(&pages, cudaDevAttrPageableMemoryAccess, device));
    if (pages) GTEST_SKIP() << "SKIPPED: this device reaches all memory of the host";
  }
};

constexpr std::size_t number = 1000;

/// The call is refused with a sentence that names the argument.
template <class Call>
void expect_out_of_reach(char const* name, Call call) {
  try {
    call();
    ADD_FAILURE() << "not refused: " << name;
  } catch (lookback::invalid_argument const& refused) {
    EXPECT_NE(std::string(refused.what()).find("`" + std::string(name) + "`"), std::string::npos) << refused.what();
  }
  check(cudaStreamSynchronize(stream()));
}

struct keeps_all {
  template <class T>
  ON_DEVICE bool operator()(T const&) const {
    return true;
  }
};

TEST_F(gpu_reach, arrays_of_the_host_are_refused_by_name) {
  std::vector<std::int32_t> memory(number, 1);
  std::span<std::int32_t> const host(memory);
  array<std::int32_t> in(std::vector<std::int32_t>(number, 1)), out(number), second(number), third(number);
  std::span<std::uint8_t const> const host_bytes(reinterpret_cast<std::uint8_t const*>(memory.data()), number);
  lookback::index_t host_count = 0;
  auto const on = gpu::on(stream());
  using namespace lookback;
  expect_out_of_reach("in", [&] { inclusive_scan(on, host, out); });
  expect_out_of_reach("out", [&] { inclusive_scan(on, in, host); });
  expect_out_of_reach("in", [&] { inclusive_scan(on, mapped(host, keeps_all{}), out, lookback::plus<int>{}); });
  expect_out_of_reach("n", [&] { inclusive_scan(on, first(in, {1000, &host_count}), out); });
  expect_out_of_reach("segments", [&] { inclusive_segmented_scan(on, in, head_flags(host), out); });
  expect_out_of_reach("segments", [&] { inclusive_segmented_scan(on, in, offsets(host), out); });
  expect_out_of_reach("keys", [&] { inclusive_segmented_scan(on, in, keys(host), out); });
  expect_out_of_reach("keys", [&] { inclusive_scan_by_key(on, host, in, out); });
  expect_out_of_reach("initials", [&] { inclusive_segmented_scan(on, in, head_flags(in), out, lookback::plus<>{}, host); });
  expect_out_of_reach("in", [&] { select_if(on, host, keeps_all{}); });
  expect_out_of_reach("stencil", [&] { select_if(on, in, stencil(host), out, keeps_all{}); });
  expect_out_of_reach("flags", [&] { select_flagged(on, in, host_bytes, out); });
  expect_out_of_reach("flags", [&] { select_flagged(on, in, host, out); });
  expect_out_of_reach("count", [&] { select_if_async(on, in, out, keeps_all{}, &host_count); });
  expect_out_of_reach("rejected", [&] { partition_if(on, in, out, host, keeps_all{}); });
  expect_out_of_reach("out", [&] { unique(on, in, host); });
  expect_out_of_reach("values_out", [&] { unique_by_key(on, in, in, out, host); });
  expect_out_of_reach("lengths", [&] { run_length_encode(on, in, out, host); });
  expect_out_of_reach("offsets", [&] { run_length_encode(on, in, out, second, host); });
  expect_out_of_reach("lengths", [&] { non_trivial_runs(on, in, out, host); });
  expect_out_of_reach("lengths", [&] { decoded_size(on, host); });
  expect_out_of_reach("values", [&] { run_length_decode(on, host, in, out); });
  expect_out_of_reach("keys_out", [&] { reduce_by_key(on, in, in, host, out); });
  expect_out_of_reach("count", [&] { reduce_by_key_async(on, in, in, out, second, &host_count); });
  expect_out_of_reach("segments", [&] { segmented_reduce(on, in, offsets(host), out); });
  expect_out_of_reach("x", [&] { spmv(on, csr_view{1, 1000, std::span(in.data(), 2), in, in}, host, out); });
  expect_out_of_reach("y", [&] { spmv(on, csr_view{1, 1000, std::span(in.data(), 2), in, in}, in, host); });
  expect_out_of_reach("offsets", [&] { spmv(on, csr_view{1, 1000, host.first(2), in, in}, in, out); });
  expect_out_of_reach("column_indices", [&] { spmv(on, csr_view{1, 1000, std::span(in.data(), 2), host, in}, in, out); });
  expect_out_of_reach("values", [&] { spmv(on, csr_view{1, 1000, std::span(in.data(), 2), in, host}, in, out); });
  expect_out_of_reach("column_indices", [&] { spmv_plan const plan(on, csr_view{1, 1000, std::span(in.data(), 2), host, in}); });
  EXPECT_EQ(memory, std::vector<std::int32_t>(number, 1));
}

TEST_F(gpu_reach, a_direction_is_refused_where_there_is_none) {
  array<std::int32_t> in(std::vector<std::int32_t>(number, 1)), out(number), second(number);
  array<lookback::index_t> count(1);
  auto const on = gpu::on(stream()).with(lookback::right_to_left);
  using namespace lookback;
  csr_view const matrix{1, 1000, std::span(in.data(), 2), in, in};
  EXPECT_THROW(select_if(on, in, out, keeps_all{}), invalid_argument);
  EXPECT_THROW(select_if_async(on, in, out, keeps_all{}, count.data()), invalid_argument);
  EXPECT_THROW(partition_if(on, in, out, second, keeps_all{}), invalid_argument);
  EXPECT_THROW(unique(on, in, out), invalid_argument);
  EXPECT_THROW(unique_by_key(on, in, in, out, second), invalid_argument);
  EXPECT_THROW(run_length_encode(on, in, out, second), invalid_argument);
  EXPECT_THROW(non_trivial_runs(on, in, out, second), invalid_argument);
  EXPECT_THROW(decoded_size(on, in), invalid_argument);
  EXPECT_THROW(run_length_decode(on, in, in, out), invalid_argument);
  EXPECT_THROW(reduce_by_key(on, in, in, out, second), invalid_argument);
  EXPECT_THROW(segmented_reduce(on, in, offsets(in), out), invalid_argument);
  EXPECT_THROW(spmv(on, matrix, in, out), invalid_argument);
  EXPECT_THROW(spmv_plan(on, matrix), invalid_argument);
}

template <class T>
struct pinned_allocator {
  using value_type = T;
  T* allocate(std::size_t n) {
    void* p = nullptr;
    check(cudaMallocHost(&p, n * sizeof(T)));
    return static_cast<T*>(p);
  }
  void deallocate(T* p, std::size_t) { cudaFreeHost(p); }
  bool operator==(pinned_allocator const&) const = default;
};
template <class T>
struct managed_allocator {
  using value_type = T;
  T* allocate(std::size_t n) {
    void* p = nullptr;
    check(cudaMallocManaged(&p, n * sizeof(T)));
    return static_cast<T*>(p);
  }
  void deallocate(T* p, std::size_t) { cudaFree(p); }
  bool operator==(managed_allocator const&) const = default;
};

template <class In, class Out>
void expect_sums_of_ones(In const& in, Out& out) {
  lookback::inclusive_scan(gpu::on(stream()), in, out);
  check(cudaStreamSynchronize(stream()));
  for (std::size_t i = 0; i < number; ++i) ASSERT_EQ(out[i], static_cast<std::int32_t>(i + 1));
}

TEST_F(gpu_reach, pinned_and_managed_vectors_are_taken_as_they_are) {
  std::vector<std::int32_t, pinned_allocator<std::int32_t>> const pinned(number, 1);
  std::vector<std::int32_t, managed_allocator<std::int32_t>> managed(number);
  expect_sums_of_ones(pinned, managed);
}

TEST_F(gpu_reach, memory_that_has_been_registered_or_comes_from_a_pool_is_reached) {
  std::vector<std::int32_t> memory(number, 1);
  check(cudaHostRegister(memory.data(), number * sizeof(std::int32_t), cudaHostRegisterDefault));
  std::vector<std::int32_t, managed_allocator<std::int32_t>> managed(number);
  expect_sums_of_ones(std::span<std::int32_t const>(memory), managed);
  check(cudaHostUnregister(memory.data()));
  void* pooled = nullptr;
  check(cudaMallocAsync(&pooled, number * sizeof(std::int32_t), stream()));
  EXPECT_TRUE(gpu::on(stream()).reaches(pooled));
  EXPECT_FALSE(gpu::on(stream()).reaches(memory.data()));
  check(cudaFreeAsync(pooled, stream()));
}

TEST_F(gpu_reach, an_array_without_elements_may_lie_anywhere) {
  std::int32_t nothing = 0;
  std::span<std::int32_t> const empty(&nothing, 0);
  EXPECT_NO_THROW(lookback::inclusive_scan(gpu::on(stream()), empty, empty));
}

TEST_F(gpu_reach, a_call_that_is_captured_is_checked_too) {
  std::vector<std::int32_t> memory(number, 1);
  array<std::int32_t> in(memory), out(number);
  gpu::workspace workspace;
  auto const on = gpu::on(stream()).with(workspace);
  lookback::inclusive_scan(on, in, out);
  check(cudaStreamSynchronize(stream()));
  cudaGraph_t graph = nullptr;
  check(cudaStreamBeginCapture(stream(), cudaStreamCaptureModeGlobal));
  EXPECT_THROW(lookback::inclusive_scan(on, std::span<std::int32_t const>(memory), out), lookback::invalid_argument);
  EXPECT_NO_THROW(lookback::inclusive_scan(on, in, out));
  check(cudaStreamEndCapture(stream(), &graph));
  check(cudaGraphDestroy(graph));
}
