// An engine may call an operator more often than needed, but only on items and on results of adjacent ones.
#include <lookback/reduce_by_key.hpp>

#include "check_scan.hpp"
#include "shapes.hpp"

using namespace harness;

struct adjacency : on_device {};

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

TEST_F(adjacency, an_operator_sees_only_adjacent_ranges) {
  for (std::size_t const n : {std::size_t{2}, std::size_t{100}, std::size_t{5000}, up_to(150001)}) {
    auto const in = single_items(n);
    int ignored = 0;
    each_form(join_adjacent{&ignored}, range{-1, -1}, [&](oracle::form<range> const& how) {
      SCOPED_TRACE(describe(n, how.exclusive, how.initial.has_value(), how.from));
      auto const want = oracle::scan<range>(in, join_adjacent{&ignored}, how);
      each_policy([&](auto const& policy) {
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

TEST_F(adjacency, an_operator_sees_only_adjacent_ranges_of_results_by_offsets) {
  for (std::size_t const n : {std::size_t{1}, std::size_t{5000}, up_to(150001)})
    for (auto s : shapes(n, tile_items<range>())) {
      SCOPED_TRACE(s.name + ", n = " + std::to_string(n));
      s.heads[0] = 1;
      auto const in = single_items(n);
      auto const offsets = offsets_of<std::int64_t>(s.heads, 4000, 1 + n / 10);  // more ends at one place than a tile has steps
      std::vector<range> want;
      for (std::size_t k = 0; k + 1 < offsets.size(); ++k)
        want.push_back(offsets[k] == offsets[k + 1]
                           ? range{-1, -1}
                           : range{static_cast<std::int32_t>(offsets[k]), static_cast<std::int32_t>(offsets[k + 1])});
      each_policy([&](auto const& policy) {
        array<int> violations(std::vector<int>{0});
        array<std::int64_t> const described(offsets);
        array<range> const source(in);
        array<range> out(want.size());
        lookback::segmented_reduce_async(policy, source, lookback::known_offsets(described), out, nullptr,
                                         join_adjacent{violations.data()}, lookback::maybe<range>{{-1, -1}});
        wait(policy);
        EXPECT_TRUE(same(out.host(), want));
        EXPECT_EQ(violations.host()[0], 0);
      });
    }
}

TEST_F(adjacency, an_operator_sees_only_adjacent_ranges_of_segments) {
  std::size_t const n = up_to(100003);
  auto const in = single_items(n);
  int ignored = 0;
  for (auto const& s : shapes(n, tile_items<range>()))
    for (auto const from : {lookback::left_to_right, lookback::right_to_left}) {
      SCOPED_TRACE(s.name + describe(n, false, false, from));
      oracle::form<range> const how{{}, false, from, s.heads};
      auto const want = oracle::scan<range>(in, join_adjacent{&ignored}, how);
      each_policy([&](auto const& policy) {
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
