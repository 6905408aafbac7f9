// compact<k> and per_segment on the CPU against plain loops, under every strategy; in place where that is promised.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <lookback/cpu.hpp>
#include <lookback/cpu/run/executor_threads.hpp>
#include <lookback/segments.hpp>
#include <lookback/sink.hpp>
#include <numeric>
#include <string>
#include <vector>

#include "cpu_watchdog.hpp"
#include "harness.hpp"
#include "random.hpp"

namespace {

/// What makes of the look-back that is asked for at once another one.
struct some_work {
  struct aggregate {
    int value;
    bool complete;
  };
  using prefix = int;
};
static_assert(lookback::cpu::prefix_exchange<lookback::immediate_look_back, some_work>::resolves_at_once &&
              !lookback::cpu::prefix_exchange<lookback::decoupled_look_back, some_work>::resolves_at_once);

namespace cpu = lookback::cpu;
using lookback::index_t;

template <class Body>
void each_engine(Body body) {
  auto const run = [&](std::string const& name, auto const& on) {
    SCOPED_TRACE(name);
    body(on);
  };
  run("seq", cpu::seq);
  run("on(2)", cpu::on(2));
  for (index_t const items : {1, 7, 64, 200}) {
    cpu::tuning t;
    t.tile_items = items, t.serial_below_bytes = 1, t.protocol_always = true;
    for (auto const level : {cpu::simd_level::portable, cpu::simd_level::avx2, cpu::simd_level::avx512}) {
      t.simd = level;
      auto const on = cpu::on(4).with(cpu::std_threads).with(t);
      auto const name = "tiles of " + std::to_string(items) + ", SIMD level " + std::to_string(static_cast<int>(level));
      run(name, on);
      run(name + ", reduce-then-scan", on.with(lookback::reduce_then_scan{}));
      run(name + ", chained", on.with(lookback::chained{}));
      run(name + ", auxiliary block", on.with(lookback::auxiliary_block{}));
      // What differs does not see SIMD levels, and waits for threads that have no core.
      if (items == 7 && level == cpu::simd_level::portable) run(name + ", waiting", on.with(lookback::waiting_look_back{}));
      run(name + ", one worker", on.with(lookback::sequential{}));
    }
  }
}

// The class of an item: what its value leaves modulo k + 1, of which class k is dropped; or the same for all.
template <int Classes, class T>
struct class_of {
  int for_all = -1;
  int operator()(T const& x) const {
    if (for_all >= 0) return for_all;
    std::uint64_t bits = 0;
    std::memcpy(&bits, &x, sizeof x);
    return static_cast<int>(bits % (Classes + 1));
  }
};

// Classes 0 ... Classes - 1 go to outputs of their own, class Classes is dropped; odd classes from the end of theirs, if asked.
template <int Classes, class T>
void check_compact(std::size_t n, bool reverse_odd, lookback::direction from, class_of<Classes, T> const& class_of = {}) {
  auto const in = harness::random_values<T>(n, n + Classes);
  std::array<std::vector<T>, Classes> want;
  for (T const& x : in)
    if (int const c = class_of(x); c < Classes) want[static_cast<std::size_t>(c)].push_back(x);
  for (int c = 0; c < Classes; ++c) {
    bool const reversed = reverse_odd && c % 2 == 1;
    if (reversed != (from == lookback::right_to_left))
      std::reverse(want[static_cast<std::size_t>(c)].begin(), want[static_cast<std::size_t>(c)].end());
  }
  each_engine([&](auto const& on) {
    std::array<std::vector<T>, Classes> out;
    std::array<index_t, Classes> counts;
    counts.fill(-1);
    lookback::compact<Classes, T> sink{};
    sink.counts = counts.data();
    for (int c = 0; c < Classes; ++c) {
      auto& o = out[static_cast<std::size_t>(c)];
      o.assign(n, T{});
      sink.reversed[c] = reverse_odd && c % 2 == 1;
      sink.outputs[c] = o.data() + (sink.reversed[c] ? n : 0);
    }
    auto const items = lookback::as_input(lookback::mapped(in, class_of));
    scan_into(on.with(from), items.size, lookback::source<decltype(items.items), lookback::no_segments, int>{items.items, {}, {}},
              lookback::ranks<Classes>{}, sink);
    for (int c = 0; c < Classes; ++c) {
      auto& o = out[static_cast<std::size_t>(c)];
      auto const& w = want[static_cast<std::size_t>(c)];
      ASSERT_EQ(counts[static_cast<std::size_t>(c)], std::ssize(w));
      if (sink.reversed[c]) o.erase(o.begin(), o.end() - std::ssize(w));
      else o.resize(w.size());
      EXPECT_EQ(o, w) << "class " << c;
    }
  });
}

// In place tiles wait for each other, and for threads without a core: a sanitizer makes minutes of it.
constexpr int many = harness::sanitized ? 6011 : 30011;

class cpu_engine_sinks : public watched {};

TEST_F(cpu_engine_sinks, compact_one_class) {
  for (std::size_t const n : {0, 1, 63, 64, 65, 1000, 4099})
    for (auto const from : {lookback::left_to_right, lookback::right_to_left}) {
      check_compact<1, std::uint8_t>(n, false, from);
      check_compact<1, std::uint16_t>(n, false, from);
      check_compact<1, std::uint32_t>(n, false, from);
      check_compact<1, std::int64_t>(n, false, from);
    }
}
TEST_F(cpu_engine_sinks, compact_two_three_and_many_classes) {
  for (std::size_t const n : {0, 1, 65, 1000})
    for (auto const from : {lookback::left_to_right, lookback::right_to_left})
      for (bool const reverse_odd : {false, true}) {
        check_compact<2, std::uint8_t>(n, reverse_odd, from);
        check_compact<2, std::uint32_t>(n, reverse_odd, from);
        check_compact<3, std::uint16_t>(n, reverse_odd, from);
        check_compact<3, std::uint32_t>(n, reverse_odd, from);
        check_compact<3, double>(n, reverse_odd, from);
        check_compact<256, std::uint32_t>(n, reverse_odd, from);
      }
}
TEST_F(cpu_engine_sinks, compact_all_of_one_class) {
  for (auto const from : {lookback::left_to_right, lookback::right_to_left})
    for (int const c : {0, 1, 2, 3}) {
      check_compact<3, std::uint16_t>(1000, true, from, {c});
      check_compact<3, double>(1000, true, from, {c});
    }
}

TEST_F(cpu_engine_sinks, compact_in_place) {
  for (std::size_t const n : {1, 64, 1000, many})
    for (int const divisor : {1, 2, 100}) {
      auto const in = harness::random_values<std::uint32_t>(n, n);
      auto const drop = [divisor](std::uint32_t x) { return x % static_cast<std::uint32_t>(divisor) == 0 ? 0 : 1; };
      std::vector<std::uint32_t> want;
      std::copy_if(in.begin(), in.end(), std::back_inserter(want), [&](auto x) { return drop(x) == 0; });
      each_engine([&](auto const& on) {
        auto data = in;
        index_t count = -1;
        auto const items = lookback::as_input(lookback::mapped(data, drop));
        scan_into(on, items.size, lookback::source<decltype(items.items), lookback::no_segments, int>{items.items, {}, {}},
                  lookback::ranks<1>{}, lookback::compact<1, std::uint32_t>{{data.data()}, &count, {false}, {}});
        ASSERT_EQ(count, std::ssize(want));
        data.resize(want.size());
        EXPECT_EQ(data, want);
      });
    }
}

// Kept items stay in the array they come from, at the end where the scan begins; the others leave it.
TEST_F(cpu_engine_sinks, compact_one_of_two_classes_in_place) {
  for (auto const from : {lookback::left_to_right, lookback::right_to_left})
    for (std::size_t const n : {1, 64, 1000, many}) {
      bool const backwards = from == lookback::right_to_left;
      auto const in = harness::random_values<std::uint32_t>(n, n);
      auto const is_odd = [](std::uint32_t x) { return static_cast<int>(x % 2); };
      std::vector<std::uint32_t> even, odd;
      for (std::uint32_t const x : in) (is_odd(x) ? odd : even).push_back(x);
      if (backwards) std::reverse(odd.begin(), odd.end());
      each_engine([&](auto const& on) {
        auto data = in;
        std::vector<std::uint32_t> others(n);
        std::array<index_t, 2> counts{-1, -1};
        lookback::compact<2, std::uint32_t> sink{};
        sink.counts = counts.data(), sink.reversed[0] = backwards;
        sink.outputs[0] = data.data() + (backwards ? n : 0), sink.outputs[1] = others.data();
        auto const items = lookback::as_input(lookback::mapped(data, is_odd));
        scan_into(on.with(from), items.size,
                  lookback::source<decltype(items.items), lookback::no_segments, int>{items.items, {}, {}}, lookback::ranks<2>{},
                  sink);
        ASSERT_EQ(counts[0], std::ssize(even));
        ASSERT_EQ(counts[1], std::ssize(odd));
        if (backwards) data.erase(data.begin(), data.end() - std::ssize(even));
        else data.resize(even.size());
        others.resize(odd.size());
        EXPECT_EQ(data, even);
        EXPECT_EQ(others, odd);
      });
    }
}

struct affine {  // x -> a x + b mod 2^32, under composition: associative, does not commute
  std::uint32_t a, b;
  bool operator==(affine const&) const = default;
};
struct compose {
  affine operator()(affine const& f, affine const& g) const { return {f.a * g.a, g.a * f.b + g.b}; }
  static affine identity() { return {1, 0}; }
};

template <class Segments, class Op, class T>
void check_per_segment(std::vector<T> const& in, Segments const& segments, std::vector<index_t> const& offsets, Op op,
                       lookback::maybe<T> initial, bool empty_ones_are_told) {
  std::vector<T> want;
  for (std::size_t s = 0; s + 1 < offsets.size(); ++s) {
    if (offsets[s] == offsets[s + 1] && !empty_ones_are_told) continue;
    lookback::maybe<T> total = initial;
    for (index_t i = offsets[s]; i < offsets[s + 1]; ++i) {
      T const x = in[static_cast<std::size_t>(i)];
      total = lookback::maybe<T>(total.has ? op(total.value, x) : x);
    }
    want.push_back(total.has ? total.value : Op::identity());
  }
  each_engine([&](auto const& on) {
    T const marker{77, 78};
    std::vector<T> out(want.size() + 1, marker);
    index_t count = -1;
    auto const items = lookback::as_input(in);
    using described = lookback::detail::without_container_t<Segments>;
    scan_into(on, items.size, lookback::source<lookback::elements<T>, described, T>{items.items, segments, initial},
              lookback::segmented<Op>{op}, lookback::per_segment<T>{out.data(), &count, {}});
    EXPECT_EQ(count, std::ssize(want));
    EXPECT_TRUE(out.back() == marker) << "stored beyond the last segment";
    out.pop_back();
    EXPECT_TRUE(out == want);
  });
}

std::vector<index_t> random_offsets(std::size_t n, std::uint64_t mean, std::uint64_t seed) {
  harness::generator random(seed);
  std::vector<index_t> offsets{0};
  while (offsets.back() < static_cast<index_t>(n)) {
    auto const length = static_cast<index_t>(random.below(2 * mean + 1));  // often none
    offsets.push_back(std::min(static_cast<index_t>(n), offsets.back() + length));
  }
  for (int k = 0; k < 3; ++k) offsets.push_back(static_cast<index_t>(n));
  return offsets;
}

TEST_F(cpu_engine_sinks, per_segment_by_every_description) {
  std::vector<std::size_t> sizes{1, 64, 65, 1000, 5003};
  if (harness::sanitized) sizes = {1, 65, 2003};
  for (std::size_t const n : sizes)
    for (std::uint64_t const mean : {1, 3, 100, 100000}) {
      SCOPED_TRACE("n = " + std::to_string(n) + ", mean length " + std::to_string(mean));
      harness::generator random(n + mean);
      std::vector<affine> in(n);
      for (auto& f : in) f = {static_cast<std::uint32_t>(random.next()), static_cast<std::uint32_t>(random.next())};
      auto const offsets = random_offsets(n, mean, n * mean);
      std::vector<std::int32_t> const offsets32(offsets.begin(), offsets.end());
      std::vector<std::uint8_t> flags(n);
      std::vector<std::int64_t> keys(n);
      std::vector<std::uint8_t> bits((n + 7) / 8);
      for (std::size_t s = 0; s + 1 < offsets.size(); ++s) {
        if (offsets[s] == offsets[s + 1]) continue;
        auto const i = static_cast<std::size_t>(offsets[s]);
        flags[i] = 128, bits[i / 8] = static_cast<std::uint8_t>(bits[i / 8] | 1 << i % 8);
        std::fill(keys.begin() + offsets[s], keys.begin() + offsets[s + 1], static_cast<std::int64_t>(s));
      }
      for (auto const& initial : {lookback::maybe<affine>{}, lookback::maybe<affine>{affine{3, 5}}}) {
        check_per_segment(in, lookback::offsets(offsets), offsets, compose{}, initial, true);
        check_per_segment(in, lookback::offsets(offsets32), offsets, compose{}, initial, true);
        check_per_segment(in, lookback::head_flags(flags), offsets, compose{}, initial, false);
        check_per_segment(in, lookback::head_bits(bits), offsets, compose{}, initial, false);
        check_per_segment(in, lookback::keys(keys), offsets, compose{}, initial, false);
      }
      std::vector<index_t> rows;
      for (index_t i = 0; i < static_cast<index_t>(n); i += 7) rows.push_back(i);
      rows.push_back(static_cast<index_t>(n));
      check_per_segment(in, lookback::rows_of(7), rows, compose{}, lookback::maybe<affine>{}, true);
    }
}

TEST_F(cpu_engine_sinks, ten_million_empty_segments) {
  std::vector<std::int32_t> offsets(10'000'002, 0);
  std::vector<float> const in{1, 2, 3};
  for (std::size_t s = 5'000'000; s < offsets.size(); ++s) offsets[s] = 3;
  std::vector<float> out(offsets.size() - 1, -1);
  scan_into(cpu::on(2), {3},
            lookback::source<lookback::elements<float>, lookback::segments, float>{{in.data()}, lookback::offsets(offsets), {}},
            lookback::segmented<lookback::plus<float>>{}, lookback::per_segment<float>{out.data(), nullptr, {}});
  for (std::size_t s = 0; s < out.size(); ++s) ASSERT_EQ(out[s], s == 4'999'999 ? 6 : 0) << s;
}

struct keeps_all {
  int operator()(float) const { return 0; }
};

// A compaction stores towards where the scan has been: in place only from the side where the scan begins.
TEST_F(cpu_engine_sinks, compaction_in_place_from_the_wrong_side_is_refused) {
  std::vector<float> data(1000, 1);
  std::vector<lookback::index_t> count(1);
  auto const compact = [&](lookback::direction from, float* to, bool reversed) {
    auto const items = lookback::as_input(lookback::mapped(data, keeps_all{}));
    using source = lookback::source<std::remove_const_t<decltype(items.items)>, lookback::no_segments, int>;
    scan_into(lookback::cpu::on(2).with(from), items.size, source{items.items, {}, {}}, lookback::ranks<1>{},
              lookback::compact<1, float>{{to}, count.data(), {reversed}, {}});
  };
  float* const begin = data.data();
  float* const end = begin + data.size();
  EXPECT_NO_THROW(compact(lookback::left_to_right, begin, false));
  EXPECT_NO_THROW(compact(lookback::right_to_left, end, true));
  EXPECT_THROW(compact(lookback::right_to_left, begin, false), lookback::invalid_argument);
  EXPECT_THROW(compact(lookback::left_to_right, end, true), lookback::invalid_argument);
  EXPECT_THROW(compact(lookback::left_to_right, begin + 5, false), lookback::invalid_argument);
}

// Offsets that overlap name one result for two workers, and which of the two is stored is unspecified: a race by contract, so that
// ThreadSanitizer sees one worker only.
TEST_F(cpu_engine_sinks, wrong_offsets_are_never_followed_out_of_bounds) {
  std::vector<float> const in(1000, 1);
  for (std::uint64_t seed = 0; seed < 50; ++seed) {
    harness::generator random(seed);
    std::vector<std::int64_t> offsets(300);
    for (auto& o : offsets) o = static_cast<std::int64_t>(random.below(4000)) - 1500;
    auto const run = [&](auto const& on) {
      std::vector<float> out(offsets.size() - 1);
      scan_into(on, {1000},
                lookback::source<lookback::elements<float>, lookback::segments, float>{{in.data()}, lookback::offsets(offsets), {}},
                lookback::segmented<lookback::plus<float>>{}, lookback::per_segment<float>{out.data(), nullptr, {}});
    };
#if defined(__SANITIZE_THREAD__)
    run(lookback::cpu::seq);
    run(lookback::cpu::on(1).with(lookback::reduce_then_scan{}));
#else
    each_engine(run);
#endif
  }
}

}  // namespace
