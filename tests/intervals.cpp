// Scans over an algebra that forgets nothing: an element is an interval of neighbours, and two that do not touch make an error,
// which absorbs everything. So a scan is right if and only if each result names the items that went into it: none is left out,
// taken twice, or taken in another order, whatever the tiles, descriptions and strategies.
//
// Source: Chong, Donaldson, Ketema, A Sound and Complete Abstraction for Reasoning about Parallel Prefix Sums, POPL 2014.
#include <lookback/reduce_by_key.hpp>
#include <lookback/run_length_encode.hpp>
#include <lookback/unique.hpp>
#include <span>

#include "check_scan.hpp"
#include "edge_sizes.hpp"
#include "front.hpp"
#include "shapes.hpp"

using namespace harness;
using lookback::index_t;

namespace {

/// Items [begin, end) if begin < end; else nothing, or an error.
struct interval {
  std::uint32_t begin, end;
  static LOOKBACK_FN interval nothing() { return {0, 0}; }
  static LOOKBACK_FN interval error() { return {1, 0}; }
  friend LOOKBACK_FN bool operator==(interval const& a, interval const& b) { return a.begin == b.begin && a.end == b.end; }
  friend std::ostream& operator<<(std::ostream& to, interval const& i) {
    if (i == nothing()) return to << "nothing";
    if (i == error()) return to << "error";
    return to << '[' << i.begin << ", " << i.end << ')';
  }
};

/// The left one ends where the right one begins.
struct touching {
  LOOKBACK_FN bool operator()(interval const& left, interval const& right) const { return left.end == right.begin; }
};

struct joined {
  LOOKBACK_FN interval operator()(interval const& left, interval const& right) const {
    if (left == interval::nothing()) return right;
    if (right == interval::nothing()) return left;
    bool const wrong = left == interval::error() || right == interval::error() || !touching{}(left, right);
    return wrong ? interval::error() : interval{left.begin, right.end};
  }
  static LOOKBACK_FN interval identity() { return interval::nothing(); }
};

struct intervals : on_device {};

/// Item i is [i + 1, i + 2): there is room for what comes before.
std::vector<interval> places(std::size_t n) {
  std::vector<interval> in(n);
  for (std::size_t i = 0; i < n; ++i) in[i] = {static_cast<std::uint32_t>(i + 1), static_cast<std::uint32_t>(i + 2)};
  return in;
}

/// The same, but with a gap wherever a segment begins: runs of neighbours that touch are its segments.
std::vector<interval> places_with_gaps(heads const& h) {
  auto in = places(h.size());
  std::uint32_t gaps = 0;
  for (std::size_t i = 0; i < in.size(); ++i) {
    if (i > 0 && h[i] != 0) ++gaps;
    in[i].begin += gaps, in[i].end += gaps;
  }
  return in;
}

/// Items that count from where the scan enters their segment, so that one initial value touches the first of every segment.
struct after_initial {
  std::vector<interval> in;
  interval initial;
  after_initial(heads const& h, lookback::direction from) : in(h.size()) {
    std::size_t const n = in.size();
    bool const backwards = from == lookback::right_to_left;
    std::uint32_t const edge = backwards ? 1u << 30 : 1;
    initial = backwards ? interval{edge, edge + 1} : interval{edge - 1, edge};
    std::uint32_t at = 0;
    for (std::size_t k = 0; k < n; ++k) {
      std::size_t const i = backwards ? n - 1 - k : k;
      if (k > 0 && h[backwards ? i + 1 : i] != 0) at = 0;
      in[i] = backwards ? interval{edge - at - 1, edge - at} : interval{edge + at, edge + at + 1};
      ++at;
    }
  }
};

/// Every form of a scan over the segments of h: `scan(on, from, to, how)` scans under every strategy, out of place and in place.
template <class Scan>
void check_forms(heads const& h, Scan scan) {
  std::size_t const n = h.size();
  each_form(joined{}, interval{}, [&](oracle::form<interval> how) {
    SCOPED_TRACE(describe(n, how.exclusive, how.initial.has_value(), how.from));
    how.heads = h;
    auto in = places(n);
    if (how.initial) {
      after_initial const those(h, how.from);
      in = those.in, how.initial = those.initial;
    }
    auto const want = oracle::scan<interval>(in, joined{}, with_identity(joined{}, how));
    ASSERT_EQ(std::count(want.begin(), want.end(), interval::error()), 0) << "the test itself is wrong";
    each_number_of_passes([&](auto const& policy) {
      auto const on = policy.with(how.from);
      array<interval> source(in), out(n);
      scan(on, source, out, how);
      EXPECT_TRUE(same(out.host(), want));
      EXPECT_TRUE(out.intact());
      EXPECT_TRUE(same(source.host(), in));
      scan(on, source, source, how);
      EXPECT_TRUE(same(source.host(), want)) << "in place";
    });
  });
}

/// Two shapes of segments for each size, in turn, whose first item begins one. To where a look-back no longer takes in all tiles.
template <class Body>
void each_size_and_shape(Body body) {
  std::size_t turn = 0;
  for (std::size_t const n : edge_sizes<interval>(small() ? 1 << 17 : on_gpu ? 1 << 21 : 1 << 19)) {
    auto const all = shapes(n, tile_items<interval>());
    for (std::size_t const shape : {turn, turn + 4}) {
      auto h = all[shape % all.size()].heads;
      if (n > 0) h[0] = 1;
      SCOPED_TRACE("n = " + std::to_string(n) + ", " + all[shape % all.size()].name);
      body(h);
      if (::testing::Test::HasFailure()) return;
    }
    ++turn;
  }
}

/// The segments of h in every description that names the items of each, and no more segments.
template <class Body>
void each_description(heads const& h, Body body) {
  array<flag> const flags(flags_of<flag>(h));
  array<std::uint8_t> const bits(bits_of(h));
  array<std::uint16_t> const keys(keys_of<std::uint16_t>(h));
  array<interval> const gaps(places_with_gaps(h));
  body("flags", lookback::head_flags(flags));
  body("bits", lookback::head_bits(bits));
  body("keys", lookback::keys(keys));
  body("keys under an equality", lookback::keys(gaps, touching{}));
}

/// What each segment [starts[s], starts[s + 1]) of `in` makes.
template <class Start>
std::vector<interval> of_segments(std::vector<interval> const& in, std::vector<Start> const& starts, interval const& initial) {
  std::vector<interval> results;
  for (std::size_t s = 0; s + 1 < starts.size(); ++s) {
    interval result = initial;
    for (auto i = static_cast<std::size_t>(starts[s]); i < static_cast<std::size_t>(starts[s + 1]); ++i)
      result = joined{}(result, in[i]);
    results.push_back(result);
  }
  return results;
}
std::vector<index_t> starts_of(heads const& h) {
  std::vector<index_t> starts;
  for (std::size_t i = 0; i < h.size(); ++i)
    if (h[i] != 0) starts.push_back(static_cast<index_t>(i));
  starts.push_back(static_cast<index_t>(h.size()));
  return starts;
}

}  // namespace

