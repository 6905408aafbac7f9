// What belongs to compaction on the GPU alone: chains of calls in one captured graph, forms that wait, more than 2^31 items.
#include <lookback/reduce_by_key.hpp>
#include <lookback/select_if.hpp>
#include <lookback/unique.hpp>
#include <span>

#include "array.hpp"
#include "compare.hpp"
#include "fixture.hpp"
#include "front.hpp"
#include "graph.hpp"
#include "keyed.hpp"
#include "random.hpp"
#include "refused.hpp"

using namespace harness;
using lookback::index_t;
namespace gpu = lookback::gpu;

struct gpu_compaction : on_device {};

struct not_a_multiple_of_three {
  LOOKBACK_FN bool operator()(std::uint32_t x) const { return x % 3 != 0; }
};
struct low_bits {
  LOOKBACK_FN std::uint32_t operator()(std::uint32_t x) const { return x & 7; }
};
struct same_high_bits {
  LOOKBACK_FN bool operator()(std::uint32_t a, std::uint32_t b) const { return a >> 3 == b >> 3; }
};

/// Nobody waits: each call reads the number that the one before it left. The same graph for other data, three times.
TEST_F(gpu_compaction, select_unique_and_reduce_by_key_in_one_graph) {
  std::size_t const n = up_to(300'007);
  gpu::workspace workspace;
  workspace.reserve(gpu::scratch_bytes(static_cast<index_t>(n), 8), stream());
  auto const on = gpu::on(stream()).with(workspace);
  array<std::uint32_t> data(n), keys(n), sums(n);
  array<index_t> kept(1), different(1), groups(1);
  auto const bound = static_cast<index_t>(n);
  graph const chain([&] {
    lookback::select_if_async(on, data, not_a_multiple_of_three{}, kept.data());
    lookback::unique_async(on, lookback::first(data, {bound, kept.data()}), data, different.data());
    auto const rest = lookback::first(data, {bound, different.data()});
    lookback::reduce_by_key_async(on, rest, lookback::mapped(data, low_bits{}), keys, sums, groups.data(),
                                  lookback::plus<std::uint32_t>{}, same_high_bits{});
  });
  for (std::uint64_t seed = 1; seed <= 3; ++seed) {
    std::vector<std::uint32_t> in(n);
    generator random(seed);
    for (auto& x : in) x = static_cast<std::uint32_t>(random.below(40));
    check(cudaMemcpyAsync(data.data(), in.data(), n * sizeof(std::uint32_t), cudaMemcpyHostToDevice, stream()));
    chain.launch();
    check(cudaStreamSynchronize(stream()));

    std::vector<std::uint32_t> kept_items, distinct, want_keys, want;
    for (auto x : in)
      if (not_a_multiple_of_three{}(x)) kept_items.push_back(x);
    for (std::size_t i = 0; i < kept_items.size(); ++i)
      if (i == 0 || kept_items[i] != kept_items[i - 1]) distinct.push_back(kept_items[i]);
    auto const starts = starts_of_runs(distinct, same_high_bits{});
    for (std::size_t r = 0; r + 1 < starts.size(); ++r) {
      std::uint32_t total = 0;
      for (std::size_t i = starts[r]; i < starts[r + 1]; ++i) total += distinct[i] & 7;
      want_keys.push_back(distinct[starts[r]]), want.push_back(total);
    }
    EXPECT_EQ(kept.host()[0], std::ssize(kept_items));
    EXPECT_EQ(different.host()[0], std::ssize(distinct));
    expect_front(keys, groups.host()[0], want_keys);
    expect_front(sums, groups.host()[0], want);
  }
}

TEST_F(gpu_compaction, a_form_that_returns_a_count_is_refused_in_a_graph) {
  gpu::workspace workspace;
  array<std::uint32_t> data(random_values<std::uint32_t>(1000, 1));
  lookback::select_if(gpu::on(stream()).with(workspace), data, not_a_multiple_of_three{});
  expect_refused(data, [&] {
    graph const refused([&] { lookback::select_if(gpu::on(stream()).with(workspace), data, not_a_multiple_of_three{}); });
  });
}

struct alternating {
  LOOKBACK_FN std::uint8_t operator()(index_t i) const { return static_cast<std::uint8_t>(i >> 20); }
};
struct every_third {
  LOOKBACK_FN bool operator()(std::uint8_t x) const { return x % 3 == 0; }
};

struct is_anything {
  LOOKBACK_FN bool operator()(std::uint8_t) const { return true; }
};

/// More than 2^31 items, kept and dropped in runs of 2^20; then all kept.
TEST_F(gpu_compaction, more_than_two_to_the_31_items) {
  index_t const n = small() ? 3'345'677 : (index_t{1} << 31) + 12'345'677;  // a tool sees fewer
  index_t want = 0;
  for (index_t block = 0; block << 20 < n; ++block)
    if (static_cast<std::uint8_t>(block) % 3 == 0) want += std::min(index_t{1} << 20, n - (block << 20));
  memory const room(static_cast<std::size_t>(n));
  std::span<std::uint8_t> const out(reinterpret_cast<std::uint8_t*>(room.data()), static_cast<std::size_t>(n));
  auto const on = gpu::on(stream()).with(shared_workspace());
  ASSERT_EQ(lookback::select_if(on, lookback::generate(n, alternating{}), out, every_third{}), want);
  std::vector<std::uint8_t> last(std::size_t{1} << 19);
  room.read(static_cast<std::size_t>(want) - last.size(), last.data(), last.size());
  index_t at = n;
  for (auto k = last.size(); k-- > 0;) {
    do --at;
    while (!every_third{}(alternating{}(at)));
    ASSERT_EQ(last[k], alternating{}(at)) << k;
  }
  // Runs of 2^20 items, those at the edge of a byte too.
  ASSERT_EQ(lookback::select_if(on, lookback::generate(n, alternating{}), out, is_anything{}), n);
  EXPECT_EQ(lookback::unique(on, out), (n + (1 << 20) - 1) >> 20);
}

struct tiles_of_four {
  static constexpr index_t tile_items = 4;
};

/// Asked on the host, before anything is queued: tiles of four keys of four bytes, the array one key past a multiple of 16 bytes.
TEST(gpu_compaction_on_the_host, refuses_a_last_tile_that_ends_where_it_begins) {
  auto const asked = [](std::uintptr_t address, lookback::size n) {
    lookback::arrays<std::uint32_t> const keys{reinterpret_cast<std::uint32_t const*>(address), {}};
    gpu::detail::expects_left_neighbours<tiles_of_four>(lookback::runs<lookback::equal_to>{}, keys, n);
  };
  index_t const count = 0;
  for (index_t const n : {0, 1, 4, 7, 8, 11, 12}) EXPECT_NO_THROW(asked(260, n)) << n;
  for (index_t const n : {5, 6, 9, 10}) EXPECT_THROW(asked(260, n), lookback::invalid_argument) << n;
  for (index_t n = 0; n < 20; ++n) EXPECT_NO_THROW(asked(256, n)) << n;
  EXPECT_THROW(asked(260, {100, &count}), lookback::invalid_argument);
  EXPECT_NO_THROW(asked(256, {100, &count}));
}
