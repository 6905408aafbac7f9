// Compactions that are cut into chunks keep what one call keeps.
#include <lookback/partition_if.hpp>
#include <lookback/select_if.hpp>
#include <lookback/unique.hpp>

#include "chunks.hpp"
#include "compare.hpp"
#include "fixture.hpp"
#include "keyed.hpp"
#include "refused.hpp"

using namespace harness;
using lookback::index_t;

struct carry_compaction : on_device {};

struct is_odd {
  LOOKBACK_FN bool operator()(std::uint32_t x) const { return x % 2 != 0; }
};

/// The state of a compaction says how many were kept, and how many items there were.
template <class Key, class On>
void expect_state(On const& chunk, array<lookback::carried<index_t, Key>> const& state, std::size_t kept, std::size_t items) {
  if (!chunk.carry.out) return;
  auto const now = state.host()[chunk.carry.out == state.data() ? 0 : 1];
  EXPECT_EQ(now.count, static_cast<index_t>(items));
  EXPECT_EQ(now.any, items > 0);
  EXPECT_EQ(items > 0 ? now.value : 0, static_cast<index_t>(kept));
}

TEST_F(carry_compaction, what_is_kept) {
  for (std::size_t const n : {std::size_t{0}, std::size_t{1}, std::size_t{1000}, up_to(200'003)}) {
    SCOPED_TRACE("n = " + std::to_string(n));
    auto const in = random_values<std::uint32_t>(n, n + 3);
    std::vector<std::uint32_t> odd, even;
    for (auto const x : in) (is_odd{}(x) ? odd : even).push_back(x);
    each_policy([&](auto const& on) {
      array<std::uint32_t> const source(in);
      array<lookback::carried<index_t, char>> selected(2), parted(2);
      std::vector<std::uint32_t> kept, left, right;
      closing_chunks(on, cuts_some_empty(n, n), selected, [&](auto const& chunk, std::size_t first, std::size_t last) {
        array<std::uint32_t> out(last - first);
        append(kept, out, lookback::select_if(chunk, part(source, first, last), out, is_odd{}));
        expect_state(chunk, selected, kept.size(), last);
      });
      closing_chunks(on, cuts_some_empty(n, n + 1), parted, [&](auto const& chunk, std::size_t first, std::size_t last) {
        array<std::uint32_t> holds(last - first), rejected(last - first);
        index_t const number = lookback::partition_if(chunk, part(source, first, last), holds, rejected, is_odd{});
        append(left, holds, number), append(right, rejected, static_cast<index_t>(last - first) - number);
        expect_state(chunk, parted, left.size(), last);
      });
      EXPECT_TRUE(same(kept, odd));
      EXPECT_TRUE(same(left, odd) && same(right, even));
    });
  }
}

/// The other forms of a selection and of a partition.
TEST_F(carry_compaction, what_is_kept_by_flags_and_other_arrays) {
  std::size_t const n = up_to(50'003);
  auto const in = random_values<std::uint32_t>(n, 1), other = random_values<std::uint32_t>(n, 2);
  std::vector<flag> flags(n);
  std::vector<std::uint32_t> want, odd, even;
  for (std::size_t i = 0; i < n; ++i) {
    flags[i] = other[i] % 2 != 0;
    if (flags[i] != 0) want.push_back(in[i]);
    (is_odd{}(in[i]) ? odd : even).push_back(in[i]);
  }
  each_policy([&](auto const& on) {
    array<std::uint32_t> const source(in), beside(other);
    array<flag> const marks(flags);
    array<lookback::carried<index_t, char>> flagged(2), stenciled(2), parted(2);
    std::vector<std::uint32_t> by_flags, by_others, kept, rest;
    closing_chunks(on, cuts_some_empty(n, 5), flagged, [&](auto const& chunk, std::size_t first, std::size_t last) {
      array<std::uint32_t> out(last - first);
      append(by_flags, out, lookback::select_flagged(chunk, part(source, first, last), part(marks, first, last), out));
      expect_state(chunk, flagged, by_flags.size(), last);
    });
    closing_chunks(on, cuts_some_empty(n, 6), stenciled, [&](auto const& chunk, std::size_t first, std::size_t last) {
      array<std::uint32_t> out(last - first);
      auto const by = lookback::stencil(part(beside, first, last));
      append(by_others, out, lookback::select_if(chunk, part(source, first, last), by, out, is_odd{}));
      expect_state(chunk, stenciled, by_others.size(), last);
    });
    closing_chunks(on, cuts_some_empty(n, 7), parted, [&](auto const& chunk, std::size_t first, std::size_t last) {
      array<std::uint32_t> out(last - first);
      index_t const number = lookback::partition_if(chunk, part(source, first, last), out, is_odd{});
      auto const all = out.host();
      kept.insert(kept.end(), all.begin(), all.begin() + number);
      rest.insert(rest.end(), all.rbegin(), all.rend() - number);
      expect_state(chunk, parted, kept.size(), last);
    });
    EXPECT_TRUE(same(by_flags, want) && same(by_others, want) && same(kept, odd) && same(rest, even));
  });
}

/// First items of runs, alone, in place and with what lies beside them.
template <class T, class Equal>
void check_unique(std::vector<T> const& in, Equal equal, std::uint64_t seed) {
  std::size_t const n = in.size();
  auto const starts = starts_of_runs(in, equal);
  auto const values = random_values<std::uint32_t>(n, seed);
  std::vector<T> want;
  std::vector<std::uint32_t> want_values;
  for (std::size_t r = 0; r + 1 < starts.size(); ++r) want.push_back(in[starts[r]]), want_values.push_back(values[starts[r]]);
  auto const check = [&](auto const& on, bool in_place) {
    array<T> const source(in);
    array<std::uint32_t> const beside(values);
    array<lookback::carried<index_t, T>> state(2), by_key(2);
    std::vector<T> got, keys;
    std::vector<std::uint32_t> got_values;
    closing_chunks(on, cuts_some_empty(n, seed), state, [&](auto const& chunk, std::size_t first, std::size_t last) {
      array<T> out(std::vector<T>(in.begin() + static_cast<std::ptrdiff_t>(first), in.begin() + static_cast<std::ptrdiff_t>(last)));
      append(got, out,
             in_place ? lookback::unique(chunk, out, equal) : lookback::unique(chunk, part(source, first, last), out, equal));
      expect_state(chunk, state, got.size(), last);
    });
    closing_chunks(on, cuts_some_empty(n, seed + 1), by_key, [&](auto const& chunk, std::size_t first, std::size_t last) {
      array<T> out(last - first);
      array<std::uint32_t> value(last - first);
      index_t const number =
          lookback::unique_by_key(chunk, part(source, first, last), part(beside, first, last), out, value, equal);
      append(keys, out, number), append(got_values, value, number);
      expect_state(chunk, by_key, keys.size(), last);
    });
    EXPECT_TRUE(same(got, want) && same(keys, want) && same(got_values, want_values));
  };
  each_policy([&](auto const& on) { check(on, false); });
  each_one_pass_policy([&](auto const& on) { check(on, true); });
}

TEST_F(carry_compaction, first_items_of_runs) {
  each_cut_shape([](heads const& h, std::uint64_t seed) {
    check_unique(items_of<std::uint32_t>(h), lookback::equal_to{}, seed);
    check_unique(items_of<double>(h), lookback::equal_to{}, seed);
    check_unique(items_of<triple>(h), lookback::equal_to{}, seed);
    check_unique(random_values<std::uint16_t>(h.size(), seed), is_near{}, seed);
  });
}
