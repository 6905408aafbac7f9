// The tree of `reproducible`, version 1, written down a second time as plainly as can be; its bits must come out of every SIMD
// level, strategy and number of threads, with and without an initial value, from both sides, with and without segments.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <lookback/cpu.hpp>
#include <lookback/cpu/executor_threads.hpp>
#include <lookback/scan.hpp>
#include <lookback/segmented_scan.hpp>
#include <optional>
#include <string>
#include <vector>

#include "cpu_watchdog.hpp"
#include "random.hpp"

namespace {

namespace cpu = lookback::cpu;

// A sum, or nothing; `starts`: a segment starts in it, so that nothing before it matters.
template <class T>
struct part {
  std::optional<T> value;
  bool starts = false;
};

// The tree from left to right; from right to left it is run on the mirrored input with mirrored operands.
template <class T, class Op>
struct plain_tree {
  Op op;
  bool mirrored;
  std::optional<T> initial;
  static constexpr std::size_t run = 80 / sizeof(T), threads = 384, items = threads * run;

  part<T> join(part<T> const& a, part<T> const& b) const {
    if (!a.value || (b.value && b.starts)) return {b.value, a.starts || b.starts};
    if (!b.value) return a;
    return {mirrored ? op(*b.value, *a.value) : op(*a.value, *b.value), a.starts};
  }
  // x in the order of the scan; the first tile holds `first` places, of which the last x.size() % items exist.
  std::vector<T> inclusive(std::vector<T> const& x, std::vector<bool> const& starts) const {
    std::size_t const n = x.size(), short_by = (items - n % items) % items;
    // Tile edges are multiples from the left in memory: from the right the first tile is the short one, and lacks its first places.
    std::size_t const skipped = mirrored ? short_by : 0;
    auto const item = [&](std::size_t place) -> part<T> {
      if (place < skipped || place - skipped >= n) return {};
      std::size_t const i = place - skipped;
      part<T> const here{x[i], starts[i]};
      if (!starts[i] || !initial) return here;
      return {mirrored ? op(x[i], *initial) : op(*initial, x[i]), true};
    };
    std::vector<T> out(n);
    part<T> before{starts[0] && segmented(starts) ? std::optional<T>{} : initial, false};
    for (std::size_t tile = 0; tile < (n + short_by) / items; ++tile) {
      std::vector<part<T>> lane(threads), warp_before(threads / 32);
      for (std::size_t t = 0; t < threads; ++t)
        for (std::size_t k = 0; k < run; ++k) lane[t] = join(lane[t], item(tile * items + t * run + k));
      part<T> all;
      for (std::size_t w = 0; w < threads / 32; ++w) {
        for (std::size_t d = 1; d < 32; d *= 2) {
          std::array<part<T>, 32> old;
          std::copy_n(lane.data() + w * 32, 32, old.data());
          for (std::size_t l = d; l < 32; ++l) lane[w * 32 + l] = join(old[l - d], old[l]);
        }
        warp_before[w] = all;
        all = join(all, lane[w * 32 + 31]);
      }
      for (std::size_t t = 0; t < threads; ++t) {
        part<T> sum = join(before, warp_before[t / 32]);
        if (t % 32 > 0) sum = join(sum, lane[t - 1]);
        for (std::size_t k = 0; k < run; ++k) {
          std::size_t const place = tile * items + t * run + k;
          sum = join(sum, item(place));
          if (place >= skipped && place - skipped < n) out[place - skipped] = *sum.value;
        }
      }
      before = join(before, all);
    }
    return out;
  }
  static bool segmented(std::vector<bool> const& starts) {
    for (bool s : starts)
      if (s) return true;
    return false;
  }
};

template <class T, class Op>
void check(std::size_t n, Op op, std::optional<T> initial, bool reversed, std::size_t mean) {
  auto const in = harness::random_values<T>(n, n);
  std::vector<std::uint8_t> heads(n);
  harness::generator random(n + mean);
  for (auto& h : heads) h = mean > 0 && random.below(mean) == 0;
  std::vector<T> x(n);
  std::vector<bool> starts(n);
  for (std::size_t i = 0; i < n; ++i) {
    std::size_t const k = reversed ? n - 1 - i : i;
    x[k] = in[i];
    if (mean > 0) starts[k] = reversed ? i + 1 == n || heads[i + 1] : i == 0 || heads[i];
  }
  auto want = plain_tree<T, Op>{op, reversed, initial}.inclusive(x, starts);
  if (reversed) std::reverse(want.begin(), want.end());
  auto const run = [&](std::string const& name, auto const& policy) {
    std::vector<T> out(n);
    auto const on = policy.with(lookback::reproducible).with(reversed ? lookback::right_to_left : lookback::left_to_right);
    if (mean > 0) {
      if (initial) lookback::inclusive_segmented_scan(on, in, lookback::head_flags(heads), out, op, *initial);
      else lookback::inclusive_segmented_scan(on, in, lookback::head_flags(heads), out, op);
    } else if (initial) lookback::inclusive_scan(on, in, out, op, *initial);
    else lookback::inclusive_scan(on, in, out, op);
    // All at once, and only what differs one by one: an assertion an item takes most of the time under a sanitizer.
    if (std::memcmp(out.data(), want.data(), n * sizeof(T)) == 0) return;
    for (std::size_t i = 0; i < n; ++i)
      ASSERT_EQ(std::memcmp(&out[i], &want[i], sizeof(T)), 0)
          << name << ", item " << i << " of " << n << (reversed ? ", reversed" : "") << (initial ? ", initial" : "") << ", mean "
          << mean;
  };
  for (auto const level : {cpu::simd_level::portable, cpu::simd_level::avx2, cpu::simd_level::avx512}) {
    cpu::tuning t;
    t.simd = level;
    run("seq", cpu::seq.with(t));
    t.serial_below_bytes = 1, t.protocol_always = true, t.tile_items = 7680;
    run("look-back, small tiles", cpu::on(3).with(cpu::std_threads).with(t));
    run("reduce-then-scan, small tiles", cpu::on(3).with(cpu::std_threads).with(lookback::reduce_then_scan{}).with(t));
    t.tile_items = 0;
    run("look-back", cpu::on(2).with(t));
  }
}

class cpu_engine_tree : public watched {};

template <class T, class Op>
void check_all(Op op) {
  for (std::size_t const n : {1, 19, 640, 641, 3840, 7679, 7680, 7681, 50001, 150000})
    for (bool const reversed : {false, true})
      for (std::optional<T> const initial : {std::optional<T>{}, std::optional<T>{T(0.7)}})
        for (std::size_t const mean : {0, 3, 500, 20000}) check<T>(n, op, initial, reversed, mean);
}

TEST_F(cpu_engine_tree, float_sums) { check_all<float>(lookback::plus<float>{}); }
TEST_F(cpu_engine_tree, double_sums) { check_all<double>(lookback::plus<double>{}); }
TEST_F(cpu_engine_tree, float_products) { check_all<float>(lookback::multiplies<float>{}); }
TEST_F(cpu_engine_tree, double_minima) { check_all<double>(lookback::minimum<double>{}); }

}  // namespace
