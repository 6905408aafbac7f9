// The GPU side of the harness: which policies a test runs under, and where its arrays lie.
#pragma once
#include <cuda_runtime_api.h>
#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <iterator>
#include <lookback/gpu.cuh>
#include <lookback/strategy.hpp>
#include <nv/target>
#include <string>
#include <utility>
#include <vector>

#include "../sanitized.hpp"

/// What a lambda says so that the device may call it.
#define ON_DEVICE __host__ __device__

namespace harness {

inline constexpr bool on_gpu = true;

/// Under compute-sanitizer everything is a hundred times slower: gpu_check.sh says so by LOOKBACK_SMALL.
inline bool small() {
  static bool const said = std::getenv("LOOKBACK_SMALL") != nullptr;
  return said;
}
inline bool under_tool(char const* name) {
  char const* const tool = std::getenv("LOOKBACK_TOOL");
  return tool != nullptr && std::string(tool) == name;
}
/// initcheck does not see what the copy engine stores to memory: what is read back by a kernel looks as if nobody had written it.
inline bool sees_copy_engine() { return !under_tool("initcheck"); }
/// Another word whenever it is asked for, on the device.
LOOKBACK_FN inline std::uint32_t any_moment() {
  NV_IF_TARGET(NV_IS_DEVICE, (return static_cast<std::uint32_t>(clock64() * 0x9E3779B1);))
  return 0;
}
/// Sizes that a tool can bear: n, or much less.
inline std::size_t up_to(std::size_t n) { return small() && n > 20011 ? 20011 : n; }
/// Numbers of drawn cases that it can bear.
inline int drawn_cases(int n) { return under_tool("racecheck") ? n / 100 : small() ? n / 10 : n; }

/// Fewer than on the CPU: widths and kinds decide which kernel is built, and each is seconds of nvcc.
using number_types = ::testing::Types<std::int8_t, std::uint16_t, std::int32_t, std::uint64_t, float, double>;
/// One of each width that a tile is cut by, and sums that round.
using segmented_types = ::testing::Types<std::int8_t, std::uint16_t, std::int32_t, float, double>;

/// Why nothing can run here, or null.
inline char const* why_not() {
  int devices = 0;
  cudaError_t const code = cudaGetDeviceCount(&devices);
  if (code != cudaSuccess) return cudaGetErrorString(code);
  return devices == 0 ? "no GPU in this machine" : nullptr;
}

inline void check(cudaError_t code) {
  if (code != cudaSuccess) throw lookback::device_error(cudaGetErrorString(code));
}

/// The stream of all tests: not the default one, so that work which leaves the stream shows.
inline cudaStream_t stream() {
  static cudaStream_t const made = [] {
    cudaStream_t s;
    check(cudaStreamCreateWithFlags(&s, cudaStreamNonBlocking));
    return s;
  }();
  return made;
}

/// Bytes readable and writable where the scan runs.
class memory {
 public:
  explicit memory(std::size_t bytes) {
    check(cudaMalloc(&data_, bytes));
    if (!sees_copy_engine()) check(cudaMemsetAsync(data_, 0, bytes, stream()));
  }
  ~memory() { cudaFree(data_); }
  memory(memory&& other) noexcept : data_(std::exchange(other.data_, nullptr)) {}
  memory(memory const&) = delete;
  memory& operator=(memory const&) = delete;
  std::byte* data() const { return static_cast<std::byte*>(data_); }
  void write(std::size_t at, void const* from, std::size_t bytes) {
    check(cudaMemcpyAsync(data() + at, from, bytes, cudaMemcpyHostToDevice, stream()));
    check(cudaStreamSynchronize(stream()));
  }
  void read(std::size_t at, void* to, std::size_t bytes) const {
    check(cudaMemcpyAsync(to, data() + at, bytes, cudaMemcpyDeviceToHost, stream()));
    check(cudaStreamSynchronize(stream()));
  }

