// What a GPU call leaves behind that fails half-way, and what it does while others work: launches and kernels that the runtime
// refuses, streams that other threads capture, two streams in one workspace.
#include <cuda_runtime_api.h>

#include <algorithm>
#include <latch>
#include <lookback/quicksort.hpp>
#include <lookback/radix_sort.hpp>
#include <lookback/run_length_decode.hpp>
#include <lookback/scan.hpp>
#include <lookback/select_if.hpp>
#include <stdexcept>
#include <thread>

#include "array.hpp"
#include "fixture.hpp"
#include "front.hpp"
#include "graph.hpp"
#include "hold.hpp"
#include "random.hpp"

using namespace harness;
using lookback::index_t;
namespace gpu = lookback::gpu;

namespace {

/// The library calls these two functions of the runtime by the linker's --wrap (CMakeLists.txt). One of the next calls is refused.
struct refusals {
  int launches = -1, looks = -1;  // calls before the one that is refused; -1: none is
  int launched = 0;
  static bool refuses(int& calls) { return calls >= 0 && calls-- == 0; }
};
refusals runtime;

}  // namespace

extern "C" {
cudaError_t __real_cudaLaunchKernelExC(cudaLaunchConfig_t const*, void const*, void**);
cudaError_t __real_cudaFuncGetAttributes(cudaFuncAttributes*, void const*);
cudaError_t __wrap_cudaLaunchKernelExC(cudaLaunchConfig_t const* config, void const* kernel, void** parameters) {
  if (refusals::refuses(runtime.launches)) return cudaErrorLaunchOutOfResources;
  ++runtime.launched;
  return __real_cudaLaunchKernelExC(config, kernel, parameters);
}
cudaError_t __wrap_cudaFuncGetAttributes(cudaFuncAttributes* to, void const* kernel) {
  if (refusals::refuses(runtime.looks)) return cudaErrorInvalidDeviceFunction;
  return __real_cudaFuncGetAttributes(to, kernel);
}
}

namespace {

struct gpu_failures : on_device {
  ~gpu_failures() override { runtime = {}; }
};

std::vector<std::uint32_t> running_sums(std::vector<std::uint32_t> in) {
  std::uint32_t sum = 0;
  for (auto& x : in) x = sum += x;
  return in;
}
struct is_even {
  LOOKBACK_FN bool operator()(std::uint32_t x) const { return x % 2 == 0; }
};

/// Sums whose kernels no other test has loaded.
template <int>
struct own_plus {
  LOOKBACK_FN std::uint32_t operator()(std::uint32_t a, std::uint32_t b) const { return a + b; }
};

struct pair_of_words {
  std::uint64_t first, second;
};

struct a_stream {
  cudaStream_t made;
  a_stream() { check(cudaStreamCreateWithFlags(&made, cudaStreamNonBlocking)); }
  ~a_stream() { cudaStreamDestroy(made); }
};

struct own_less {
  LOOKBACK_FN bool operator()(std::int32_t a, std::int32_t b) const { return a < b; }
};

/// Calls until nothing is refused, each time refusing the next look at a kernel that nobody has had yet: before any is launched.
template <class Call>
void expect_all_loaded_before_the_first_launch(Call const& call) {
  int const launched = runtime.launched;
  for (int looks = 0;; looks = 1) {
    runtime.looks = looks;
    bool refused = false;
    try {
      call();
    } catch (lookback::device_error const&) {
      refused = true;
    }
    if (!refused) break;
    ASSERT_EQ(runtime.launched, launched) << "a kernel has begun before all of the call were loaded";
  }
  EXPECT_GT(runtime.launched, launched + 1) << "this call has one kernel";
  runtime.looks = -1;
}

}  // namespace

