// What the library says of its calls to who looks: the way, its reason, passes and scratch; and that nobody else is told.
#include <lookback/observe.hpp>
#include <lookback/radix_sort.hpp>
#include <lookback/reduce_by_key.hpp>
#include <lookback/run_length_decode.hpp>
#include <lookback/scan.hpp>
#include <lookback/segmented_scan.hpp>
#include <lookback/select_if.hpp>
#include <lookback/split_by.hpp>
#include <lookback/strategy.hpp>
#include <numeric>
#include <span>

#include "array.hpp"
#include "compare.hpp"
#include "fixture.hpp"
#include "random.hpp"

using namespace harness;
using lookback::index_t;

struct observe : on_device {};

namespace {

struct is_even {
  LOOKBACK_FN bool operator()(std::uint32_t x) const { return x % 2 == 0; }
};

lookback::plus<std::uint32_t> const sum{};

/// What a call says, made with a policy under which several workers have tiles.
template <class Call>
lookback::observation seen_of(Call const& call) {
  lookback::observation seen;
  lookback::observing const now(seen);
  call();
  return seen;
}

std::vector<std::uint32_t> sums_of(std::vector<std::uint32_t> in) {
  std::partial_sum(in.begin(), in.end(), in.begin());
  return in;
}

}  // namespace

TEST_F(observe, scans_say_their_way_and_reason) {
  std::size_t const n = up_to(3'000'017);
  auto const in = random_values<std::uint32_t>(n, 1);
  array<std::uint32_t> const source(in);
  each_one_pass_policy([&](auto const& on) {
    array<std::uint32_t> out(n);
    auto const seen = seen_of([&] { lookback::inclusive_scan(on, source, out, sum); });
    EXPECT_TRUE(same(out.host(), sums_of(in)));
    ASSERT_EQ(seen.ways.size(), 1u);
    EXPECT_FALSE(seen.ways[0].what.empty());
    EXPECT_FALSE(seen.ways[0].why.empty());
    EXPECT_GE(seen.ways[0].tiles, 1);
    EXPECT_EQ(seen.ways[0].reads, 1);
    EXPECT_EQ(seen.ways[0].writes, 1);
    EXPECT_EQ(seen.pass_count(), 1);
    EXPECT_FALSE(seen.passes[0].name.empty());
    EXPECT_EQ(seen.passes[0].name.find('<'), std::string::npos) << seen.passes[0].name;
    EXPECT_GE(seen.passes[0].threads, 1);
  });
}

TEST_F(observe, a_strategy_of_two_passes_says_what_it_does_again) {
  std::size_t const n = on_gpu ? up_to(3'000'017) : 1'000'003;
  auto const in = random_values<std::uint32_t>(n, 2);
  array<std::uint32_t> const source(in);
  array<std::uint32_t> out(n);
  auto const on = default_policy();
  auto const twice = seen_of([&] { lookback::inclusive_scan(on.with(lookback::reduce_then_scan{}), source, out, sum); });
  ASSERT_EQ(twice.ways.size(), 1u);
  EXPECT_EQ(twice.ways[0].reads, 2);
  EXPECT_EQ(twice.ways[0].writes, 1);
  EXPECT_GE(twice.pass_count(), 2);
  EXPECT_GT(twice.scratch_bytes, 0u);
  auto const again = seen_of([&] { lookback::inclusive_scan(on.with(lookback::scan_then_propagate{}), source, out, sum); });
  ASSERT_EQ(again.ways.size(), 1u);
  EXPECT_EQ(again.ways[0].reads, 2);
  EXPECT_EQ(again.ways[0].writes, 2);
  EXPECT_TRUE(same(out.host(), sums_of(in)));
}

TEST_F(observe, few_items_go_another_way) {
  auto const in = random_values<std::uint32_t>(1000, 3);
  array<std::uint32_t> const source(in);
  array<std::uint32_t> out(in.size());
  auto const on = default_policy();
  auto const few = seen_of([&] { lookback::inclusive_scan(on, source, out, sum); });
  ASSERT_EQ(few.ways.size(), 1u);
  EXPECT_EQ(few.ways[0].what.substr(0, few.ways[0].what.find(',')), on_gpu ? "one wave" : "one worker");
  EXPECT_EQ(few.ways[0].why, on_gpu ? "all items are on the device at once" : "there is so little input that one worker is faster");
  EXPECT_EQ(few.pass_count(), 1);
}

