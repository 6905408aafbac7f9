// What strategies do with what belongs to the GPU: sizes in device memory, captured graphs, epochs that run out, stalls.
#include <cuda_runtime_api.h>

#include <lookback/gpu.cuh>
#include <lookback/partition_if.hpp>
#include <lookback/reduce_by_key.hpp>
#include <lookback/scan.hpp>
#include <lookback/segmented_scan.hpp>
#include <lookback/select_if.hpp>
#include <span>

#include "array.hpp"
#include "fixture.hpp"
#include "graph.hpp"
#include "random.hpp"
#include "refused.hpp"
#include "stalling.hpp"

using namespace harness;
using lookback::index_t;
namespace gpu = lookback::gpu;

struct gpu_strategies : on_device {};

namespace {

struct is_odd {
  LOOKBACK_FN bool operator()(std::int32_t x) const { return x % 2 != 0; }
};
std::vector<std::int32_t> odd_of(std::vector<std::int32_t> const& in, std::size_t n) {
  std::vector<std::int32_t> kept;
  for (std::size_t i = 0; i < n; ++i)
    if (is_odd{}(in[i])) kept.push_back(in[i]);
  return kept;
}

/// Heads at uneven places: a tile has none, one, or some in its last warp alone.
std::vector<std::uint8_t> some_heads(std::size_t n) {
  std::vector<std::uint8_t> heads(n);
  for (std::size_t i = 0, step = 1; i < n; i += step, step = step * 7 % 40'009 + 1) heads[i] = 1;
  return heads;
}
std::vector<std::int32_t> sums_of_segments(std::vector<std::int32_t> in, std::vector<std::uint8_t> const& heads) {
  std::uint32_t sum = 0;
  for (std::size_t i = 0; i < in.size(); ++i)
    in[i] = static_cast<std::int32_t>(sum = (heads[i] ? 0 : sum) + static_cast<std::uint32_t>(in[i]));
  return in;
}

// What makes each of them another one. On the merge path a strategy is asked one warp at a time.
template <class Strategy>
using exchange = gpu::prefix_exchange<Strategy>;
static_assert(exchange<lookback::wide_look_back>::looking_warps > 1 && exchange<lookback::immediate_look_back>::resolves_at_once &&
              exchange<lookback::fast_tracked_look_back>::tells_from_last_warp);

/// What a strategy of all verbs does, and one of scans: calls body(on, whether it selects).
template <class Body>
void each_with(gpu::workspace& workspace, Body body) {
  auto const on = gpu::on(stream()).with(workspace);
  auto const run = [&](char const* name, auto how) {
    SCOPED_TRACE(name);
    body(on.with(how), std::bool_constant<!lookback::propagates<decltype(how)>>{});
  };
  run("chained", lookback::chained{});
  run("auxiliary_block", lookback::auxiliary_block{});
  run("sequential_look_back", lookback::sequential_look_back{});
  run("fenced_look_back", lookback::fenced_look_back{});
  run("wide_look_back", lookback::wide_look_back{});
  run("immediate_look_back", lookback::immediate_look_back{});
  run("fast_tracked_look_back", lookback::fast_tracked_look_back{});
  run("reduce_then_scan", lookback::reduce_then_scan{});
  run("scan_then_propagate", lookback::scan_then_propagate{});
}

using pair_descriptors = gpu::descriptors<stalling::pair>;

/// Tiles as if a call had come so far: the one with a prefix, aggregates behind it, and before it what nobody may add.
__global__ void publish_by_hand(pair_descriptors tiles, int prefix, int count) {
  for (int t = threadIdx.x; t < count; t += blockDim.x) {
    if (t < prefix) tiles.publish(t, lookback::status::aggregate, {-7, -9});
    else if (t == prefix) tiles.publish(t, lookback::status::prefix, {0, t});
    else tiles.publish(t, lookback::status::aggregate, {t, t});
  }
}
/// By as many warps as a block has.
__global__ void look_back_by_hand(pair_descriptors tiles, int id, stalling::pair* before) {
  gpu::exchange_call const by{nullptr, id, static_cast<int>(threadIdx.x / 32), static_cast<int>(blockDim.x / 32)};
  if (threadIdx.x == 0) exchange<lookback::wide_look_back>::begin_block(by.warps);
  __syncthreads();  // the warps' meeting place is there
  auto const found =
      exchange<lookback::wide_look_back>::before<stalling::pair>(tiles, id, false, stalling{0}, std::false_type{}, by);
  if (threadIdx.x == 0) *before = found;
}

}  // namespace

/// The prefix in the window of each warp, at its edges, and rounds of windows away; windows that lie before tile 0.
TEST_F(gpu_strategies, several_warps_look_back_together) {
  constexpr int most = 1100;
  array<std::uint64_t> words(std::vector<std::uint64_t>(2 * most));
  array<stalling::pair> before(1);
  pair_descriptors tiles{reinterpret_cast<gpu::ptx::word_128*>(words.data()), 3};
  for (int const warps : {1, 2, 4})
    for (int const id : {1, 2, 31, 32, 33, 64, 65, 128, 129, 300, most})
      for (int const back : {1, 2, 31, 32, 33, 63, 64, 65, 96, 97, 127, 128, 129, 256, 257, 300, 1000, most}) {
        if (back > id) continue;
        check(cudaMemsetAsync(words.data(), 0, 2 * most * sizeof(std::uint64_t), stream()));
        publish_by_hand<<<1, 256, 0, stream()>>>(tiles, id - back, id);
        look_back_by_hand<<<1, 32 * warps, 0, stream()>>>(tiles, id, before.data());
        check(cudaGetLastError());
        ASSERT_EQ(before.host()[0], (stalling::pair{0, id - 1}))
            << warps << " warps, tile " << id << ", prefix " << back << " back";
      }
}

TEST_F(gpu_strategies, sizes_in_device_memory) {
  std::size_t const bound = up_to(1'000'003);
  auto const values = random_values<std::int32_t>(bound, 7);
  auto const sums = running_sums(values);
  auto const heads = some_heads(bound);
  auto const by_segment = sums_of_segments(values, heads);
  array<std::int32_t> const in(values);
  array<std::uint8_t> const flags(heads);
  for (std::size_t const n : {std::size_t{0}, std::size_t{1}, std::size_t{7680}, bound / 2, bound}) {
    array<index_t> const size(std::vector<index_t>{static_cast<index_t>(n)});
    auto const some = lookback::first(in, lookback::size{static_cast<index_t>(bound), size.data()});
    auto const kept = odd_of(values, n);
    each_with(shared_workspace(), [&](auto const& on, auto selects) {
      array<std::int32_t> out(std::vector<std::int32_t>(bound, -2));
      lookback::inclusive_scan(on, some, out);
      auto got = out.host();
      for (std::size_t i = 0; i < bound; ++i) ASSERT_EQ(got[i], i < n ? sums[i] : -2) << i << " of " << n;
      lookback::inclusive_segmented_scan(on, some, lookback::head_flags(flags), out);
      got = out.host();
      for (std::size_t i = 0; i < bound; ++i) ASSERT_EQ(got[i], i < n ? by_segment[i] : -2) << i << " of " << n;
      if constexpr (selects) {
        array<index_t> count(1);
        lookback::select_if_async(on, some, out, is_odd{}, count.data());
        ASSERT_EQ(count.host()[0], std::ssize(kept));
        got = out.host();
        got.resize(kept.size());
        EXPECT_EQ(got, kept);
      }
    });
  }
}

/// Graphs, and between them calls of other types and other strategies, on one workspace.
TEST_F(gpu_strategies, graphs_are_replayed_between_other_calls_on_one_workspace) {
  std::size_t const n = up_to(300'007);
  gpu::workspace workspace;
  workspace.reserve(gpu::scratch_bytes(static_cast<index_t>(n), 8), stream());
  auto const values = random_values<std::int32_t>(n, 3);
  auto const sums = running_sums(values), kept = odd_of(values, n);
  auto const heads = some_heads(n);
  auto const by_segment = sums_of_segments(values, heads);
  array<std::int32_t> const in(values);
  array<std::uint8_t> const flags(heads);
  array<double> const other_in(random_values<double>(up_to(50'001), 1));
  array<double> other_out(other_in.size());
  each_with(workspace, [&](auto const& on, auto selects) {
    array<std::int32_t> out(n), selected(n), segmented(n);
    array<index_t> count(1);
    graph const replay([&] {
      lookback::inclusive_scan(on, in, out);
      lookback::inclusive_segmented_scan(on, in, lookback::head_flags(flags), segmented);
      if constexpr (selects) lookback::select_if_async(on, in, selected, is_odd{}, count.data());
    });
    for (int round = 0; round < 6; ++round) {
      for (auto* const to : {&out, &segmented}) check(cudaMemsetAsync(to->data(), 0xee, n * sizeof(std::int32_t), stream()));
      replay.launch();
      if (round % 2 == 0) lookback::inclusive_scan(gpu::on(stream()).with(workspace), other_in, other_out);
      if (round % 3 == 0) lookback::inclusive_scan(on, other_in, other_out);
      ASSERT_EQ(out.host(), sums) << "round " << round;
      ASSERT_EQ(segmented.host(), by_segment) << "round " << round;
      if constexpr (selects) {
        ASSERT_EQ(count.host()[0], std::ssize(kept));
        auto got = selected.host();
        got.resize(kept.size());
        ASSERT_EQ(got, kept) << "round " << round;
      }
    }
  });
}

TEST_F(gpu_strategies, epochs_run_out_and_begin_again) {
  std::size_t const n = up_to(1'000'003);
  auto const values = random_values<std::int32_t>(n, 5);
  auto const sums = running_sums(values);
  array<std::int32_t> const in(values);
  gpu::workspace workspace;
  workspace.reserve(gpu::scratch_bytes(static_cast<index_t>(n), 8), stream());
  auto* const state = workspace.scratch_for(0, 0, 0, stream()).state;
  each_with(workspace, [&](auto const& on, auto) {
    std::uint32_t const nearly = gpu::last_epoch - 3;
    check(cudaMemcpyAsync(&state->epoch_minus_one, &nearly, sizeof nearly, cudaMemcpyHostToDevice, stream()));
    array<std::int32_t> out(n);
    for (int call = 0; call < 6; ++call) {
      check(cudaMemsetAsync(out.data(), 0xee, n * sizeof(std::int32_t), stream()));
      lookback::inclusive_scan(on, in, out);
      ASSERT_EQ(out.host(), sums) << "call " << call;
    }
    std::uint32_t now = 0;
    check(cudaMemcpy(&now, &state->epoch_minus_one, sizeof now, cudaMemcpyDeviceToHost));
    EXPECT_LT(now, 10u);
  });
}

/// Blocks of two calls share the device, so that neither has all of its own there at once.
TEST_F(gpu_strategies, stalls_on_two_streams_at_once_change_nothing) {
  std::size_t const n = up_to(1'200'000);
  std::vector<stalling::pair> values(n);
  for (std::size_t i = 0; i < n; ++i) values[i] = {static_cast<std::int32_t>(i), static_cast<std::int32_t>(i)};
  auto const heads = some_heads(n);
  array<stalling::pair> const in(values);
  array<std::uint8_t> const flags(heads);
  array<stalling::pair> out(n), beside(n);
  cudaStream_t other;
  check(cudaStreamCreateWithFlags(&other, cudaStreamNonBlocking));
  gpu::workspace one, two;
  each_with(one, [&](auto const& on, auto) {
    auto const apart = gpu::on(other).with(two).with(typename std::remove_cvref_t<decltype(on)>::strategy_type{});
    for (unsigned const per_mille : {0u, 1u, 10u}) {
      lookback::inclusive_scan(on, in, out, stalling{per_mille});
      lookback::inclusive_scan(apart, in, beside, stalling{per_mille});
      check(cudaStreamSynchronize(other));
      for (auto const* result : {&out, &beside}) {
        auto const got = result->host();
        for (std::size_t i = 0; i < n; ++i)
          ASSERT_TRUE(got[i].first == 0 && got[i].last == static_cast<std::int32_t>(i)) << i << " of " << per_mille;
      }
      lookback::inclusive_segmented_scan(on, in, lookback::head_flags(flags), out, stalling{per_mille});
      lookback::inclusive_segmented_scan(apart, in, lookback::head_flags(flags), beside, stalling{per_mille});
      check(cudaStreamSynchronize(other));
      for (auto const* result : {&out, &beside}) {
        auto const got = result->host();
        for (std::size_t i = 0, first = 0; i < n; ++i) {
          if (heads[i]) first = i;
          ASSERT_TRUE(got[i] == (stalling::pair{static_cast<std::int32_t>(first), static_cast<std::int32_t>(i)}))
              << i << " of " << per_mille;
        }
      }
    }
  });
  check(cudaStreamDestroy(other));
}

/// Sums of floats by heads: the same bits under a strategy that promises it, and a refusal where they depend on when blocks run.
TEST_F(gpu_strategies, bits_are_repeated_or_refused) {
  std::size_t const n = up_to(1'000'003);
  array<float> const in(random_values<float>(n, 9));
  std::vector<std::int32_t> by_key(n);
  for (std::size_t i = 0; i < n; ++i) by_key[i] = static_cast<std::int32_t>(i / 40'000);
  array<std::int32_t> const keys(by_key);
  each_with(shared_workspace(), [&](auto const& with, auto selects) {
    if constexpr (selects) {
      auto const on = with.with(lookback::reproducible);
      array<std::int32_t> firsts(n);
      array<float> sums(n);
      array<index_t> count(1);
      auto const call = [&] { lookback::reduce_by_key_async(on, keys, in, firsts, sums, count.data()); };
      if (lookback::repeats_bits<typename std::remove_cvref_t<decltype(on)>::strategy_type>) {
        call();
        auto const once = sums.host();
        for (int run = 0; run < 5; ++run) {
          call();
          ASSERT_TRUE(same(sums.host(), once)) << "run " << run;
        }
      } else {
        expect_refused(sums, call, "repeats bits");
      }
    }
    array<float> scanned(n);
    expect_refused(
        scanned, [&] { lookback::inclusive_scan(with.with(lookback::reproducible), in, scanned); }, "decoupled_look_back");
  });
}
