// What belongs to compaction on the GPU alone: chains of calls in one captured graph, forms that wait, more than 2^31 items,
// numbers of items that lie in device memory.
#include <algorithm>
#include <lookback/partition_if.hpp>
#include <lookback/reduce_by_key.hpp>
#include <lookback/run_length_encode.hpp>
#include <lookback/select_if.hpp>
#include <lookback/unique.hpp>
#include <span>

#include "array.hpp"
#include "compare.hpp"
#include "fixture.hpp"
#include "front.hpp"
#include "graph.hpp"
#include "hold.hpp"
#include "keyed.hpp"
#include "random.hpp"
#include "refused.hpp"
#include "types.hpp"

using namespace harness;
using lookback::index_t;
namespace gpu = lookback::gpu;

struct gpu_compaction : on_device {};

struct not_a_multiple_of_three {
  LOOKBACK_FN bool operator()(std::uint32_t x) const { return x % 3 != 0; }
};
struct at_least {
  std::uint32_t least;
  LOOKBACK_FN bool operator()(std::uint32_t x) const { return x >= least; }
};
struct low_bits {
  LOOKBACK_FN std::uint32_t operator()(std::uint32_t x) const { return x & 7; }
};
struct same_high_bits {
  LOOKBACK_FN bool operator()(std::uint32_t a, std::uint32_t b) const { return a >> 3 == b >> 3; }
};

/// Nobody waits: each call reads the number that the one before it left. The same graph a hundred times, always for other data,
/// between calls of other numbers and algorithms on its workspace; the last epoch of all falls among them.
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
  array<std::uint32_t> const aside(random_values<std::uint32_t>(n, 99));
  array<std::uint32_t> aside_out(n);
  array<std::int32_t> aside_lengths(n);
  array<std::uint16_t> narrow(std::vector<std::uint16_t>(n, 7));
  auto* const state = workspace.scratch_for(0, 0, 0, stream()).state;
  std::uint32_t const nearly = gpu::last_epoch - 100;
  check(cudaMemcpyAsync(&state->epoch_minus_one, &nearly, sizeof nearly, cudaMemcpyHostToDevice, stream()));
  std::uint64_t const replays = small() ? 5 : 100;
  for (std::uint64_t seed = 1; seed <= replays; ++seed) {
    std::size_t const some = n * (seed % 7) / 7;
    EXPECT_EQ(lookback::run_length_encode(on, lookback::first(aside, static_cast<index_t>(some)), aside_out, aside_lengths),
              static_cast<index_t>(some));
    if (seed % 3 == 0) EXPECT_EQ(lookback::unique(on, narrow), 1);
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
    if (::testing::Test::HasFailure()) return;
  }
  std::uint32_t now = 0;
  check(cudaMemcpy(&now, &state->epoch_minus_one, sizeof now, cudaMemcpyDeviceToHost));
  EXPECT_TRUE(small() || now < 100'000) << now;
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
  bool or_any = false;
  LOOKBACK_FN bool operator()(std::uint8_t x) const { return or_any || x % 3 == 0; }
};

struct one {
  LOOKBACK_FN index_t operator()(index_t) const { return 1; }
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
  ASSERT_EQ(lookback::select_if(on, lookback::generate(n, alternating{}), out, every_third{true}), n);
  index_t const runs = (n + (1 << 20) - 1) >> 20;
  {
    memory const firsts(static_cast<std::size_t>(n)), numbers(static_cast<std::size_t>(n) * sizeof(index_t));
    std::span<std::uint8_t> const values(reinterpret_cast<std::uint8_t*>(firsts.data()), out.size());
    std::span<index_t> const lengths(reinterpret_cast<index_t*>(numbers.data()), out.size());
    auto const expect_lengths = [&](index_t number, index_t length) {
      std::vector<index_t> got(static_cast<std::size_t>(number));
      numbers.read(0, got.data(), got.size() * sizeof(index_t));
      for (index_t r = 0; r < number; ++r)
        ASSERT_EQ(got[static_cast<std::size_t>(r)], std::min(length, n - r * length)) << "run " << r;
    };
    ASSERT_EQ(lookback::run_length_encode(on, out, values, lengths), runs);
    expect_lengths(runs, 1 << 20);
    ASSERT_EQ(lookback::reduce_by_key(on, out, lookback::generate(n, one{}), values, lengths), runs);
    expect_lengths(runs, 1 << 20);
    // One run of more items than 32 bits count.
    check(cudaMemsetAsync(room.data(), 7, static_cast<std::size_t>(n), stream()));
    ASSERT_EQ(lookback::run_length_encode(on, out, values, lengths), 1);
    expect_lengths(1, n);
    ASSERT_EQ(lookback::reduce_by_key(on, out, lookback::generate(n, one{}), values, lengths), 1);
    expect_lengths(1, n);
  }
  ASSERT_EQ(lookback::select_if(on, lookback::generate(n, alternating{}), out, every_third{true}), n);
  EXPECT_EQ(lookback::unique(on, out), runs);
}

/// Most blocks of one wave find that they have no tile: none may end the call before the others have begun it. Calls follow each
/// other on one workspace, and each reads what the one before it left.
TEST_F(gpu_compaction, numbers_from_device_memory_in_one_wave) {
  std::size_t const bound = small() ? 20'000 : 260'000, n = 5'000;
  auto const on = gpu::on(stream()).with(shared_workspace());
  std::vector<std::uint32_t> in(bound);
  for (std::size_t i = 0; i < bound; ++i) in[i] = static_cast<std::uint32_t>(i);
  array<std::uint32_t> data(in);
  array<index_t> numbers(std::vector<index_t>(2, static_cast<index_t>(n)));
  std::size_t const calls = small() ? 3 : 300;
  std::uint32_t least = 0;
  std::vector<std::uint32_t> want(in.begin(), in.begin() + static_cast<std::ptrdiff_t>(n));
  for (std::size_t call = 0; call < calls; ++call) {
    least += 10;
    auto const some = lookback::first(data, {static_cast<index_t>(bound), numbers.data() + call % 2});
    lookback::select_if_async(on, some, data, at_least{least}, numbers.data() + (call + 1) % 2);
  }
  want.erase(want.begin(), want.begin() + least);
  expect_front(data, numbers.host()[calls % 2], want);
}

