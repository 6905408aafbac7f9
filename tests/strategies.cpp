// Every strategy is another way to run the same three parts: same results, and operators that see only what they may.
#include <lookback/strategy.hpp>

#include "check_scan.hpp"
#include "random.hpp"
#include "shapes.hpp"

using namespace harness;

struct strategies : on_device {};

/// The items [begin, end) that went into a value, and nothing else.
struct range {
  std::int32_t begin, end;
  friend LOOKBACK_FN bool operator==(range const& a, range const& b) { return a.begin == b.begin && a.end == b.end; }
  friend std::ostream& operator<<(std::ostream& to, range const& r) { return to << '[' << r.begin << ", " << r.end << ')'; }
};

/// Joins neighbouring ranges and counts every call on anything else: an engine may call an operator more often than needed, but
/// only on items and on results of adjacent ones. A range that begins at -1 is an initial value: it fits before any item.
struct join_adjacent {
  int* violations;
  LOOKBACK_FN range operator()(range const& a, range const& b) const {
    bool const real = (a.begin < a.end || a.begin == -1) && (b.begin < b.end || b.begin == -1);
    bool const adjacent = a.end == b.begin || a.begin == -1 || b.begin == -1;
    if (!real || !adjacent) count_atomically(violations);
    return {a.begin == -1 ? b.begin : a.begin, b.begin == -1 ? a.end : b.end};
  }
};

inline std::vector<range> single_items(std::size_t n) {
  std::vector<range> items(n);
  for (std::size_t i = 0; i < n; ++i) items[i] = {static_cast<std::int32_t>(i), static_cast<std::int32_t>(i) + 1};
  return items;
}

TEST_F(strategies, an_operator_sees_only_adjacent_ranges) {
  for (std::size_t const n : {std::size_t{2}, std::size_t{100}, std::size_t{5000}, up_to(150001)}) {
    auto const in = single_items(n);
    int ignored = 0;
    each_form(join_adjacent{&ignored}, range{-1, -1}, [&](oracle::form<range> const& how) {
      SCOPED_TRACE(describe(n, how.exclusive, how.initial.has_value(), how.from));
      auto const want = oracle::scan<range>(in, join_adjacent{&ignored}, how);
      each_strategy([&](auto const& policy) {
        array<int> violations(std::vector<int>{0});
        array<range> const source(in);
        array<range> out(n);
        scan_as(policy.with(how.from), source, out, join_adjacent{violations.data()}, how);
        EXPECT_TRUE(same(out.host(), want));
        EXPECT_EQ(violations.host()[0], 0);
      });
    });
  }
}

TEST_F(strategies, an_operator_sees_only_adjacent_ranges_of_segments) {
  std::size_t const n = up_to(100003);
  auto const in = single_items(n);
  int ignored = 0;
  for (auto const& s : shapes(n, tile_items<range>()))
    for (auto const from : {lookback::left_to_right, lookback::right_to_left}) {
      SCOPED_TRACE(s.name + describe(n, false, false, from));
      oracle::form<range> const how{{}, false, from, s.heads};
      auto const want = oracle::scan<range>(in, join_adjacent{&ignored}, how);
      each_strategy([&](auto const& policy) {
        array<int> violations(std::vector<int>{0});
        array<flag> const flags(flags_of<flag>(s.heads));
        array<range> const source(in);
        array<range> out(n);
        scan_as(policy.with(from), source, lookback::head_flags(flags), out, join_adjacent{violations.data()}, how);
        EXPECT_TRUE(same(out.host(), want));
        EXPECT_EQ(violations.host()[0], 0);
      });
    }
}

// One text, every strategy: `.with(...)` is all that changes, in whatever order the rest is said.
TEST_F(strategies, are_said_in_any_order) {
  auto const in = random_values<std::int32_t>(up_to(200003), 1);
  auto const want = oracle::scan<std::int32_t>(in, lookback::plus<std::int32_t>{}, {{}, false, lookback::right_to_left, {}});
  each_strategy([&](auto const& on) {
    array<std::int32_t> const source(in);
    auto const check = [&](auto const& policy) {
      array<std::int32_t> out(in.size());
      lookback::inclusive_scan(policy, source, out);
      EXPECT_TRUE(same(out.host(), want));
    };
    check(on.with(lookback::reduce_then_scan{}).with(lookback::right_to_left));
    check(on.with(lookback::right_to_left).with(lookback::reduce_then_scan{}));
    check(on.with(lookback::right_to_left).with(lookback::decoupled_look_back{}));
  });
}

// reproducible: the same bits whatever runs them. Between the back ends it is held by tests/program, which has both.
template <class T, class Op>
void check_same_bits(Op op) {
  for (std::size_t const n : {std::size_t{1}, std::size_t{1000}, up_to(300007)})
    for (auto const from : {lookback::left_to_right, lookback::right_to_left}) {
      SCOPED_TRACE(describe(n, false, false, from));
      auto const in = random_values<T>(n, n);
      expected<T, Op> const right(in, op, {{}, false, from, {}});
      std::vector<T> first;
      each_reproducible_policy([&](auto const& policy) {
        for (std::size_t const misaligned : {0, 1, 3}) {
          array<T> const source(in, misaligned);
          array<T> out(n, misaligned);
          lookback::inclusive_scan(policy.with(from), source, out, op);
          auto const got = out.host();
          EXPECT_TRUE(right(got));
          if (first.empty()) first = got;
          EXPECT_EQ(std::memcmp(first.data(), got.data(), n * sizeof(T)), 0);
        }
      });
    }
}

TEST_F(strategies, reproducible_sums_have_the_same_bits) {
  check_same_bits<float>(lookback::plus<float>{});
  check_same_bits<double>(lookback::plus<double>{});
}

TEST_F(strategies, reproducible_maxima_have_the_same_bits) { check_same_bits<float>(lookback::maximum<float>{}); }
