// What belongs to sorts of segments and to splits on the GPU alone: captured graphs.
#include <lookback/radix_sort.hpp>
#include <lookback/split_by.hpp>
#include <optional>
#include <span>

#include "check_sort_segments.hpp"
#include "graph.hpp"

using namespace harness;
namespace gpu = lookback::gpu;

struct gpu_sort_segments : on_device {};

template <class T>
void upload(array<T>& to, std::vector<T> const& from) {
  check(cudaMemcpyAsync(to.data(), from.data(), from.size() * sizeof(T), cudaMemcpyHostToDevice, stream()));
}

/// One graph for other keys and other segments of the same number: short ones alone, long ones, one of nearly all. Between them
/// sorts of other sizes on the same workspace.
TEST_F(gpu_sort_segments, one_graph_for_many_offsets) {
  std::size_t const number = small() ? 3'000 : 100'000, n = 20 * number;
  gpu::workspace workspace;
  auto const on = gpu::on(stream()).with(workspace);
  array<std::uint32_t> keys(n), out(n), values_out(n), data(n), aside(any_words<std::uint32_t>(n, 1));
  auto const values = random_values<std::uint32_t>(n, 1);
  array<std::uint32_t> const beside(values);
  array<std::int32_t> offsets(number + 1), indices(n);
  workspace.reserve(gpu::radix_sort_scratch<std::uint32_t, std::uint32_t>(static_cast<index_t>(n), static_cast<index_t>(number)),
                    stream());
  workspace.reserve(gpu::argsort_scratch<std::uint32_t, std::int32_t>(static_cast<index_t>(n), static_cast<index_t>(number)),
                    stream());
  workspace.reserve(gpu::radix_sort_scratch<std::uint32_t>(static_cast<index_t>(n), static_cast<index_t>(number)), stream());
  auto const enqueue = [&] {
    auto const said = lookback::offsets(offsets);
    lookback::radix_sort_copy_async(on, keys, beside, out, values_out, said);
    lookback::argsort_async(on, keys, indices, said);
    lookback::radix_sort_async(on, data, said);
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
  bool first_time = true;
  std::optional<graph> chain;
  for (std::size_t replay = 0; replay < (small() ? 4u : 16u); ++replay) {
    SCOPED_TRACE("replay " + std::to_string(replay));
    auto const segments = side_by_side("of a replay", lengths_of(replay));
    auto const input = replay % 2 == 0 ? any_words<std::uint32_t>(n, replay) : distributions<std::uint32_t>(n)[replay % 12].keys;
    auto const positions = segments.offsets();
    upload(keys, input), upload(data, input);
    upload(offsets, std::vector<std::int32_t>(positions.begin(), positions.end()));
    std::vector<std::uint32_t> const before(n, 7);
    std::vector<std::int32_t> const no_place(n, -5);
    upload(out, before), upload(values_out, before), upload(indices, no_place);
    if (first_time) chain.emplace(enqueue), first_time = false;  // the workspace has room
    if (replay % 3 == 1) lookback::radix_sort(on, std::span(aside.data(), 1 + n * replay / 16));
    chain->launch();
    check(cudaStreamSynchronize(stream()));

    auto const places = places_in_segments<std::uint32_t>(input, {}, false, segments);
    std::vector<std::int32_t> all(n);
    std::iota(all.begin(), all.end(), 0);
    ASSERT_TRUE(same(out.host(), taken_in_segments(input, places, segments, before)));
    ASSERT_TRUE(same(values_out.host(), taken_in_segments(values, places, segments, before)));
    ASSERT_TRUE(same(indices.host(), taken_in_segments(all, places, segments, no_place)));
    ASSERT_TRUE(same(data.host(), taken_in_segments(input, places, segments, input)));
  }
  EXPECT_TRUE(out.intact() && values_out.intact() && indices.intact() && data.intact());
}

struct by_top_bits {
  LOOKBACK_FN int operator()(std::uint32_t x) const { return static_cast<int>(x >> 26); }
};

/// A split whose classes and number are others in every replay.
TEST_F(gpu_sort_segments, one_graph_of_a_split) {
  std::size_t const n = up_to(200'003);
  gpu::workspace workspace;
  auto const on = gpu::on(stream()).with(workspace);
  array<std::uint32_t> in(n), out(n);
  array<index_t> count(1), starts(65);
  auto const enqueue = [&] {
    auto const some = lookback::first(in, {static_cast<index_t>(n), count.data()});
    lookback::split_by_async<64>(on, some, out, by_top_bits{}, starts);
  };
  upload(in, std::vector<std::uint32_t>(n)), upload(count, {static_cast<index_t>(n)});
  enqueue();  // makes room in the workspace
  check(cudaStreamSynchronize(stream()));
  graph const chain(enqueue);
  auto const all = distributions<std::uint32_t>(n);
  for (std::size_t replay = 0; replay < (small() ? 4u : 20u); ++replay) {
    SCOPED_TRACE("replay " + std::to_string(replay));
    auto const& input = all[replay % all.size()].keys;
    std::size_t const some = replay % 3 == 0 ? n : n * replay / 20;
    upload(in, input), upload(count, {static_cast<index_t>(some)});
    std::vector<std::uint32_t> const before(n, 7);
    upload(out, before);
    chain.launch();
    check(cudaStreamSynchronize(stream()));
    std::vector<std::uint32_t> want(input.begin(), input.begin() + static_cast<std::ptrdiff_t>(some));
    std::stable_sort(want.begin(), want.end(), [](std::uint32_t a, std::uint32_t b) { return a >> 26 < b >> 26; });
    std::vector<index_t> begins;
    for (std::uint32_t c = 0; c <= 64; ++c)
      begins.push_back(std::count_if(want.begin(), want.end(), [=](std::uint32_t x) { return x >> 26 < c; }));
    want.resize(n, 7);
    ASSERT_TRUE(same(out.host(), want));
    ASSERT_TRUE(same(starts.host(), begins));
  }
  EXPECT_TRUE(out.intact() && starts.intact());
}