/// Counts lie where the number of items does. All multiprocessors but one are held, so that most blocks of a call begin when others
/// have done its last tile: they must not take a count for the number.
TEST_F(gpu_compaction, late_blocks_find_the_number_of_items_that_counts_take_the_place_of) {
  cudaStream_t beside;
  check(cudaStreamCreateWithFlags(&beside, cudaStreamNonBlocking));
  int const others = small() ? 0 : lookback::gpu::detail::multiprocessors(lookback::gpu::detail::current_device()) - 1;
  auto const on = gpu::on(stream()).with(shared_workspace());
  for (std::size_t const bound : {up_to(3'000'003), up_to(260'000)}) {  // with tiles for all blocks, and in one wave
    std::size_t const n = bound / 50;
    auto const number = static_cast<index_t>(n);
    std::vector<std::uint32_t> in(bound), firsts;
    for (std::size_t i = 0; i < bound; ++i) in[i] = static_cast<std::uint32_t>(i / 3);
    std::vector<std::uint32_t> const want(in.begin(), in.begin() + static_cast<std::ptrdiff_t>(n));
    for (std::uint32_t r = 0; 3 * r < n; ++r) firsts.push_back(r);
    array<std::uint32_t> const data(in);
    array<float> const values(std::vector<float>(bound, 1.0f));
    array<std::uint32_t> out(bound), rest(bound);
    array<float> sums(bound);
    array<std::int32_t> lengths(bound);
    for (bool const late : {false, true})  // the first time kernels are loaded
      for (index_t const at : {0, 1}) {
        SCOPED_TRACE((late ? "late, number at counts[" : "number at counts[") + std::to_string(at) + "]");
        // Of the class where the number lies there is none.
        at_least const keeps{at == 0 ? ~std::uint32_t{0} : 0};
        std::vector<index_t> const want_counts{at == 0 ? 0 : number, at == 0 ? number : 0};
        auto const counts_of = [&](auto const& call) {
          std::vector<index_t> before{-7, -7};
          before[static_cast<std::size_t>(at)] = number;
          array<index_t> counts(before);
          auto const some = lookback::first(data, {static_cast<index_t>(bound), counts.data() + at});
          hold held;
          held.begin(beside, late ? others : 0, true);
          held.await(stream());
          call(some, counts.data());
          held.let_go(stream());
          check(cudaStreamSynchronize(stream()));
          check(cudaStreamSynchronize(beside));
          return counts.host();
        };
        auto const& in_order = at == 0 ? rest : out;
        EXPECT_EQ(counts_of([&](auto const& some, index_t* c) { lookback::partition_if_async(on, some, out, rest, keeps, c); }),
                  want_counts);
        expect_front(in_order, number, want);
        EXPECT_EQ(counts_of([&](auto const& some, index_t* c) { lookback::partition_if_async(on, some, out, keeps, c); }),
                  want_counts);
        EXPECT_EQ(counts_of([&](auto const& some, index_t* c) {
                    lookback::partition_if_async(on.with(lookback::stable), some, out, keeps, c);
                  }),
                  want_counts);
        expect_front(out, number, want);
        // One count: where the number lies.
        auto const count_of = [&](auto const& call) {
          return counts_of([&](auto const& some, index_t* c) { call(some, c + at); })[static_cast<std::size_t>(at)];
        };
        for (std::uint32_t const least : {~std::uint32_t{0}, std::uint32_t{0}})
          expect_front(
              out, count_of([&](auto const& some, index_t* c) { lookback::select_if_async(on, some, out, at_least{least}, c); }),
              least == 0 ? want : std::vector<std::uint32_t>{});
        expect_front(out, count_of([&](auto const& some, index_t* c) { lookback::unique_async(on, some, out, c); }), firsts);
        expect_front(out,
                     count_of([&](auto const& some, index_t* c) { lookback::run_length_encode_async(on, some, out, lengths, c); }),
                     firsts);
        expect_front(out,
                     count_of([&](auto const& some, index_t* c) { lookback::reduce_by_key_async(on, some, values, out, sums, c); }),
                     firsts);
      }
  }
  check(cudaStreamDestroy(beside));
}

/// What an algorithm left that refused: less than none. Nothing is read or written.
TEST_F(gpu_compaction, a_negative_number_of_items_is_none) {
  auto const on = gpu::on(stream()).with(shared_workspace());
  array<std::uint32_t> const in(random_values<std::uint32_t>(100, 1));
  std::vector<std::uint32_t> const before(100, 77);
  array<std::uint32_t> out(before);
  array<std::int32_t> lengths(100);
  array<index_t> refused(std::vector<index_t>{-1}), count(std::vector<index_t>{5});
  auto const none = lookback::first(in, {100, refused.data()});
  lookback::run_length_encode_async(on, none, out, lengths, count.data());
  EXPECT_EQ(count.host()[0], 0);
  lookback::unique_async(on, none, out, count.data());
  EXPECT_EQ(count.host()[0], 0);
  lookback::select_if_async(on, none, out, not_a_multiple_of_three{}, count.data());
  EXPECT_EQ(count.host()[0], 0);
  EXPECT_EQ(out.host(), before);
}
