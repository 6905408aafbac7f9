// Compaction and runs on the CPU under stress: functions of the user that throw at any item, memory that is refused at any call,
// runs that span millions of tiles. A watchdog ends a run that hangs.
#include <gtest/gtest.h>

#include <lookback/partition_if.hpp>
#include <lookback/reduce_by_key.hpp>
#include <lookback/run_length_decode.hpp>
#include <lookback/run_length_encode.hpp>
#include <lookback/select_if.hpp>
#include <lookback/unique.hpp>
#include <numeric>
#include <string>
#include <vector>

#include "cpu_stress.hpp"
#include "cpu_watchdog.hpp"
#include "harness.hpp"

namespace {

using namespace stress;

class cpu_compaction : public watched {};

/// Throws when it meets an item.
struct throwing {
  std::int64_t bad;
  bool operator()(std::int64_t x) const {
    if (x == bad) throw thrown{x};
    return x % 3 != 0;
  }
  bool operator()(std::int64_t a, std::int64_t b) const {
    if (b == bad) throw thrown{b};
    return a / 5 == b / 5;
  }
};
struct throwing_sum {
  std::int64_t bad;
  std::int64_t operator()(std::int64_t a, std::int64_t b) const {
    if (a == bad || b == bad) throw thrown{bad};
    return a + b;
  }
};

TEST_F(cpu_compaction, what_a_function_throws_comes_through_and_nobody_waits) {
  std::vector<std::int64_t> in(400), a(in.size()), b(in.size()), c(in.size()), lengths(in.size(), 2), twice(2 * in.size());
  std::iota(in.begin(), in.end(), std::int64_t{0});
  std::vector<std::int64_t> const keys(in.size(), 1);
  for (index_t const items : {1, 4, 64})
    for (std::int64_t bad = 1; bad < 400; bad += 1 + bad / 4) {
      SCOPED_TRACE("tiles of " + std::to_string(items) + ", item " + std::to_string(bad));
      throwing const function{bad};
      each_engine(tiles_of(items), [&](auto const& on) {
        EXPECT_THROW(lookback::select_if(on, in, a, function), thrown);
        EXPECT_THROW(lookback::partition_if(on, in, a, b, function), thrown);
        EXPECT_THROW(lookback::partition_if(
                         on, in, a, b, c, [](std::int64_t) { return false; }, function),
                     thrown);
        EXPECT_THROW(lookback::unique(on, in, a, function), thrown);
        EXPECT_THROW(lookback::run_length_encode(on, in, a, b, function), thrown);
        EXPECT_THROW(lookback::reduce_by_key(on, in, keys, a, b, lookback::plus<std::int64_t>{}, function), thrown);
        EXPECT_THROW(lookback::reduce_by_key(on, keys, in, a, b, throwing_sum{bad}), thrown);
        auto const value = lookback::mapped(in, [&](std::int64_t x) { return function(x) ? x : -x; });
        EXPECT_THROW(lookback::run_length_decode(on, value, lengths, twice), thrown);
      });
    }
  EXPECT_EQ(lookback::select_if(cpu::on().with(tiles_of(4)), in, a, throwing{-1}), 266);  // and the engine is as good as new
}

/// Operators, maps and equalities that know something: none can be made from nothing.
TEST_F(cpu_compaction, functions_that_capture) {
  std::int64_t const modulus = 7, half = 2;
  std::vector<std::int64_t> in(5000), keys(in.size()), firsts(in.size()), results(in.size());
  std::iota(in.begin(), in.end(), std::int64_t{0});
  for (std::size_t i = 0; i < in.size(); ++i) keys[i] = static_cast<std::int64_t>(i / 37 * 2 + i % 2);
  auto const add = [modulus](std::int64_t a, std::int64_t b) { return (a + b) % modulus; };
  auto const same = [half](std::int64_t a, std::int64_t b) { return a / half == b / half; };
  std::vector<std::int64_t> want;
  for (std::size_t i = 0; i < in.size(); ++i) {
    if (i % 37 == 0) want.push_back(0);
    want.back() += 3 * in[i];
  }
  for (auto& x : want) x = x % modulus + 100;
  each_engine(tiles_of(64), [&](auto const& on) {
    auto const values = lookback::mapped(in, [&](std::int64_t x) { return 3 * x; });
    auto const out = lookback::into(results, [&](std::int64_t x) { return x + 100 * (modulus / modulus); });
    ASSERT_EQ(lookback::reduce_by_key(on, keys, values, firsts, out, add, same), std::ssize(want));
    EXPECT_TRUE(std::equal(want.begin(), want.end(), results.begin()));
    EXPECT_EQ(firsts[1], keys[37]);
  });
}

/// A function at the output is called with results, never with what a tile alone knows of one.
TEST_F(cpu_compaction, an_output_function_sees_results_alone) {
  for (std::size_t const length : {2, 5, 100}) {
    SCOPED_TRACE("segments of " + std::to_string(length));
    std::vector<int> in(6000, 0), keys(in.size()), firsts(in.size()), results(in.size());
    for (std::size_t i = 0; i < in.size(); ++i) {
      keys[i] = static_cast<int>(i / length);
      in[i] = i % length == 0 ? -41 : i % length + 1 == length ? 48 : 0;
    }
    auto const strict = lookback::into(results, [](int x) { return x == 7 ? 1 : throw thrown{x}; });
    auto const add = [](int a, int b) { return a + b; };
    for (index_t const items : {1, 7, 64, 1000})
      each_engine(tiles_of(items), [&](auto const& on) {
        auto const check = [&](index_t count) {
          EXPECT_EQ(count, std::ssize(in) / static_cast<index_t>(length));
          EXPECT_EQ(std::count(results.begin(), results.begin() + count, 1), count);
          std::fill(results.begin(), results.end(), 0);
        };
        check(lookback::reduce_by_key(on, keys, in, firsts, strict));
        check(lookback::reduce_by_key(on, keys, in, firsts, strict, add));
        check(lookback::segmented_reduce(on, in, lookback::keys(keys), strict));
      });
  }
}

/// body(on) writes to `out` alone, under memory that refuses its first, second, ... allocation, until none is refused.
template <class On, class T, class Body>
void check_refusals(On const& plain, std::vector<T>& out, Body body) {
  std::vector<T> const before(out.size(), T{77});
  for (int refuse = 0;; ++refuse) {
    ASSERT_LT(refuse, 100);
    refusing source;
    source.refuse = refuse;
    out = before;
    try {
      body(plain.with(source.memory()));
      EXPECT_EQ(source.held, 0);
      return;
    } catch (lookback::out_of_memory const&) {
      EXPECT_EQ(source.held, 0);
      EXPECT_EQ(out, before) << "touched, allocation " << refuse;
    }
  }
}

TEST_F(cpu_compaction, when_memory_is_refused_nothing_has_been_touched) {
  std::vector<std::int64_t> in(3000), out(in.size()), other(in.size()), twice(2 * in.size());
  std::iota(in.begin(), in.end(), std::int64_t{0});
  std::vector<std::int64_t> const lengths(in.size(), 2);
  throwing const never{-1};
  auto const check = [&](auto const& plain) {
    check_refusals(plain, out, [&](auto const& on) { EXPECT_EQ(lookback::select_if(on, in, out, never), 2000); });
    check_refusals(plain, out, [&](auto const& on) { EXPECT_EQ(lookback::partition_if(on, in, out, other, never), 2000); });
    check_refusals(plain, out,
                   [&](auto const& on) { EXPECT_EQ(lookback::partition_if(on.with(lookback::stable), in, out, never), 2000); });
    check_refusals(plain, out, [&](auto const& on) { EXPECT_EQ(lookback::unique(on, in, out, never), 600); });
    check_refusals(plain, out, [&](auto const& on) { EXPECT_EQ(lookback::run_length_encode(on, in, out, other, never), 600); });
    check_refusals(plain, out, [&](auto const& on) {
      EXPECT_EQ(lookback::reduce_by_key(on, in, in, out, other, lookback::plus<std::int64_t>{}, never), 600);
    });
    check_refusals(plain, twice, [&](auto const& on) { EXPECT_EQ(lookback::run_length_decode(on, in, lengths, twice), 6000); });
  };
  each_engine(tiles_of(64), check);
  check(cpu::seq);
}

/// The runs of a chunk are found before anything is stored, and by neighbours alone: in place, too.
TEST_F(cpu_compaction, chunks_ask_neighbours_only) {
  std::vector<std::uint32_t> data{5, 6, 6, 7};
  std::vector<std::pair<std::uint32_t, std::uint32_t>> asked;
  lookback::carried<index_t, std::uint32_t> state{1, 5, true, 1};
  lookback::carry<index_t, std::uint32_t> const both{&state, &state};
  auto const equal = [&](std::uint32_t a, std::uint32_t b) { return asked.emplace_back(a, b), a == b; };
  EXPECT_EQ(lookback::unique(cpu::seq.with(both), data, equal), 2);
  EXPECT_EQ(data, (std::vector<std::uint32_t>{6, 7, 6, 7}));
  EXPECT_EQ(state.last_key, 7u);
  EXPECT_EQ(state.value, 3);
  auto const is_pair_of_neighbours = [](auto const& p) {
    return p == std::pair{5u, 5u} || p == std::pair{5u, 6u} || p == std::pair{6u, 6u} || p == std::pair{6u, 7u};
  };
  EXPECT_FALSE(asked.empty());
  EXPECT_TRUE(std::all_of(asked.begin(), asked.end(), is_pair_of_neighbours));
  EXPECT_LE(std::count(asked.begin(), asked.end(), std::pair{5u, 6u}), 1);
}

/// Every item is a tile: a run goes on through a million of them, and so do a million runs.
TEST_F(cpu_compaction, runs_of_millions_of_tiles) {
  std::size_t const n = harness::small() ? 20'000 : 2'000'003;
  auto const items = static_cast<index_t>(n);
  auto const on = cpu::on(4).with(cpu::std_threads).with(tiles_of(1));
  std::vector<std::uint32_t> keys(n, 7), firsts(n);
  std::vector<std::int64_t> ones(n, 1), sums(n);
  EXPECT_EQ(lookback::run_length_encode(on, keys, firsts, sums), 1);
  EXPECT_EQ(sums[0], items);
  EXPECT_EQ(lookback::reduce_by_key(on, keys, ones, firsts, sums), 1);
  EXPECT_EQ(sums[0], items);
  EXPECT_EQ(lookback::unique(on, keys, firsts), 1);
  std::iota(keys.begin(), keys.end(), 0u);
  EXPECT_EQ(lookback::run_length_encode(on, keys, firsts, sums), items);
  EXPECT_EQ(sums, ones);
  EXPECT_EQ(lookback::reduce_by_key(on, keys, ones, firsts, sums), items);
  EXPECT_EQ(sums, ones);
  EXPECT_EQ(firsts, keys);
}

}  // namespace
