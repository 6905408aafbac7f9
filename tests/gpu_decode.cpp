// What belongs to decoding on the GPU alone: chains of calls in one captured graph, more than 2^31 items.
#include <lookback/run_length_decode.hpp>
#include <lookback/run_length_encode.hpp>
#include <lookback/unique.hpp>
#include <span>

#include "array.hpp"
#include "fixture.hpp"
#include "front.hpp"
#include "graph.hpp"
#include "keyed.hpp"
#include "random.hpp"

using namespace harness;
using lookback::index_t;

struct gpu_decode : on_device {};

struct all_bits_turned {
  LOOKBACK_FN std::uint32_t operator()(std::uint32_t x) const { return ~x; }
};

/// Nobody waits: encode, decode what it found, and decode it once more into too little room. The same graph for other data, which
/// have more runs and fewer.
template <class On>
void check_chain(On const& on) {
  std::size_t const n = up_to(300'007), room = n / 3;
  auto const bound = static_cast<index_t>(n);
  array<std::uint32_t> in(n), values(n), out(n, 1), some(room, 2);
  array<std::int32_t> lasted(n);
  array<index_t> runs(1), total(1), again(1);
  graph const chain([&] {
    lookback::run_length_encode_async(on, in, values, lasted, runs.data());
    auto const lengths = lookback::first(lasted, {bound, runs.data()});
    lookback::run_length_decode_async(on, values, lengths, out, total.data());
    lookback::run_length_decode_async(on, lookback::mapped(values, all_bits_turned{}), lengths, some, again.data());
  });
  for (std::uint64_t const longest : {3, 100'000, 1, 40}) {
    SCOPED_TRACE("runs of up to " + std::to_string(longest));
    generator random(longest);
    auto const items = items_of<std::uint32_t>(lengths(n, [&] { return 1 + random.below(longest); }));
    check(cudaMemcpyAsync(in.data(), items.data(), n * sizeof(std::uint32_t), cudaMemcpyHostToDevice, stream()));
    check(cudaMemsetAsync(out.data(), 0, n * sizeof(std::uint32_t), stream()));
    chain.launch();
    check(cudaStreamSynchronize(stream()));
    expect_front(out, total.host()[0], items);
    std::vector<std::uint32_t> want(room);
    for (std::size_t i = 0; i < room; ++i) want[i] = ~items[i];
    EXPECT_EQ(again.host()[0], bound);
    expect_front(some, static_cast<index_t>(room), want);
  }
}

TEST_F(gpu_decode, encode_and_decode_in_one_graph) {
  lookback::gpu::workspace workspace;
  workspace.reserve(lookback::gpu::scratch_bytes(static_cast<index_t>(up_to(300'007)), 8), stream());
  check_chain(lookback::gpu::on(stream()).with(workspace));
  check_chain(lookback::gpu::on(stream()));
}

/// A workspace is used by many calls that are queued at once, of more and more runs.
TEST_F(gpu_decode, calls_that_are_queued_share_a_workspace) {
  lookback::gpu::workspace workspace;
  auto const on = lookback::gpu::on(stream()).with(workspace);
  std::vector<array<std::uint32_t>> outs;
  std::vector<std::vector<std::uint32_t>> wants;
  std::vector<array<std::uint32_t>> values;
  std::vector<array<std::uint8_t>> lengths;
  array<index_t> count(8);
  for (std::size_t k = 0; k < count.size(); ++k) {
    std::size_t const runs = std::size_t{100} << k;
    values.emplace_back(random_values<std::uint32_t>(runs, k));
    std::vector<std::uint8_t> const lasting(runs, static_cast<std::uint8_t>(k + 1));
    lengths.emplace_back(lasting);
    outs.emplace_back(runs * (k + 1));
    auto const from = values.back().host();
    wants.emplace_back();
    for (auto const value : from) wants.back().insert(wants.back().end(), k + 1, value);
  }
  for (std::size_t k = 0; k < count.size(); ++k)
    lookback::run_length_decode_async(on, values[k], lengths[k], outs[k], count.data() + k);
  auto const counts = count.host();
  for (std::size_t k = 0; k < count.size(); ++k) expect_front(outs[k], counts[k], wants[k]);
}

/// More than 2^31 items: one run, and runs of which each has more than a tile.
TEST_F(gpu_decode, more_than_two_to_the_31_items) {
  index_t const n = small() ? 3'345'677 : (index_t{1} << 31) + 12'345'677;  // a tool sees fewer
  memory room(static_cast<std::size_t>(n) + 2);
  auto* const begin = reinterpret_cast<std::uint8_t*>(room.data());
  std::span<std::uint8_t> const out(begin + 1, static_cast<std::size_t>(n));
  auto const on = lookback::gpu::on(stream()).with(shared_workspace());
  std::uint8_t const edges[2] = {1, 2};
  for (index_t const longest : {n, index_t{1'000'003}}) {
    SCOPED_TRACE("runs of " + std::to_string(longest));
    std::vector<index_t> lasting;
    for (index_t left = n; left > 0; left -= lasting.back()) lasting.push_back(std::min(left, longest));
    std::vector<std::uint8_t> each(lasting.size());
    for (std::size_t r = 0; r < each.size(); ++r) each[r] = static_cast<std::uint8_t>(100 + r % 7);
    room.write(0, edges, 1), room.write(static_cast<std::size_t>(n) + 1, edges + 1, 1);
    array<std::uint8_t> const values(each);
    array<index_t> const lengths(lasting);
    ASSERT_EQ(lookback::run_length_decode(on, values, lengths, out), n);
    std::uint8_t beside[2];
    room.read(0, beside, 1), room.read(static_cast<std::size_t>(n) + 1, beside + 1, 1);
    EXPECT_EQ(beside[0], edges[0]);
    EXPECT_EQ(beside[1], edges[1]);
    // Where runs meet, then all items: as many runs are left of them, with these values.
    for (std::size_t r = 0, at = 0; r < each.size(); at += static_cast<std::size_t>(lasting[r++])) {
      std::uint8_t ends_of_run[2];
      room.read(1 + at, ends_of_run, 1), room.read(at + static_cast<std::size_t>(lasting[r]), ends_of_run + 1, 1);
      EXPECT_EQ(ends_of_run[0], each[r]);
      EXPECT_EQ(ends_of_run[1], each[r]);
    }
    ASSERT_EQ(lookback::unique(on, out), std::ssize(each));
    std::vector<std::uint8_t> got(each.size());
    room.read(1, got.data(), got.size());
    EXPECT_TRUE(same(got, each));
  }
}
