// Nobody waits for a worker that has lost its core, proven without a clock: the first worker that reaches a certain item stays
// there until all others have left the call, which they do when every tile that it does not hold has been stored. So the call ends
// only if nobody needs what that worker holds. A watchdog ends a run that hangs.
#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <lookback/cpu.hpp>
#include <lookback/partition_if.hpp>
#include <lookback/reduce_by_key.hpp>
#include <lookback/run_length_encode.hpp>
#include <lookback/scan.hpp>
#include <lookback/segmented_scan.hpp>
#include <lookback/select_if.hpp>
#include <lookback/spmv.hpp>
#include <lookback/unique.hpp>
#include <numeric>
#include <string>
#include <thread>
#include <vector>

#include "cpu_stress.hpp"
#include "cpu_watchdog.hpp"

namespace {

namespace cpu = lookback::cpu;
using lookback::index_t;

constexpr int workers = 3;

// What the workers of a call have done: an executor is two functions, so this is one for all.
std::atomic<int> started, left;
std::atomic<bool> is_held;  // has a worker reached the item

/// Threads of which every worker's end is counted. All begin before any of them works, so that tiles are in several hands.
constexpr cpu::executor counting{[](int) { return workers; },
                                 [](int number, void (*body)(void*), void* context) {
                                   started = 0, left = 0, is_held = false;
                                   auto const work = [=] {
                                     started.fetch_add(1);
                                     while (started.load() < number) std::this_thread::yield();
                                     body(context);
                                     left.fetch_add(1);
                                     left.notify_all();
                                   };
                                   std::vector<std::thread> threads;
                                   for (int i = 1; i < number; ++i) threads.emplace_back(work);
                                   work();
                                   for (auto& t : threads) t.join();
                                 }};

void wait_until_others_have_left() {
  for (int now; (now = left.load()) < workers - 1;) left.wait(now);
}

/// To be called with what identifies an item: the first worker that comes with `held` stays.
struct gate {
  std::int64_t held;
  void operator()(std::int64_t x) const {
    if (x == held && !is_held.exchange(true)) wait_until_others_have_left();
  }
  /// A function of items that passes the gate.
  std::int64_t through(std::int64_t x) const {
    (*this)(x);
    return x;
  }
};

constexpr std::int64_t n = 400;

std::vector<std::int64_t> numbers() {
  std::vector<std::int64_t> in(n);
  std::iota(in.begin(), in.end(), std::int64_t{0});
  return in;
}
std::vector<std::uint8_t> flags() {
  std::vector<std::uint8_t> f(n);
  for (std::size_t i = 0; i < f.size(); i += 77) f[i] = 1;
  return f;
}
std::vector<std::int32_t> offsets() { return {0, 0, 3, 3, 90, 91, 250, 250, 399, 400, 400}; }

class cpu_progress : public watched {
 protected:
  /// body(policy, gate) for gates at the begin, in the middle and at the end of tiles and of the call. Whoever stood at the gate
  /// was there.
  template <class Body>
  void each_gate(Body body) {
    for (index_t const items : {16, 5})
      for (std::int64_t const held : {0, 7, 15, 16, 160, 201, 398, 399}) {
        SCOPED_TRACE("tiles of " + std::to_string(items) + ", a worker stays at item " + std::to_string(held));
        auto tuning = stress::tiles_of(items);
        body(cpu::on(workers).with(counting).with(tuning), gate{held});
        EXPECT_TRUE(is_held.load()) << "nobody came to the item";
      }
  }
};

TEST_F(cpu_progress, scan) {
  auto const in = numbers();
  each_gate([&](auto const& on, gate const& g) {
    for (auto const from : {lookback::left_to_right, lookback::right_to_left})
      for (bool const in_place : {false, true}) {
        auto data = in;
        std::vector<std::int64_t> apart(n), want(n);
        auto& out = in_place ? data : apart;
        lookback::inclusive_scan(on.with(from), lookback::mapped(data, [g](std::int64_t x) { return g.through(x); }), out,
                                 [](std::int64_t a, std::int64_t b) { return a + b; });
        if (from == lookback::left_to_right) std::partial_sum(in.begin(), in.end(), want.begin());
        else std::partial_sum(in.rbegin(), in.rend(), want.rbegin());
        EXPECT_EQ(out, want) << (in_place ? "in place" : "apart");
      }
  });
}

TEST_F(cpu_progress, a_guest_of_a_tile_does_not_keep_its_owner) {
  auto const in = numbers();
  std::vector<std::int64_t> want(n);
  std::partial_sum(in.begin(), in.end(), want.begin());
  // The owner of the item waits for a guest, and the guest for all others: they end without it, and it stores the tile.
  static std::atomic<int> came;
  for (std::int64_t const held : {0, 7, 160, 201}) {
    came = 0;
    auto data = in;
    auto const pass = [held](std::int64_t x) {
      if (x != held) return x;
      switch (came.fetch_add(1)) {
        case 0:
          while (came.load() < 2) std::this_thread::yield();
          break;
        case 1:
          wait_until_others_have_left();
          break;
        default:
          break;
      }
      return x;
    };
    auto const on = cpu::on(workers).with(counting).with(stress::tiles_of(16));
    auto const add = [](std::int64_t a, std::int64_t b) { return a + b; };
    lookback::inclusive_scan(on, lookback::mapped(data, pass), data, add);
    EXPECT_EQ(data, want) << "item " << held;
    // What a function reads is not seen, and may lie there too.
    came = 0, data = in;
    lookback::inclusive_scan(on, lookback::generate(n, [&, from = data.data()](index_t i) { return pass(from[i]); }), data, add);
    EXPECT_EQ(data, want) << "item " << held;
  }
}

TEST_F(cpu_progress, segmented_scan) {
  auto const in = numbers();
  auto const f = flags();
  each_gate([&](auto const& on, gate const& g) {
    for (bool const in_place : {false, true}) {
      auto data = in;
      std::vector<std::int64_t> apart(n), want(n);
      auto& out = in_place ? data : apart;
      lookback::inclusive_segmented_scan(on, lookback::mapped(data, [g](std::int64_t x) { return g.through(x); }),
                                         lookback::head_flags(f), out);
      for (std::size_t i = 0; i < want.size(); ++i) want[i] = f[i] || i == 0 ? in[i] : want[i - 1] + in[i];
      EXPECT_EQ(out, want) << (in_place ? "in place" : "apart");
    }
  });
}

TEST_F(cpu_progress, reproducible_scan) {
  index_t const items = 3840;  // of a tile of the tree
  std::vector<std::int64_t> long_in(3 * static_cast<std::size_t>(items));
  std::iota(long_in.begin(), long_in.end(), std::int64_t{0});
  std::vector<double> out(long_in.size()), want(long_in.size());
  auto tuning = stress::tiles_of(items);
  for (std::int64_t const held : {std::int64_t{5}, items + 5, 2 * items + 5}) {
    gate const g{held};
    auto const values = lookback::mapped(long_in, [g](std::int64_t x) { return static_cast<double>(g.through(x)); });
    lookback::inclusive_scan(cpu::on(workers).with(counting).with(tuning).with(lookback::reproducible), values, out);
    std::partial_sum(long_in.begin(), long_in.end(), want.begin());
    EXPECT_EQ(out, want);
    EXPECT_TRUE(is_held.load());
  }
}

TEST_F(cpu_progress, select_if) {
  auto const in = numbers();
  each_gate([&](auto const& on, gate const& g) {
    std::vector<std::int64_t> out(n), want;
    auto const keep = [g](std::int64_t x) { return g.through(x) % 3 != 0; };
    auto const kept = lookback::select_if(on, in, out, keep);
    std::copy_if(in.begin(), in.end(), std::back_inserter(want), [](std::int64_t x) { return x % 3 != 0; });
    out.resize(static_cast<std::size_t>(kept));
    EXPECT_EQ(out, want);
  });
}

TEST_F(cpu_progress, partition_if) {
  auto const in = numbers();
  each_gate([&](auto const& on, gate const& g) {
    std::vector<std::int64_t> kept(n), rejected(n), want, others;
    auto const number = lookback::partition_if(on, in, kept, rejected, [g](std::int64_t x) { return g.through(x) % 3 != 0; });
    for (auto const x : in) (x % 3 != 0 ? want : others).push_back(x);
    kept.resize(static_cast<std::size_t>(number)), rejected.resize(in.size() - kept.size());
    EXPECT_EQ(kept, want);
    EXPECT_EQ(rejected, others);
  });
}

TEST_F(cpu_progress, unique_and_runs) {
  auto const in = numbers();
  std::vector<std::int64_t> want, want_lengths;
  for (auto const x : in) {
    if (x % 5 == 0) want.push_back(x), want_lengths.push_back(0);
    ++want_lengths.back();
  }
  each_gate([&](auto const& on, gate const& g) {
    auto const equal = [g](std::int64_t a, std::int64_t b) { return g.through(a) / 5 == g.through(b) / 5; };
    std::vector<std::int64_t> out(n), lengths(n);
    auto number = static_cast<std::size_t>(lookback::unique(on, in, out, equal));
    EXPECT_EQ(std::vector(out.begin(), out.begin() + static_cast<std::ptrdiff_t>(number)), want);
    EXPECT_TRUE(is_held.load()) << "unique";
    number = static_cast<std::size_t>(lookback::run_length_encode(on, in, out, lengths, equal));
    out.resize(number), lengths.resize(number);
    EXPECT_EQ(out, want);
    EXPECT_EQ(lengths, want_lengths);
  });
}

TEST_F(cpu_progress, reduce_by_key) {
  auto const in = numbers();
  each_gate([&](auto const& on, gate const& g) {
    std::vector<std::int64_t> keys(n), keys_out(n), sums(n), want_keys, want;
    for (std::size_t i = 0; i < keys.size(); ++i) {
      keys[i] = static_cast<std::int64_t>(i / 7);
      if (i % 7 == 0) want_keys.push_back(keys[i]), want.push_back(0);
      want.back() += in[i];
    }
    auto const number = static_cast<std::size_t>(
        lookback::reduce_by_key(on, keys, lookback::mapped(in, [g](std::int64_t x) { return g.through(x); }), keys_out, sums));
    keys_out.resize(number), sums.resize(number);
    EXPECT_EQ(keys_out, want_keys);
    EXPECT_EQ(sums, want);
  });
}

TEST_F(cpu_progress, segmented_reduce_by_offsets) {
  auto const in = numbers();
  auto const at = offsets();
  each_gate([&](auto const& on, gate const& g) {
    std::vector<std::int64_t> out(at.size() - 1), want(at.size() - 1);
    lookback::segmented_reduce(on, lookback::mapped(in, [g](std::int64_t x) { return g.through(x); }), lookback::offsets(at), out);
    for (std::size_t s = 0; s < want.size(); ++s)
      want[s] = std::accumulate(in.begin() + at[s], in.begin() + at[s + 1], std::int64_t{0});
    EXPECT_EQ(out, want);
  });
}

TEST_F(cpu_progress, reproducible_results_by_offsets) {
  auto const in = numbers();
  gate const g{201};
  // A tile of the tree is longer than these items: many rows of them.
  std::vector<std::int64_t> many;
  std::vector<std::int32_t> ends{0};
  for (int k = 0; k < 60; ++k) {
    many.insert(many.end(), in.begin(), in.end());
    ends.push_back(static_cast<std::int32_t>(many.size()));
  }
  std::vector<double> out(ends.size() - 1), want(ends.size() - 1, static_cast<double>(n * (n - 1) / 2));
  auto tuning = stress::tiles_of(1);
  lookback::segmented_reduce(cpu::on(workers).with(counting).with(tuning).with(lookback::reproducible),
                             lookback::mapped(many, [g](std::int64_t x) { return static_cast<double>(g.through(x)); }),
                             lookback::offsets(ends), out);
  EXPECT_EQ(out, want);
  EXPECT_TRUE(is_held.load());
}

TEST_F(cpu_progress, spmv) {
  auto const at = offsets();
  auto const values = numbers();
  std::vector<std::int32_t> columns(n);
  for (std::size_t k = 0; k < columns.size(); ++k) columns[k] = static_cast<std::int32_t>(k % 10);
  std::vector<std::int64_t> const x(10, 2);
  auto const rows = static_cast<index_t>(at.size() - 1);
  lookback::csr_view const a{rows, index_t{10}, at, columns, values};
  each_gate([&](auto const& on, gate const& g) {
    std::vector<std::int64_t> y(at.size() - 1), want(at.size() - 1);
    auto const times = [g](std::int64_t p, std::int64_t q) { return g.through(p) * q; };
    lookback::spmv(on, a, x, y, lookback::semiring<lookback::plus<std::int64_t>, decltype(times)>{{}, times});
    for (std::size_t s = 0; s < want.size(); ++s)
      want[s] = 2 * std::accumulate(values.begin() + at[s], values.begin() + at[s + 1], std::int64_t{0});
    EXPECT_EQ(y, want);
  });
}

}  // namespace