 private:
  void* data_ = nullptr;
};

/// A tile of the default policy, and how many tiles a look-back takes in at once.
template <class T>
std::size_t tile_items() {
  return static_cast<std::size_t>(tile_items(lookback::gpu::on(nullptr), lookback::index_t{sizeof(T)}));
}
inline constexpr std::size_t look_back_window = 32;
/// Blocks that are there at once.
inline std::size_t workers() {
  return 2 * static_cast<std::size_t>(lookback::gpu::detail::multiprocessors(lookback::gpu::detail::current_device()));
}

/// Items after which a chunk of `on` may end without changing a bit of a float.
template <class T, class On>
std::size_t tile_items_under(On const&) {
  return tile_items<T>();
}

template <class Body, class On>
void run_under(char const* name, On const& on, Body& body) {
  SCOPED_TRACE(::testing::Message() << "policy " << name);
  body(on);
}

/// One workspace for all tests of a program: descriptors of every past call are still in it.
inline lookback::gpu::workspace& shared_workspace() {
  static lookback::gpu::workspace made;
  return made;
}

/// Is it the turn of this one of `number` policies? racecheck takes a second for some launches, so it sees each case under one
/// policy a run: the one that a fixed generator drew, plus LOOKBACK_TURN. gpu_check.sh runs every test in so many turns.
inline bool takes_turn(std::uint64_t policy, std::uint64_t number) {
  static bool const takes_turns = under_tool("racecheck");
  static std::uint64_t const turn = std::getenv("LOOKBACK_TURN") ? std::strtoull(std::getenv("LOOKBACK_TURN"), nullptr, 10) : 0;
  // By number: policies may be drawn of one that was drawn.
  static std::uint64_t states[] = {1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1};
  if (number >= std::size(states)) std::abort();
  auto& state = states[number];
  if (policy == 0) state = state * 6364136223846793005 + 1442695040888963407;
  return !takes_turns || ((state >> 33) + turn) % number == policy;
}

/// Runs `body(on)` under every policy that must give the same answer.
template <class Body>
void each_policy(Body body) {
  if (takes_turn(0, 3)) run_under("on(stream)", lookback::gpu::on(stream()), body);
  if (takes_turn(1, 3)) run_under("on(stream) with a workspace", lookback::gpu::on(stream()).with(shared_workspace()), body);
  if (takes_turn(2, 3))
    run_under("pipelined", lookback::gpu::on(stream()).with(shared_workspace()).with(lookback::gpu::pipelined), body);
}

/// The same: both read once.
template <class Body>
void each_one_pass_policy(Body body) {
  each_policy(body);
}

/// The same, and two passes: where what a test is about depends on that.
template <class Body>
void each_number_of_passes(Body body) {
  each_policy(body);
  run_under("reduce_then_scan", lookback::gpu::on(stream()).with(lookback::reduce_then_scan{}), body);
}

/// The same, and every strategy: where it is the strategies that a test is about.
template <class Body>
void each_strategy(Body body) {
  using namespace lookback;
  auto const on = gpu::on(stream()).with(shared_workspace());
  if (takes_turn(0, 9)) each_policy(body);
  if (takes_turn(1, 9)) run_under("reduce_then_scan", gpu::on(stream()).with(reduce_then_scan{}), body);
  if (takes_turn(2, 9)) run_under("chained", on.with(chained{}), body);
  if (takes_turn(3, 9)) run_under("auxiliary_block", on.with(auxiliary_block{}), body);
  if (takes_turn(4, 9)) run_under("sequential_look_back", on.with(sequential_look_back{}), body);
  if (takes_turn(5, 9)) run_under("fenced_look_back", on.with(fenced_look_back{}), body);
  if (takes_turn(6, 9)) run_under("wide_look_back", on.with(wide_look_back{}), body);
  if (takes_turn(7, 9)) run_under("immediate_look_back", on.with(immediate_look_back{}), body);
  if (takes_turn(8, 9)) run_under("fast_tracked_look_back", on.with(fast_tracked_look_back{}), body);
}
/// The same, and those that have scans alone which store every value as it is.
template <class Body>
void each_strategy_of_scans(Body body) {
  using namespace lookback;
  each_strategy(body);
  run_under("scan_then_propagate", gpu::on(stream()).with(scan_then_propagate{}).with(shared_workspace()), body);
}

/// Segmented scans as plain scans of pairs, in one pass and in two.
template <class Body>
void each_lifted(Body body) {
  auto const on = lookback::gpu::on(stream()).with(shared_workspace());
  auto const in_one_pass = on.with(lookback::lifted<lookback::decoupled_look_back>{});
  if (takes_turn(0, 3)) run_under("lifted", in_one_pass, body);
  if (takes_turn(1, 3)) run_under("lifted, pipelined", in_one_pass.with(lookback::gpu::pipelined), body);
  if (takes_turn(2, 3)) run_under("lifted reduce_then_scan", on.with(lookback::lifted<lookback::reduce_then_scan>{}), body);
}

/// The policies that `reproducible` promises the same bits for.
template <class Body>
void each_reproducible_policy(Body body) {
  for (int run = 0; run < 5; ++run) {
    run_under("reproducible", lookback::gpu::on(stream()).with(lookback::reproducible).with(shared_workspace()), body);
  }
}

/// Are results by offsets of more than 16 bytes reproducible in this code?
inline constexpr bool has_tree_of_wide_items = !lookback::gpu::detail::for_less_memory();

/// The same where segments are offsets.
template <class Body>
void each_reproducible_policy_by_ends(Body body) {
  each_reproducible_policy(body);
}

/// Policies that leave the same bits of floats as results of segments.
template <class Body>
void each_run(Body body) {
  for (int run = 0; run < (under_tool("racecheck") ? 2 : 10); ++run) {
    auto const on = lookback::gpu::on(stream()).with(lookback::reproducible);
    run_under("reproducible", on, body);
    run_under("reproducible with a workspace", on.with(shared_workspace()), body);
    run_under("reproducible, pipelined", on.with(lookback::gpu::pipelined), body);
  }
}

/// The policies whose float results are a function of the input alone: elsewhere the look-back groups tiles as they come.
template <class Body>
void each_steady_policy(Body body) {
  each_reproducible_policy(body);
}

/// As a user has it.
inline auto default_policy() { return lookback::gpu::on(stream()); }

/// Returns when everything that was started under `on` is done.
template <class On>
void wait(On const& on) {
  check(cudaStreamSynchronize(on.stream));
}

__host__ __device__ inline void count_atomically(int* counter) {
  NV_IF_TARGET(NV_IS_DEVICE, (atomicAdd(counter, 1);), (++*counter;))
}

}  // namespace harness