TEST_F(observe, compactions_and_sorts) {
  // On a CPU 400 KB, which one worker sorts whatever the size of its L2 cache.
  std::size_t const n = up_to(on_gpu ? 300'007 : 100'003);
  auto const in = random_values<std::uint32_t>(n, 4);
  array<std::uint32_t> const source(in);
  auto sorted = in;
  std::sort(sorted.begin(), sorted.end());
  auto const on = default_policy();
  array<std::uint32_t> out(n), keys(in);
  auto const kept = seen_of([&] { lookback::select_if(on, source, out, is_even{}); });
  EXPECT_EQ(kept.ways.size(), 1u);
  auto const sort = seen_of([&] { lookback::radix_sort(on, keys); });
  EXPECT_TRUE(same(keys.host(), sorted));
  ASSERT_EQ(sort.ways.size(), 1u);
  // On a GPU the keys are counted, then split once or twice, then sorted on chip; on a CPU one worker reads and writes them once.
  EXPECT_EQ(sort.ways[0].reads, sort.ways[0].writes + (on_gpu ? 1 : 0));
  EXPECT_GE(sort.ways[0].writes, 1);
  EXPECT_GE(sort.pass_count(), 1);
  EXPECT_GE(sort.scratch_bytes, n * sizeof(std::uint32_t));
  if (small()) return;
  // Keys of few values do not spread; on a CPU what is in order is found to be.
  array<std::uint32_t> equal(std::vector<std::uint32_t>(n, 7));
  auto const few = seen_of([&] { lookback::radix_sort(on, equal); });
  ASSERT_EQ(few.ways.size(), 1u);
  EXPECT_NE(few.ways[0].what, sort.ways[0].what);
}

TEST_F(observe, only_who_looks_is_told_and_the_innermost_alone) {
  auto const in = random_values<std::uint32_t>(5000, 5);
  array<std::uint32_t> const source(in);
  array<std::uint32_t> out(in.size());
  auto const on = default_policy();
  auto const call = [&] { lookback::inclusive_scan(on, source, out, sum); };
  lookback::observation outer, inner;
  call();
  {
    lookback::observing const now(outer);
    call();
    {
      lookback::observing const here(inner);
      call();
      call();
    }
    call();
  }
  call();
  EXPECT_EQ(outer.ways.size(), 2u);
  EXPECT_EQ(inner.ways.size(), 2u);
  ASSERT_EQ(inner.passes.size(), 1u) << "equal ones behind each other are one";
  EXPECT_EQ(inner.passes[0].times, 2);
  EXPECT_EQ(inner.pass_count(), 2);
}

struct low_bits {
  LOOKBACK_FN int operator()(std::uint32_t x) const { return static_cast<int>(x % 8); }
};

TEST_F(observe, other_verbs) {
  std::size_t const n = up_to(100'003);
  auto const in = random_values<std::uint32_t>(n, 6);
  array<std::uint32_t> const source(in), lengths(std::vector<std::uint32_t>(n, 2));
  std::vector<std::int32_t> ends;
  for (std::size_t at = 0; at <= n; at += 7) ends.push_back(static_cast<std::int32_t>(at));
  array<std::int32_t> const offsets(ends);
  array<std::uint8_t> const flags(std::vector<std::uint8_t>(n, 1));
  auto const on = default_policy();
  array<std::uint32_t> out(n), twice(2 * n);
  array<lookback::index_t> starts(9);
  auto const what_of = [](lookback::observation const& seen) {
    std::string all;
    for (auto const& way : seen.ways) all += way.what + ";";
    return all;
  };
  auto const has = [](std::string const& all, std::string const& word) { return all.find(word) != std::string::npos; };
  auto const decoded = seen_of([&] { lookback::run_length_decode(on, source, lengths, twice); });
  EXPECT_TRUE(has(what_of(decoded), "runs written out")) << what_of(decoded);
  auto const reduced = seen_of([&] { lookback::segmented_reduce(on, source, lookback::offsets(offsets), out, sum); });
  EXPECT_TRUE(has(what_of(reduced), on_gpu ? "merge path" : "one worker")) << what_of(reduced);
  auto const split = seen_of([&] { lookback::split_by<8>(on, source, out, low_bits{}, starts); });
  EXPECT_TRUE(has(what_of(split), "counted, then moved")) << what_of(split);
  auto const lifted = seen_of([&] {
    lookback::inclusive_segmented_scan(on.with(lookback::lifted<lookback::decoupled_look_back>{}), source,
                                       lookback::head_flags(flags), out, sum);
  });
  ASSERT_EQ(lifted.ways.size(), 2u);
  EXPECT_EQ(lifted.ways[0].what, "lifted");
  EXPECT_TRUE(same(out.host(), in)) << "a scan of segments of one item";
}

TEST_F(observe, what_cannot_be_noted_stays_with_the_observation) {
  lookback::observation seen;
  lookback::observing const now(seen);
  lookback::detail::observe([](lookback::observation&) { throw std::bad_alloc(); });
  EXPECT_FALSE(seen.is_complete);
}
