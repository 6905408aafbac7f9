// The tree of `reproducible` on the CPU: its bits must come out of every SIMD level, strategy and number of threads, with and
// without an initial value, from both sides, with and without segments.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <lookback/cpu.hpp>
#include <lookback/cpu/run/executor_threads.hpp>
#include <lookback/scan.hpp>
#include <lookback/segmented_scan.hpp>
#include <optional>
#include <string>
#include <vector>

#include "cpu_watchdog.hpp"
#include "harness.hpp"
#include "random.hpp"
#include "tree.hpp"

namespace {

namespace cpu = lookback::cpu;
using oracle::plain_tree;

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
  std::vector<std::size_t> sizes{1, 19, 640, 641, 3840, 7679, 7680, 7681, 50'001, 150'000};
  if (harness::sanitized) {
    sizes = {1, 641, 7681, 23'045};  // an item, a block and one, two and four small tiles
    for (bool const reversed : {false, true})
      for (std::size_t const mean : {0, 500}) check<T>(150'000, op, {}, reversed, mean);  // several of the default's
  }
  for (std::size_t const n : sizes)
    for (bool const reversed : {false, true})
      for (std::optional<T> const initial : {std::optional<T>{}, std::optional<T>{T(0.7)}})
        for (std::size_t const mean : {0, 3, 500, 20000}) check<T>(n, op, initial, reversed, mean);
}

TEST_F(cpu_engine_tree, float_sums) { check_all<float>(lookback::plus<float>{}); }
TEST_F(cpu_engine_tree, double_sums) { check_all<double>(lookback::plus<double>{}); }
TEST_F(cpu_engine_tree, float_products) { check_all<float>(lookback::multiplies<float>{}); }
TEST_F(cpu_engine_tree, double_minima) { check_all<double>(lookback::minimum<double>{}); }

}  // namespace
