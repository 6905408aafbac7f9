// What belongs to quicksort on the GPU alone: captured graphs, arrays of many passes, memory that is refused.
#include <optional>
#include <span>

#include "check_quicksort.hpp"
#include "graph.hpp"

using namespace harness;
namespace gpu = lookback::gpu;

struct gpu_quicksort : on_device {};

template <class T>
void upload(array<T>& to, std::vector<T> const& from) {
  check(cudaMemcpyAsync(to.data(), from.data(), from.size() * sizeof(T), cudaMemcpyHostToDevice, stream()));
}

/// One graph for other keys and other segments of the same number: short ones alone, long ones, one of nearly all. The workspace
/// has the room that is said, and no call allocates.
TEST_F(gpu_quicksort, one_graph_for_many_offsets) {
  std::size_t const number = small() ? 3'000 : 50'000, n = 20 * number;
  auto const items = static_cast<index_t>(n), segment_count = static_cast<index_t>(number);
  gpu::workspace workspace;
  auto const on = gpu::on(stream()).with(workspace);
  array<std::uint32_t> keys(n), out(n), values_out(n), data(n), whole(n);
  auto const values = random_values<std::uint32_t>(n, 1);
  auto const wides = random_values<triple>(n, 2);
  array<std::uint32_t> const beside(values);
  array<triple> const wide_beside(wides);
  array<triple> wide_out(n);
  array<std::int32_t> offsets(number + 1), indices(n);
  workspace.reserve(gpu::quicksort_scratch<std::uint32_t, std::uint32_t>(items, segment_count), stream());
  workspace.reserve(gpu::quicksort_scratch<std::uint32_t, triple>(items, segment_count), stream());
  workspace.reserve(gpu::quicksort_scratch<std::uint32_t>(items, segment_count), stream());
  workspace.reserve(gpu::quicksort_scratch<std::uint32_t>(items), stream());
  workspace.reserve(gpu::argsort_by_less_scratch<std::uint32_t, std::int32_t>(items, segment_count), stream());
  auto const enqueue = [&] {
    auto const said = lookback::offsets(offsets);
    lookback::quicksort_copy_async(on, keys, beside, out, values_out, by_high_bits{}, said);
    lookback::quicksort_copy_async(on, keys, wide_beside, out, wide_out, by_high_bits{}, said);
    lookback::argsort_async(on, keys, indices, by_high_bits{}, said);
    lookback::segmented_quicksort_async(on, data, said, by_high_bits{});
    lookback::quicksort_async(on, whole, by_high_bits{});
  };
  auto const lengths_of = [&](std::size_t replay) {
    std::vector<std::size_t> lengths = lengths_between(number, 0, 20);
    auto const left = [&] { return n - std::accumulate(lengths.begin(), lengths.end(), std::size_t{0}); };
    if (replay % 4 == 1) lengths[replay * 997 % number] += left();
    if (replay % 4 == 2)
      for (std::size_t k = 0; k < 40; ++k) lengths[(replay + k * 2221) % number] += left() / 40;
    if (replay % 4 == 3) std::fill(lengths.begin() + 5, lengths.end(), 0), lengths.front() += left();
    return lengths;
  };
  std::optional<graph> chain;
  for (std::size_t replay = 0; replay < (small() ? 4u : 16u); ++replay) {
    SCOPED_TRACE("replay " + std::to_string(replay));
    auto const segments = side_by_side("of a replay", lengths_of(replay));
    auto const input = replay % 2 == 0 ? any_words<std::uint32_t>(n, replay) : distributions<std::uint32_t>(n)[replay % 12].keys;
    auto const positions = segments.offsets();
    upload(keys, input), upload(data, input), upload(whole, input);
    upload(offsets, std::vector<std::int32_t>(positions.begin(), positions.end()));
    std::vector<std::uint32_t> const before(n, 7);
    std::vector<triple> const wide_before(n, triple{1, 2, 3});
    std::vector<std::int32_t> const no_place(n, -5);
    upload(out, before), upload(values_out, before), upload(indices, no_place), upload(wide_out, wide_before);
    if (!chain) chain.emplace(enqueue);
    chain->launch();
    check(cudaStreamSynchronize(stream()));

    auto const places = places_by(input, by_high_bits{}, segments);
    std::vector<std::int32_t> all(n);
    std::iota(all.begin(), all.end(), 0);
    ASSERT_TRUE(same(out.host(), taken_in_segments(input, places, segments, before)));
    ASSERT_TRUE(same(values_out.host(), taken_in_segments(values, places, segments, before)));
    ASSERT_TRUE(same(wide_out.host(), taken_in_segments(wides, places, segments, wide_before)));
    ASSERT_TRUE(same(indices.host(), taken_in_segments(all, places, segments, no_place)));
    ASSERT_TRUE(same(data.host(), taken_in_segments(input, places, segments, input)));
    ASSERT_TRUE(same(whole.host(), oracle::taken(input, places_by(input, by_high_bits{}))));
  }
  EXPECT_TRUE(out.intact() && values_out.intact() && indices.intact() && data.intact() && whole.intact() && wide_out.intact());
}

/// So many that runs are merged ten times.
TEST_F(gpu_quicksort, of_many_items) {
  std::size_t const n = up_to(7'000'001);
  check_items(any_words<std::uint32_t>(n, n), by_high_bits{});
  auto const in = any_words<std::uint32_t>(n, 1);
  check_items_with(in, by_high_bits{}, 0, random_values<std::uint32_t>(n, 2));
  check_no_item_is_lost({no_order::any_answer}, n);
}

/// From a pool that has no room for it.
TEST_F(gpu_quicksort, when_memory_is_refused_nothing_has_been_touched) {
  std::size_t const n = std::size_t{1} << 26;
  array<std::uint32_t> keys(any_words<std::uint32_t>(n, 1)), indices(std::vector<std::uint32_t>(n, 9));
  auto const before = keys.host();
  array<std::int32_t> const offsets(std::vector<std::int32_t>{0, 5, 1 << 25, 1 << 26});
  cudaMemPoolProps of{};
  of.allocType = cudaMemAllocationTypePinned;
  of.location = {cudaMemLocationTypeDevice, 0};
  of.maxSize = 1 << 20;
  cudaMemPool_t usual, small_pool;
  check(cudaDeviceGetMemPool(&usual, 0));
  check(cudaMemPoolCreate(&small_pool, &of));
  check(cudaDeviceSetMemPool(0, small_pool));
  auto const on = gpu::on(stream());
  EXPECT_THROW(lookback::quicksort(on, keys, by_high_bits{}), lookback::out_of_memory);
  EXPECT_THROW(lookback::quicksort(on, keys, by_high_bits{}, lookback::offsets(offsets)), lookback::out_of_memory);
  EXPECT_THROW(lookback::argsort(on, keys, indices, by_high_bits{}), lookback::out_of_memory);
  check(cudaDeviceSetMemPool(0, usual));
  check(cudaMemPoolDestroy(small_pool));
  EXPECT_TRUE(same(keys.host(), before));
  EXPECT_TRUE(same(indices.host(), std::vector<std::uint32_t>(n, 9)));
  lookback::quicksort(on, keys, by_high_bits{});
  auto const sorted = keys.host();
  EXPECT_TRUE(std::is_sorted(sorted.begin(), sorted.end(), by_high_bits{}));
}