TEST_F(gpu_failures, what_cannot_be_loaded_fails_before_the_first_kernel) {
  array<std::uint32_t> const in(random_values<std::uint32_t>(30'000, 1)), ones(std::vector<std::uint32_t>(1000, 1));
  array<std::uint32_t> out(30'000);
  array<index_t> count(1);
  auto const on = gpu::on(stream()).with(shared_workspace());
  int const begun = runtime.launched;
  runtime.looks = 0;
  EXPECT_THROW(lookback::inclusive_scan(on, in, out, own_plus<0>{}), lookback::device_error);
  EXPECT_EQ(runtime.launched, begun) << "the linker does not wrap what the library calls";
  expect_all_loaded_before_the_first_launch(
      [&] { lookback::inclusive_scan(on.with(lookback::reduce_then_scan{}), in, out, own_plus<1>{}); });
  EXPECT_EQ(out.host(), running_sums(in.host()));
  expect_all_loaded_before_the_first_launch(
      [&] { lookback::inclusive_scan(on.with(lookback::scan_then_propagate{}), in, out, own_plus<2>{}); });
  EXPECT_EQ(out.host(), running_sums(in.host()));
  expect_all_loaded_before_the_first_launch([&] { lookback::run_length_decode_async(on, in, ones, out, count.data()); });
  EXPECT_EQ(count.host()[0], 1000);
}

/// Sorts of keys alone, of pairs, of values that are gathered, and of segments of every length: all kernels of both ways.
TEST_F(gpu_failures, sorts_that_cannot_be_loaded_fail_before_the_first_kernel) {
  std::size_t const n = 40'000;
  array<std::uint64_t> keys(random_values<std::uint64_t>(n, 1));
  array<std::int32_t> short_keys(random_values<std::int32_t>(n, 2));
  array<std::uint32_t> values(random_values<std::uint32_t>(n, 3));
  array<pair_of_words> wide_values(std::vector<pair_of_words>(n, {4, 5}));
  array<std::int32_t> const offsets(std::vector<std::int32_t>{0, 10, 25'000, 40'000});
  auto const on = gpu::on(stream()).with(shared_workspace());
  expect_all_loaded_before_the_first_launch([&] { lookback::radix_sort(on, keys); });
  expect_all_loaded_before_the_first_launch([&] { lookback::radix_sort(on, short_keys, values); });
  expect_all_loaded_before_the_first_launch([&] { lookback::radix_sort(on, short_keys, wide_values); });
  expect_all_loaded_before_the_first_launch([&] { lookback::radix_sort(on, short_keys, values, lookback::offsets(offsets)); });
  expect_all_loaded_before_the_first_launch([&] { lookback::quicksort(on, short_keys, own_less{}, lookback::offsets(offsets)); });
  array<std::int32_t> many(random_values<std::int32_t>(1'100'000, 4));
  expect_all_loaded_before_the_first_launch([&] { lookback::quicksort(on, many, own_less{}); });
  auto const sorted = keys.host();
  auto const all_sorted = many.host();
  EXPECT_TRUE(std::is_sorted(all_sorted.begin(), all_sorted.end()));
  EXPECT_TRUE(std::is_sorted(sorted.begin(), sorted.end()));
}

/// Each launch of a call in turn, and after it calls of all kinds: none reads what the half call left.
TEST_F(gpu_failures, a_workspace_serves_on_after_a_launch_has_failed) {
  std::size_t const n = up_to(3'000'001);
  auto const values = random_values<std::uint32_t>(n, 2), others = random_values<std::uint32_t>(n, 3);
  array<std::uint32_t> const in(values), other(others);
  array<std::uint32_t> out(n);
  array<std::int32_t> const ones(std::vector<std::int32_t>(n, 1));
  array<index_t> count(1);
  gpu::workspace workspace;
  auto const on = gpu::on(stream()).with(workspace);
  auto const twice = on.with(lookback::reduce_then_scan{});
  auto const sums = running_sums(values);
  auto const expect_all_right = [&] {
    for (int round = 0; round < 2; ++round) {
      lookback::inclusive_scan(on, in, out);
      ASSERT_EQ(out.host(), sums);
      lookback::inclusive_scan(twice, in, out);
      ASSERT_EQ(out.host(), sums);
      check(cudaMemsetAsync(out.data(), 0, n * sizeof(std::uint32_t), stream()));
      lookback::run_length_decode_async(on, in, ones, out, count.data());
      ASSERT_EQ(count.host()[0], static_cast<index_t>(n));
      ASSERT_EQ(out.host(), values);
    }
  };
  expect_all_right();
  for (int launch = 0; launch < 3; ++launch) {
    SCOPED_TRACE("launch " + std::to_string(launch));
    runtime.launches = launch;
    EXPECT_THROW(lookback::inclusive_scan(twice, other, out), lookback::device_error);
    expect_all_right();
    if (launch == 2) break;
    runtime.launches = launch;
    EXPECT_THROW(lookback::run_length_decode_async(on, other, ones, out, count.data()), lookback::device_error);
    expect_all_right();
  }
}

/// The call after the failure is captured: its graph clears the workspace whenever it runs, and so does the first call outside.
TEST_F(gpu_failures, after_a_failed_launch_a_call_may_be_captured) {
  auto const values = random_values<std::uint32_t>(up_to(100'000), 4);
  array<std::uint32_t> const in(values);
  array<std::uint32_t> out(values.size());
  gpu::workspace workspace;
  auto const on = gpu::on(stream()).with(workspace);
  auto const twice = on.with(lookback::reduce_then_scan{});
  workspace.reserve(gpu::scratch_bytes(static_cast<index_t>(values.size()), sizeof(std::uint32_t)), stream());
  lookback::inclusive_scan(twice, in, out);
  runtime.launches = 2;
  EXPECT_THROW(lookback::inclusive_scan(twice, in, out), lookback::device_error);
  graph const replay([&] { lookback::inclusive_scan(on, in, out); });
  auto const expect_sums = [&] {
    EXPECT_EQ(out.host(), running_sums(values));
    check(cudaMemsetAsync(out.data(), 0, values.size() * sizeof(std::uint32_t), stream()));
  };
  check(cudaMemsetAsync(out.data(), 0, values.size() * sizeof(std::uint32_t), stream()));
  lookback::inclusive_scan(on, in, out);
  expect_sums();
  for (int round = 0; round < 3; ++round) {
    replay.launch();
    expect_sums();
    lookback::inclusive_scan(twice, in, out);
    expect_sums();
  }
}

/// Another thread captures in the mode that forbids all threads to allocate, to free and to wait.
TEST_F(gpu_failures, memory_is_made_and_freed_while_another_thread_captures) {
  auto const values = random_values<std::uint32_t>(50'000, 5);
  array<std::uint32_t> const in(values);
  array<std::uint32_t> out(values.size()), kept(values.size()), cleared(1);
  auto const even = std::count_if(values.begin(), values.end(), is_even{});
  a_stream other;
  cudaGraph_t captured = nullptr;
  cudaError_t begun = cudaSuccess, ended = cudaSuccess;
  std::latch capturing{1}, done{1};
  std::thread capture([&] {
    begun = cudaStreamBeginCapture(other.made, cudaStreamCaptureModeGlobal);
    if (begun == cudaSuccess) begun = cudaMemsetAsync(cleared.data(), 0, sizeof(std::uint32_t), other.made);
    capturing.count_down();
    done.wait();
    ended = cudaStreamEndCapture(other.made, &captured);
  });
  capturing.wait();
  try {
    {
      gpu::workspace workspace;
      auto const on = gpu::on(stream()).with(workspace);
      lookback::inclusive_scan(on, in, out, own_plus<2>{});  // loads its kernel too
      EXPECT_EQ(lookback::select_if(on, in, kept, is_even{}), even);
    }
    EXPECT_EQ(lookback::select_if(gpu::on(stream()), in, kept, is_even{}), even);
    lookback::carried<std::uint32_t> total;
    lookback::inclusive_scan(gpu::on(stream()).with(lookback::carry<std::uint32_t>{nullptr, &total}), in, out);
    EXPECT_EQ(total.value, running_sums(values).back());
  } catch (lookback::error const& refused) {
    ADD_FAILURE() << refused.what();
  }
  done.count_down();
  capture.join();
  EXPECT_EQ(begun, cudaSuccess) << cudaGetErrorString(begun);
  EXPECT_EQ(ended, cudaSuccess) << cudaGetErrorString(ended) << ": the capture is spoilt";
  if (captured) check(cudaGraphDestroy(captured));
  EXPECT_EQ(out.host(), running_sums(values));
}

namespace {
/// stream() is at work in a workspace until let_go().
struct at_work {
  array<std::uint32_t> in{std::vector<std::uint32_t>(1000, 1)}, out{1000}, elsewhere{1000};
  array<index_t> count{1};
  gpu::workspace workspace;
  a_stream other, third;
  hold busy;
  at_work() {
    scan_in(stream(), out);
    lookback::select_if(gpu::on(stream()).with(workspace), in, elsewhere, is_even{});  // makes room for a count, and waits
    scan_in(other.made, elsewhere);                                                    // the first one is done: this one may
    check(cudaStreamSynchronize(other.made));
    busy.begin(stream(), 1, false);
    scan_in(stream(), out);
  }
  ~at_work() { let_go(); }
  void scan_in(cudaStream_t s, array<std::uint32_t>& to) { lookback::inclusive_scan(gpu::on(s).with(workspace), in, to); }
  void let_go() {
    busy.let_go(third.made);
    check(cudaStreamSynchronize(third.made));
    check(cudaStreamSynchronize(stream()));
  }
};
}  // namespace

TEST_F(gpu_failures, two_streams_at_once_in_one_workspace_are_refused) {
  at_work at;
  auto const on = gpu::on(at.other.made).with(at.workspace);
  int const launched = runtime.launched;
  EXPECT_THROW(at.scan_in(at.other.made, at.elsewhere), lookback::invalid_argument);
  EXPECT_THROW(lookback::select_if(on, at.in, at.elsewhere, is_even{}), lookback::invalid_argument);
  EXPECT_THROW(lookback::decoded_size(on, at.in), lookback::invalid_argument);
  EXPECT_THROW(lookback::run_length_decode_async(on, at.in, at.in, at.elsewhere, at.count.data()), lookback::invalid_argument);
  EXPECT_THROW(at.workspace.reserve(std::size_t{1} << 24, at.other.made), lookback::invalid_argument);
  EXPECT_EQ(runtime.launched, launched);
  at.scan_in(stream(), at.out);  // the stream that is at work may go on
  at.let_go();
  EXPECT_NO_THROW(at.scan_in(at.other.made, at.elsewhere));
  check(cudaStreamSynchronize(at.other.made));
  EXPECT_EQ(at.elsewhere.host(), running_sums(at.in.host()));
}

/// The caller knows what the library does not see: one stream waits for the other.
TEST_F(gpu_failures, a_workspace_is_handed_over_to_a_stream_that_waits) {
  at_work at;
  cudaEvent_t scanned;
  check(cudaEventCreateWithFlags(&scanned, cudaEventDisableTiming));
  check(cudaEventRecord(scanned, stream()));
  check(cudaStreamWaitEvent(at.other.made, scanned));
  at.workspace.hand_over(at.other.made);
  EXPECT_NO_THROW(at.scan_in(at.other.made, at.elsewhere));
  EXPECT_THROW(at.scan_in(stream(), at.out), lookback::invalid_argument);
  at.let_go();
  check(cudaStreamSynchronize(at.other.made));
  check(cudaEventDestroy(scanned));
  EXPECT_EQ(at.elsewhere.host(), running_sums(at.in.host()));
}

/// A call that is captured does not run, so nobody is at work beside it; and asking for a stream that is captured would spoil that.
TEST_F(gpu_failures, captures_are_neither_refused_nor_spoilt_by_another_stream) {
  at_work at;
  cudaGraph_t made = nullptr;
  check(cudaStreamBeginCapture(at.other.made, cudaStreamCaptureModeThreadLocal));
  EXPECT_NO_THROW(at.scan_in(at.other.made, at.elsewhere));
  check(cudaStreamEndCapture(at.other.made, &made));
  check(cudaGraphDestroy(made));
  at.let_go();
  check(cudaStreamBeginCapture(stream(), cudaStreamCaptureModeThreadLocal));
  EXPECT_NO_THROW(at.scan_in(stream(), at.out));
  EXPECT_NO_THROW(at.scan_in(at.other.made, at.elsewhere));
  EXPECT_EQ(cudaStreamEndCapture(stream(), &made), cudaSuccess);
  check(cudaGraphDestroy(made));
  check(cudaStreamSynchronize(at.other.made));
  EXPECT_EQ(at.elsewhere.host(), running_sums(at.in.host()));
}