TEST_F(intervals, scans) {
  for (std::size_t const n : edge_sizes<interval>())
    check_forms(heads(n, 0),
                [](auto const& on, auto const& in, auto& out, auto const& how) { scan_as(on, in, out, joined{}, how); });
}

TEST_F(intervals, segmented_scans) {
  each_size_and_shape([](heads const& h) {
    each_description(h, [&](char const* name, auto const& segments) {
      SCOPED_TRACE(name);
      check_forms(
          h, [&](auto const& on, auto const& in, auto& out, auto const& how) { scan_as(on, in, segments, out, joined{}, how); });
    });
    array<std::int32_t> const offsets(offsets_of<std::int32_t>(h, 2, 3));  // empty ones among them
    SCOPED_TRACE("offsets");
    check_forms(h, [&](auto const& on, auto const& in, auto& out, auto const& how) {
      scan_as(on, in, lookback::offsets(offsets), out, joined{}, how);
    });
  });
}

TEST_F(intervals, scans_by_rows) {
  for (std::size_t const length : {std::size_t{1}, std::size_t{7}, std::size_t{1000}, tile_items<interval>()}) {
    heads h(up_to(200'003), 0);
    for (std::size_t i = 0; i < h.size(); i += length) h[i] = 1;
    check_forms(h, [&](auto const& on, auto const& in, auto& out, auto const& how) {
      scan_as(on, in, lookback::rows_of(static_cast<index_t>(length)), out, joined{}, how);
    });
  }
}

/// Each segment has an initial value of its own, which touches it and no other.
TEST_F(intervals, an_initial_value_for_each_segment) {
  heads const h = short_long_short(up_to(100'003));
  std::size_t const n = h.size();
  array<std::int32_t> const offsets(offsets_of<std::int32_t>(h));
  array<flag> const flags(flags_of<flag>(h));
  for (auto const from : {lookback::left_to_right, lookback::right_to_left})
    for (bool const exclusive : {false, true}) {
      SCOPED_TRACE(describe(n, exclusive, true, from));
      bool const backwards = from == lookback::right_to_left;
      auto const starts = starts_of(h);
      std::vector<interval> initials, want(n);
      for (std::size_t s = 0; s + 1 < starts.size(); ++s) {
        auto const first = static_cast<std::uint32_t>(starts[s]) + 1, last = static_cast<std::uint32_t>(starts[s + 1]) + 1;
        initials.push_back(backwards ? interval{last, last + 7} : interval{0, first});
        for (std::uint32_t at = first; at < last; ++at)
          want[at - 1] = backwards ? interval{at + exclusive, last + 7} : interval{0, at + !exclusive};
      }
      array<interval> const before(initials), in(places(n));
      each_policy([&](auto const& policy) {
        auto const on = policy.with(from);
        array<interval> out(n);
        auto const check = [&](auto const& segments) {
          if (exclusive) lookback::exclusive_segmented_scan(on, in, segments, out, joined{}, before);
          else lookback::inclusive_segmented_scan(on, in, segments, out, joined{}, before);
          EXPECT_TRUE(same(out.host(), want));
        };
        check(lookback::offsets(offsets));
        check(lookback::head_flags(flags));
      });
    }
}

TEST_F(intervals, results_of_segments) {
  each_size_and_shape([](heads const& h) {
    std::size_t const n = h.size();
    auto const in = places(n);
    after_initial const those(h, lookback::left_to_right);
    auto const check = [&](auto const& segments, auto const& starts) {
      auto const want = of_segments(in, starts, interval::nothing()), after = of_segments(those.in, starts, those.initial);
      array<interval> const source(in), relative(those.in);
      each_number_of_passes([&](auto const& on) {
        array<interval> out(std::max(n, want.size()));
        expect_front(out, lookback::segmented_reduce(on, source, segments, out, joined{}), want);
        expect_front(out, lookback::segmented_reduce(on, relative, segments, out, joined{}, those.initial), after);
      });
    };
    each_description(h, [&](char const* name, auto const& segments) {
      SCOPED_TRACE(name);
      check(segments, starts_of(h));
    });
    auto const offsets = offsets_of<std::int32_t>(h, 2, 3);
    array<std::int32_t> const positions(offsets);
    SCOPED_TRACE("offsets");
    check(lookback::offsets(positions), offsets);
  });
}

/// Keys are equal to their left neighbour if they touch it. An operator makes of each run what its items are.
TEST_F(intervals, runs_of_neighbours_that_touch) {
  each_size_and_shape([](heads const& h) {
    std::size_t const n = h.size();
    auto const in = places(n), with_gaps = places_with_gaps(h);
    auto const starts = starts_of(h);
    std::vector<interval> firsts;
    std::vector<std::int32_t> lasting;
    for (std::size_t r = 0; r + 1 < starts.size(); ++r) {
      firsts.push_back(with_gaps[static_cast<std::size_t>(starts[r])]);
      lasting.push_back(static_cast<std::int32_t>(starts[r + 1] - starts[r]));
    }
    auto const want = of_segments(in, starts, interval::nothing());
    each_number_of_passes([&](auto const& on) {
      array<interval> keys(with_gaps), values(in), keys_out(n), out(n);
      array<std::int32_t> lengths(n);
      expect_front(keys_out, lookback::reduce_by_key(on, keys, values, keys_out, out, joined{}, touching{}), firsts);
      expect_front(out, std::ssize(want), want);
      expect_front(keys_out, lookback::run_length_encode(on, keys, keys_out, lengths, touching{}), firsts);
      expect_front(lengths, std::ssize(lasting), lasting);
      expect_front(keys_out, lookback::unique(on, keys, keys_out, touching{}), firsts);
      expect_front(keys, lookback::unique(on, keys, touching{}), firsts);
    });
    each_one_pass_policy([&](auto const& on) {
      array<interval> keys(with_gaps), values(in), out(n);
      expect_front(keys, lookback::reduce_by_key(on, keys, values, keys, out, joined{}, touching{}), firsts);
      expect_front(out, std::ssize(want), want);
    });
  });
}

/// A call in three chunks, each given what the one before it left, cut where tiles end and where they do not.
TEST_F(intervals, chunks) {
  std::size_t const tile = tile_items<interval>(), n = up_to(5 * tile + 11);
  heads const h = short_long_short(n);
  array<flag> const flags(flags_of<flag>(h));
  auto const in = places(n);
  for (auto const from : {lookback::left_to_right, lookback::right_to_left})
    for (bool const segmented : {false, true}) {
      SCOPED_TRACE(describe(n, false, false, from));
      auto const want = oracle::scan<interval>(in, joined{}, {{}, false, from, segmented ? h : heads{}});
      std::vector<std::size_t> cuts{0, std::min(tile, n / 3), n - 17, n};
      if (from == lookback::right_to_left) std::reverse(cuts.begin(), cuts.end());
      each_policy([&](auto const& policy) {
        array<interval> const source(in);
        array<interval> out(n);
        array<lookback::carried<interval>> state(2);
        for (std::size_t k = 0; k < 3; ++k) {
          lookback::carry<interval> const given{k == 0 ? nullptr : state.data() + k % 2, state.data() + (k + 1) % 2};
          auto const on = policy.with(from).with(given);
          std::size_t const begin = std::min(cuts[k], cuts[k + 1]), items = std::max(cuts[k], cuts[k + 1]) - begin;
          std::span<interval const> const chunk(source.data() + begin, items);
          std::span<interval> const to(out.data() + begin, items);
          if (segmented)
            lookback::inclusive_segmented_scan(on, chunk, lookback::head_flags(std::span<flag const>(flags.data() + begin, items)),
                                               to, joined{});
          else lookback::inclusive_scan(on, chunk, to, joined{});
        }
        EXPECT_TRUE(same(out.host(), want));
      });
    }
}
