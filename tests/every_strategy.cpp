// Every verb under every strategy leaves what a plain loop does, with operands that may not be swapped and with sums of integers.
#include <lookback/partition_if.hpp>
#include <lookback/reduce_by_key.hpp>
#include <lookback/run_length_encode.hpp>
#include <lookback/segmented_scan.hpp>
#include <lookback/select_if.hpp>
#include <lookback/spmv.hpp>
#include <lookback/strategy.hpp>
#include <lookback/unique.hpp>
#include <span>

#include "check_scan.hpp"
#include "described_heads.hpp"
#include "edge_sizes.hpp"
#include "random.hpp"
#include "types.hpp"

using namespace harness;
using lookback::index_t;

struct every_strategy : on_device {};

namespace {

template <class T, class Op>
void check_scans(Op op) {
  for (std::size_t const n : sizes<T>()) {
    SCOPED_TRACE("n = " + std::to_string(n));
    auto const in = random_values<T>(n, n);
    T const initial = random_values<T>(1, n + 1)[0];
    array<T> const source(in, 1);
    for (auto const side : {lookback::left_to_right, lookback::right_to_left}) {
      auto const inclusive = oracle::scan<T>(in, op, {{}, false, side, {}}),
                 exclusive = oracle::scan<T>(in, op, {initial, true, side, {}});
      each_strategy_of_scans([&](auto const& any) {
        auto const on = any.with(side);
        array<T> out(n, 2), in_place(in);
        lookback::inclusive_scan(on, source, out, op);
        EXPECT_TRUE(same(out.host(), inclusive));
        lookback::exclusive_scan(on, in_place, in_place, op, initial);
        EXPECT_TRUE(same(in_place.host(), exclusive));
        EXPECT_TRUE(out.intact() && in_place.intact());
      });
    }
  }
}

/// body(n, heads) for segments of every shape, and for many items two; a tool sees fewer.
template <class T, class Body>
void each_segmentation(Body body) {
  using means = std::vector<std::size_t>;
  for (std::size_t const n : small() ? std::vector<std::size_t>{65, 1000, up_to(30'011)} : sizes<T>())
    for (std::size_t const mean : small() ? means{7, 5000} : n > 50'000 ? means{0, 300} : means{0, 1, 7, 300, 5000}) {
      SCOPED_TRACE("n = " + std::to_string(n) + ", segments of " + std::to_string(mean));
      body(n, heads_of(n, mean));
    }
}

template <class T, class Op>
void check_segmented_scans(Op op) {
  each_segmentation<T>([&](std::size_t n, std::vector<flag> const& heads) {
    auto const in = random_values<T>(n, n);
    T const initial = random_values<T>(1, n + 1)[0];
    array<T> const source(in, 1);
    array<flag> const flags(heads);
    array<std::int64_t> const begins(offsets_of(heads));
    array<std::int32_t> const keys(keys_of(heads));
    for (auto const side : {lookback::left_to_right, lookback::right_to_left}) {
      auto const inclusive = oracle::scan<T>(in, op, {{}, false, side, heads}),
                 exclusive = oracle::scan<T>(in, op, {initial, true, side, heads});
      each_strategy_of_scans([&](auto const& any) {
        auto const on = any.with(side);
        array<T> by_flags(n), by_offsets(n, 3), by_keys(in), after_initial(in, 2);
        lookback::inclusive_segmented_scan(on, source, lookback::head_flags(flags), by_flags, op);
        EXPECT_TRUE(same(by_flags.host(), inclusive));
        lookback::exclusive_segmented_scan(on, source, lookback::offsets(begins), by_offsets, op, initial);
        EXPECT_TRUE(same(by_offsets.host(), exclusive));
        lookback::inclusive_segmented_scan(on, by_keys, lookback::keys(keys), by_keys, op);
        EXPECT_TRUE(same(by_keys.host(), inclusive));
        lookback::exclusive_segmented_scan(on, after_initial, lookback::head_flags(flags), after_initial, op, initial);
        EXPECT_TRUE(same(after_initial.host(), exclusive));
        EXPECT_TRUE(by_flags.intact() && by_offsets.intact() && by_keys.intact() && after_initial.intact());
      });
    }
  });
}

template <class T, class Op>
void check_results_of_segments(Op op) {
  each_segmentation<T>([&](std::size_t n, std::vector<flag> const& heads) {
    auto const in = random_values<T>(n, n);
    auto const offsets = offsets_of(heads);
    auto const scanned = oracle::scan<T>(in, op, {{}, false, lookback::left_to_right, heads});
    std::vector<T> reduced;
    for (std::size_t s = 0; s + 1 < offsets.size(); ++s) reduced.push_back(scanned[static_cast<std::size_t>(offsets[s + 1] - 1)]);
    array<T> const source(in);
    array<std::int64_t> const begins(offsets);
    array<std::int32_t> const keys(keys_of(heads));
    each_strategy([&](auto const& on) {
      array<T> totals(reduced.size()), sums(n);
      array<std::int32_t> firsts(n);
      lookback::segmented_reduce(on, source, lookback::offsets(begins), totals, op);
      EXPECT_TRUE(same(totals.host(), reduced));
      ASSERT_EQ(lookback::reduce_by_key(on, keys, source, firsts, sums, op), std::ssize(reduced));
      auto found = sums.host();
      found.resize(reduced.size());
      EXPECT_TRUE(same(found, reduced));
    });
  });
}

struct is_third {
  LOOKBACK_FN bool operator()(std::uint32_t x) const { return x % 3 == 0; }
};

template <class T>
std::vector<T> first_of(array<T> const& all, std::size_t n) {
  auto items = all.host();
  items.resize(n);
  return items;
}

}  // namespace

TEST_F(every_strategy, scan) {
  check_scans<std::int32_t>(lookback::plus<std::int32_t>{});
  check_scans<matrix>(times_matrix{});
}

TEST_F(every_strategy, scan_odd_and_wide_items) {
  check_scans<triple>(add_triples{});
  check_scans<wide>(times_wide{});
}

TEST_F(every_strategy, carry) {
  auto const in = random_values<std::int64_t>(up_to(30'011), 5);
  auto const want = oracle::scan<std::int64_t>(in, lookback::plus<std::int64_t>{}, {{}, false, lookback::left_to_right, {}});
  array<std::int64_t> const source(in);
  std::size_t const half = in.size() / 2;
  each_strategy([&](auto const& on) {
    array<std::int64_t> out(in.size());
    using state = lookback::carried<std::int64_t>;
    array<state> between(1);
    auto const from = std::span(source.data(), in.size());
    auto const to = std::span(out.data(), in.size());
    lookback::inclusive_scan(on.with(lookback::carry<std::int64_t>{nullptr, between.data()}), from.first(half), to.first(half));
    lookback::inclusive_scan(on.with(lookback::carry<std::int64_t>{between.data(), nullptr}), from.subspan(half), to.subspan(half));
    EXPECT_TRUE(same(out.host(), want));
  });
}

TEST_F(every_strategy, scan_segments) {
  check_segmented_scans<std::int64_t>(lookback::plus<std::int64_t>{});
  check_segmented_scans<matrix>(times_matrix{});
}

TEST_F(every_strategy, reduce_segments) {
  check_results_of_segments<std::int64_t>(lookback::plus<std::int64_t>{});
  check_results_of_segments<matrix>(times_matrix{});
}

TEST_F(every_strategy, propagates_what_came_before_it) {
  auto const in = random_values<std::int32_t>(up_to(30'011), 3);
  auto const want = oracle::scan<std::int32_t>(in, lookback::plus<std::int32_t>{}, {7, false, lookback::left_to_right, {}});
  array<std::int32_t> const source(in);
  each_strategy_of_scans([&](auto const& on) {
    array<std::int32_t> out(in.size());
    lookback::inclusive_scan(on, source, out, lookback::plus<std::int32_t>{}, 7);
    EXPECT_TRUE(same(out.host(), want));
  });
}

TEST_F(every_strategy, select_and_partition) {
  for (std::size_t const n : sizes<std::uint32_t>()) {
    SCOPED_TRACE("n = " + std::to_string(n));
    auto const in = random_values<std::uint32_t>(n, n);
    std::vector<std::uint32_t> kept, others;
    for (auto const x : in) (is_third{}(x) ? kept : others).push_back(x);
    array<std::uint32_t> const source(in, 3);
    each_strategy([&](auto const& on) {
      array<std::uint32_t> out(n), in_place(in), a(n), b(n);
      ASSERT_EQ(lookback::select_if(on, source, out, is_third{}), std::ssize(kept));
      EXPECT_TRUE(same(first_of(out, kept.size()), kept));
      ASSERT_EQ(lookback::select_if(on, in_place, is_third{}), std::ssize(kept));
      EXPECT_TRUE(same(first_of(in_place, kept.size()), kept));
      ASSERT_EQ(lookback::partition_if(on, source, a, b, is_third{}), std::ssize(kept));
      EXPECT_TRUE(same(first_of(a, kept.size()), kept));
      EXPECT_TRUE(same(first_of(b, others.size()), others));
      EXPECT_TRUE(out.intact() && in_place.intact() && a.intact() && b.intact());
    });
  }
}

TEST_F(every_strategy, runs) {
  for (std::size_t const n : sizes<std::uint32_t>())
    for (std::size_t const mean : {1, 4, 2000}) {
      SCOPED_TRACE("n = " + std::to_string(n) + ", runs of " + std::to_string(mean));
      auto const heads = heads_of(n, mean);
      auto const in = keys_of(heads);
      auto const offsets = offsets_of(heads);
      std::vector<std::int32_t> values, lengths;
      for (std::size_t s = 0; s + 1 < offsets.size(); ++s)
        values.push_back(in[static_cast<std::size_t>(offsets[s])]),
            lengths.push_back(static_cast<std::int32_t>(offsets[s + 1] - offsets[s]));
      array<std::int32_t> const source(in);
      each_strategy([&](auto const& on) {
        array<std::int32_t> out(n), in_place(in), firsts(n), times(n);
        ASSERT_EQ(lookback::unique(on, source, out), std::ssize(values));
        EXPECT_TRUE(same(first_of(out, values.size()), values));
        ASSERT_EQ(lookback::unique(on, in_place), std::ssize(values));
        EXPECT_TRUE(same(first_of(in_place, values.size()), values));
        ASSERT_EQ(lookback::run_length_encode(on, source, firsts, times), std::ssize(values));
        EXPECT_TRUE(same(first_of(firsts, values.size()), values));
        EXPECT_TRUE(same(first_of(times, values.size()), lengths));
        array<std::int32_t> over(in), again(n);
        if constexpr (std::is_same_v<typename std::remove_cvref_t<decltype(on)>::strategy_type, lookback::reduce_then_scan>)
          EXPECT_THROW(lookback::run_length_encode(on, over, over, again), lookback::invalid_argument) << "keys are read again";
        else {
          ASSERT_EQ(lookback::run_length_encode(on, over, over, again), std::ssize(values));
          EXPECT_TRUE(same(first_of(over, values.size()), values));
        }
      });
    }
}

TEST_F(every_strategy, products) {
  for (std::size_t const n : sizes<std::uint32_t>()) {
    auto const heads = heads_of(n, 9);
    auto const offsets = offsets_of(heads);
    std::vector<std::int32_t> columns(n), in(17);
    auto const values = random_values<std::int32_t>(n, n);
    for (std::size_t i = 0; i < n; ++i) columns[i] = static_cast<std::int32_t>(i * 7 % 17);
    for (std::size_t i = 0; i < in.size(); ++i) in[i] = static_cast<std::int32_t>(i * i) - 50;
    std::vector<std::int32_t> want;
    for (std::size_t r = 0; r + 1 < offsets.size(); ++r) {
      std::uint32_t sum = 0;
      for (auto i = static_cast<std::size_t>(offsets[r]); i < static_cast<std::size_t>(offsets[r + 1]); ++i)
        sum += static_cast<std::uint32_t>(values[i]) * static_cast<std::uint32_t>(in[static_cast<std::size_t>(columns[i])]);
      want.push_back(static_cast<std::int32_t>(sum));
    }
    array<std::int64_t> const begins(offsets);
    array<std::int32_t> const at(columns), of(values), x(in);
    each_strategy([&](auto const& on) {
      array<std::int32_t> y(want.size());
      lookback::csr_view const matrix{std::ssize(want), index_t{17}, begins, at, of};
      lookback::spmv(on, matrix, x, y);
      EXPECT_TRUE(same(y.host(), want));
      EXPECT_TRUE(y.intact());
    });
  }
}
