// A sort that is observed while its stream is being captured: what a graph decides is not known, and the capture stays whole.
#include <algorithm>
#include <lookback/observe.hpp>
#include <lookback/radix_sort.hpp>

#include "array.hpp"
#include "compare.hpp"
#include "fixture.hpp"
#include "gpu/graph.hpp"
#include "random.hpp"

using namespace harness;

struct gpu_observe : on_device {};

TEST_F(gpu_observe, sorts_that_are_captured) {
  std::size_t const n = up_to(300'007);
  auto const in = random_values<std::uint32_t>(n, 1);
  auto sorted = in;
  std::sort(sorted.begin(), sorted.end());
  array<std::uint32_t> const source(in);
  array<std::uint32_t> out(n);
  lookback::gpu::workspace room;
  room.reserve(lookback::gpu::radix_sort_scratch<std::uint32_t>(static_cast<lookback::index_t>(n)), stream());
  auto const on = lookback::gpu::on(stream()).with(room);
  lookback::observation seen;
  {
    lookback::observing const now(seen);
    graph const captured([&] { lookback::radix_sort_copy(on, source, out); });
    captured.launch();
  }
  wait(on);
  EXPECT_TRUE(same(out.host(), sorted));
  ASSERT_EQ(seen.ways.size(), 1u);
  EXPECT_EQ(seen.ways[0].reads, 0) << "a graph decides whenever it runs";
  EXPECT_TRUE(seen.is_complete);
  EXPECT_GE(seen.pass_count(), 1);
}
