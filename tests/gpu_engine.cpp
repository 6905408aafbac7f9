// What belongs to the GPU engine alone: workspaces and captured graphs, epochs that run out, sizes in device memory, stalls, sizes
// past 2^31, and its layers without the engine.
#include <cuda_runtime_api.h>

#include <iterator>
#include <lookback/gpu.cuh>
#include <lookback/gpu/protocol/counters.cuh>
#include <lookback/segmented_scan.hpp>
#include <span>

#include "array.hpp"
#include "fixture.hpp"
#include "graph.hpp"
#include "random.hpp"
#include "stalling.hpp"

using namespace harness;
using lookback::index_t;
namespace gpu = lookback::gpu;

struct gpu_engine : on_device {};

namespace {

template <class T>
void write(array<T>& to, std::vector<T> const& values) {
  check(cudaMemcpyAsync(to.data(), values.data(), values.size() * sizeof(T), cudaMemcpyHostToDevice, stream()));
  check(cudaStreamSynchronize(stream()));
}

}  // namespace

struct place_of_three {
  LOOKBACK_FN std::int32_t operator()(index_t i) const { return static_cast<std::int32_t>(i % 7 - 3); }
};

/// Between the two passes each of 512 threads has many tiles, several of which begin anew. Lazy input: only the output is in
/// memory.
TEST_F(gpu_engine, many_tiles_between_two_passes) {
  auto const on = gpu::on(stream()).with(lookback::reduce_then_scan{});
  for (index_t const n : small() ? std::vector<index_t>{100'003} : std::vector<index_t>{7680 * 511 + 1, 7680 * 513, 40'000'007})
    for (index_t const row : {n, index_t{300'001}}) {
      SCOPED_TRACE("n = " + std::to_string(n) + ", segments of " + std::to_string(row));
      array<std::int32_t> out(static_cast<std::size_t>(n));
      lookback::inclusive_segmented_scan(on, lookback::generate(n, place_of_three{}), lookback::rows_of(row), out);
      auto const got = out.host();
      std::int32_t sum = 0;
      for (index_t i = 0; i < n; ++i) {
        sum = i % row == 0 ? place_of_three{}(i) : sum + place_of_three{}(i);
        ASSERT_EQ(got[static_cast<std::size_t>(i)], sum) << i;
      }
    }
}

TEST_F(gpu_engine, graphs_are_replayed_between_other_calls_on_one_workspace) {
  std::size_t const n = up_to(100'003);
  gpu::workspace workspace;
  auto const on = gpu::on(stream()).with(workspace);
  array<std::int32_t> in(n), out(n), again(n);
  array<double> other_in(random_values<double>(up_to(50'001), 1)), other_out(up_to(50'001));
  lookback::inclusive_scan(on, in, out);  // sizes the workspace
  lookback::inclusive_scan(on, other_in, other_out);
  graph const replay([&] {
    lookback::inclusive_scan(on, in, out);
    lookback::inclusive_scan(on.with(lookback::right_to_left), out, again);
  });
  for (int round = 0; round < (small() ? 5 : 100); ++round) {
    auto const values = random_values<std::int32_t>(n, static_cast<std::uint64_t>(round));
    write(in, values);
    replay.launch();
    if (round % 3 == 0) lookback::inclusive_scan(on, other_in, other_out);  // another type, another format
    if (round % 5 == 0) lookback::inclusive_scan(on, std::span(in.data(), n / 3), std::span(out.data(), n / 3));
    auto const sums = running_sums(values);
    ASSERT_EQ(out.host(), sums) << "round " << round;
    auto back = sums;
    std::reverse(back.begin(), back.end());
    back = running_sums(back);
    std::reverse(back.begin(), back.end());
    ASSERT_EQ(again.host(), back) << "round " << round;
  }
}

TEST_F(gpu_engine, a_call_without_a_workspace_can_be_captured) {
  auto const values = random_values<std::int32_t>(up_to(70'001), 3);
  array<std::int32_t> in(values), out(values.size());
  graph const replay([&] { lookback::inclusive_scan(gpu::on(stream()), in, out); });
  for (int round = 0; round < 3; ++round) replay.launch();
  EXPECT_EQ(out.host(), running_sums(values));
}

TEST_F(gpu_engine, a_workspace_does_not_grow_while_its_stream_is_captured) {
  array<std::int32_t> in(1000), out(1000);
  gpu::workspace workspace;
  EXPECT_THROW(graph([&] { lookback::inclusive_scan(gpu::on(stream()).with(workspace), in, out); }), lookback::invalid_argument);
  workspace.reserve(1 << 20, stream());
  EXPECT_NO_THROW(graph([&] { lookback::inclusive_scan(gpu::on(stream()).with(workspace), in, out); }));
}

/// What scratch_bytes says is enough for scans: none of them grows the workspace, or capturing would refuse.
TEST_F(gpu_engine, scratch_bytes_are_enough) {
  for (std::size_t const n : {std::size_t{1}, up_to(70'000), up_to(3'000'000)}) {
    gpu::workspace workspace;
    workspace.reserve(gpu::scratch_bytes(static_cast<index_t>(n), 8), stream());
    auto const on = gpu::on(stream()).with(workspace);
    array<double> in(n), out(n);
    array<std::uint8_t> const heads(n);
    std::vector<index_t> const ends{0, static_cast<index_t>(n)};
    array<index_t> const offsets(ends);
    EXPECT_NO_THROW(graph([&] {
      lookback::inclusive_scan(on, in, out);
      lookback::inclusive_segmented_scan(on, in, lookback::head_flags(heads), out);
      lookback::inclusive_segmented_scan(on, in, lookback::offsets(offsets), out);
    })) << n;
  }
}

/// Calls of few items and of many, on one workspace in turn: they end a call in different ways.
TEST_F(gpu_engine, few_and_many_items_take_turns) {
  gpu::workspace workspace;
  auto const on = gpu::on(stream()).with(workspace);
  std::size_t const n = up_to(4'000'000);
  auto const values = random_values<std::int32_t>(n, 11);
  auto const sums = running_sums(values);
  array<std::int32_t> in(values), out(n);
  for (std::size_t const some : {n, std::size_t{5}, n / 2, std::size_t{2048}, std::size_t{2049}, std::size_t{0}, n / 7, n})
    for (int round = 0; round < 3; ++round) {
      check(cudaMemsetAsync(out.data(), 0xee, n * 4, stream()));
      lookback::inclusive_scan(on, std::span(in.data(), some), std::span(out.data(), some));
      auto got = out.host();
      got.resize(some);
      ASSERT_EQ(got, std::vector<std::int32_t>(sums.begin(), sums.begin() + static_cast<std::ptrdiff_t>(some))) << some;
    }
}

TEST_F(gpu_engine, epochs_run_out_and_begin_again) {
  gpu::workspace workspace;
  auto const on = gpu::on(stream()).with(workspace);
  std::size_t const n = up_to(3'000'001);  // from more tiles than blocks down to one wave
  auto const values = random_values<std::int32_t>(n, 5);
  array<std::int32_t> in(values), out(n);
  array<double> wide(up_to(30'011)), wide_out(up_to(30'011));
  write(wide, std::vector<double>(wide.size(), 1.0));
  lookback::inclusive_scan(on, in, out);
  lookback::inclusive_scan(on, wide, wide_out);
  auto* const state = workspace.scratch_for(0, 0, 0, stream()).state;
  std::uint32_t const nearly = gpu::last_epoch - 4;
  check(cudaMemcpyAsync(&state->epoch_minus_one, &nearly, sizeof nearly, cudaMemcpyHostToDevice, stream()));
  for (int call = 0; call < 10; ++call) {
    std::size_t const some = n - static_cast<std::size_t>(call) * (n / 11);
    check(cudaMemsetAsync(out.data(), 0xee, n * 4, stream()));
    lookback::inclusive_scan(on, std::span(in.data(), some), std::span(out.data(), some));
    lookback::inclusive_scan(on, wide, wide_out);
    auto got = out.host();
    got.resize(some);
    auto want = running_sums(values);
    want.resize(some);
    ASSERT_EQ(got, want) << "call " << call;
    ASSERT_EQ(wide_out.host().back(), static_cast<double>(wide.size())) << "call " << call;
  }
  std::uint32_t now = 0;
  check(cudaMemcpy(&now, &state->epoch_minus_one, sizeof now, cudaMemcpyDeviceToHost));
  EXPECT_LT(now, 100u);
}

TEST_F(gpu_engine, a_size_may_lie_in_device_memory) {
  for (std::size_t const bound : {up_to(100'003), up_to(3'000'001)}) {
    auto const values = random_values<std::int32_t>(bound, 7);
    array<std::int32_t> in(values);
    auto const sums = running_sums(values);
    for (std::size_t const n : {std::size_t{0}, std::size_t{1}, std::size_t{7680}, bound / 2, bound}) {
      array<index_t> count(std::vector<index_t>{static_cast<index_t>(n)});
      array<std::int32_t> out(std::vector<std::int32_t>(bound, -1));
      lookback::inclusive_scan(gpu::on(stream()).with(shared_workspace()),
                               lookback::first(in, lookback::size{static_cast<index_t>(bound), count.data()}), out);
      auto const got = out.host();
      for (std::size_t i = 0; i < bound; ++i) ASSERT_EQ(got[i], i < n ? sums[i] : -1) << i << " of " << n;
    }
  }
}

TEST_F(gpu_engine, stalls_on_two_streams_at_once_change_nothing) {
  std::size_t const n = up_to(1'200'000);  // too many for one wave, and more tiles than blocks
  std::vector<stalling::pair> values(n);
  for (std::size_t i = 0; i < n; ++i) values[i] = {static_cast<std::int32_t>(i), static_cast<std::int32_t>(i)};
  array<stalling::pair> in(values), out(n), beside(n);
  cudaStream_t other;
  check(cudaStreamCreateWithFlags(&other, cudaStreamNonBlocking));
  gpu::workspace one, two;
  for (unsigned const per_mille : {0u, 1u, 10u}) {
    for (int round = 0; round < (small() ? 1 : 4); ++round) {
      check(cudaMemsetAsync(out.data(), 0, n * sizeof(stalling::pair), stream()));
      lookback::inclusive_scan(gpu::on(stream()).with(one), in, out, stalling{per_mille});
      lookback::inclusive_scan(gpu::on(other).with(two), in, beside, stalling{per_mille});
    }
    check(cudaStreamSynchronize(other));
    for (auto const* result : {&out, &beside}) {
      auto const got = result->host();
      for (std::size_t i = 0; i < n; ++i) ASSERT_EQ(got[i], (stalling::pair{0, static_cast<std::int32_t>(i)})) << i;
    }
  }
  check(cudaStreamDestroy(other));
}

namespace {
struct modulo_seven {
  ON_DEVICE std::uint8_t operator()(index_t i) const { return static_cast<std::uint8_t>(i % 7); }
};
}  // namespace

TEST_F(gpu_engine, sizes_past_two_to_the_31) {
  index_t const middle = small() ? index_t{1} << 15 : index_t{1} << 31, n = middle + 7681;  // a tool sees fewer
  std::uint8_t* out = nullptr;
  check(cudaMalloc(&out, static_cast<std::size_t>(n)));
  for (bool const backwards : {false, true}) {
    auto const on = gpu::on(stream()).with(shared_workspace()).with(backwards ? lookback::right_to_left : lookback::left_to_right);
    lookback::inclusive_scan(on, lookback::generate(n, modulo_seven{}), std::span(out, static_cast<std::size_t>(n)));
    auto const sum_to = [](index_t i) { return 21 * (i / 7) + (i % 7) * (i % 7 - 1) / 2; };  // of items [0, i)
    for (index_t const begin : {index_t{0}, middle - 4000, n - 5000, n / 3}) {
      std::vector<std::uint8_t> got(5000);
      check(cudaMemcpyAsync(got.data(), out + begin, got.size(), cudaMemcpyDeviceToHost, stream()));
      check(cudaStreamSynchronize(stream()));
      for (index_t i = 0; i < 5000; ++i) {
        index_t const want = backwards ? sum_to(n) - sum_to(begin + i) : sum_to(begin + i + 1);
        ASSERT_EQ(got[static_cast<std::size_t>(i)], static_cast<std::uint8_t>(want)) << begin + i << " backwards " << backwards;
      }
    }
  }
  check(cudaFree(out));
}

// ---- The layers alone: a stable split into 16 classes, by tickets, descriptors and a look-back over 16 counters.

namespace {

constexpr int classes = 16, split_threads = 256;

__global__ void split_kernel(std::uint32_t const* in, std::uint32_t* out, index_t n, index_t const* class_begin,
                             gpu::scratch memory) {
  __shared__ std::uint32_t ticket;
  __shared__ index_t count_of[classes], before[classes];
  __shared__ std::uint8_t class_of[split_threads];
  int const thread = threadIdx.x, warp = thread / 32, lane = thread % 32;
  gpu::count_descriptors const told{memory.words_64, memory.state->epoch_minus_one + 1};
  lookback::gpu::directed<lookback::plus<index_t>> const plus{{}, false};
  while (true) {
    if (thread == 0) ticket = atomicAdd(&memory.state->ticket, 1u);
    __syncthreads();
    lookback::tile const t = lookback::tile_at(ticket, n, split_threads);
    if (t.begin >= n) return;
    index_t const i = t.begin + thread;
    std::uint32_t const x = i < n ? in[i] : 0;
    class_of[thread] = i < n ? x % classes : classes;
    __syncthreads();
    if (thread < classes) {
      index_t number = 0;
      for (int k = 0; k < split_threads; ++k) number += class_of[k] == thread;
      count_of[thread] = number;
      told.publish(t.id * classes + thread, t.id == 0 ? lookback::status::prefix : lookback::status::aggregate, number);
    }
    __syncthreads();
    for (int c = warp; c < classes; c += split_threads / 32) {
      gpu::strided<gpu::count_descriptors> const of_class{told, classes, c};
      index_t const so_far = t.id == 0 ? 0 : gpu::look_back<index_t>(of_class, t.id, plus);
      if (lane == 0) {
        if (t.id) of_class.publish(t.id, lookback::status::prefix, so_far + count_of[c]);
        before[c] = so_far;
      }
    }
    __syncthreads();
    if (i < n) {
      index_t rank = 0;
      for (int k = 0; k < thread; ++k) rank += class_of[k] == class_of[thread];
      out[class_begin[class_of[thread]] + before[class_of[thread]] + rank] = x;
    }
    __syncthreads();
  }
}

}  // namespace

TEST_F(gpu_engine, layers_alone_split_into_16_classes) {
  for (std::size_t const n : {std::size_t{1}, std::size_t{255}, std::size_t{256}, std::size_t{8193}, up_to(300'001)}) {
    auto const values = random_values<std::uint32_t>(n, n);
    std::vector<std::uint32_t> want;
    std::vector<index_t> begin;
    for (std::uint32_t c = 0; c < classes; ++c) {
      begin.push_back(static_cast<index_t>(want.size()));
      std::copy_if(values.begin(), values.end(), std::back_inserter(want), [c](std::uint32_t x) { return x % classes == c; });
    }
    array<std::uint32_t> in(values), out(n);
    array<index_t> class_begin(begin);
    gpu::workspace workspace;
    auto const memory = workspace.scratch_for((n / split_threads + 1) * classes, 0, 0, stream());
    split_kernel<<<64, split_threads, 0, stream()>>>(in.data(), out.data(), static_cast<index_t>(n), class_begin.data(), memory);
    check(cudaGetLastError());
    EXPECT_EQ(out.host(), want) << n;
    EXPECT_TRUE(out.intact());
  }
}
