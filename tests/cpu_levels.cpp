// Packs of every instruction set against a plain loop: lanes of 1 to 8 bytes, sizes around packs and words of heads, both
// directions, segments by flags and by keys. What other tests run is the best level of the machine.
#include <gtest/gtest.h>

#include <lookback/cpu.hpp>
#include <lookback/reduce_by_key.hpp>
#include <lookback/run_length_encode.hpp>
#include <lookback/segmented_scan.hpp>

#include "array.hpp"
#include "compare.hpp"
#include "random.hpp"

using namespace harness;
using namespace lookback;

/// Starts anew at heads; from the right at the item left of one.
template <class T>
std::vector<T> plain_sums(std::vector<T> const& in, std::vector<flag> const& heads, bool reversed) {
  std::vector<T> sums(in.size());
  T sum{};
  for (std::size_t k = 0; k < in.size(); ++k) {
    std::size_t const i = reversed ? in.size() - 1 - k : k;
    bool const anew = reversed ? k == 0 || heads[i + 1] : k == 0 || heads[i];
    sum = static_cast<T>(anew ? in[i] : reversed ? in[i] + sum : sum + in[i]);
    sums[i] = sum;
  }
  return sums;
}

template <class T>
struct cpu_levels : ::testing::Test {};
using lane_types = std::conditional_t<sanitized, ::testing::Types<std::uint8_t, double>,
                                      ::testing::Types<std::uint8_t, std::int16_t, std::uint32_t, std::int64_t, float, double>>;
TYPED_TEST_SUITE(cpu_levels, lane_types);

TYPED_TEST(cpu_levels, equal_the_plain_loop) {
  using T = TypeParam;
  for (auto const level : {cpu::simd_level::portable, cpu::simd_level::avx2, cpu::simd_level::avx512})
    for (std::size_t const n : {1, 7, 15, 16, 17, 63, 64, 65, 130, 1001, 20'011})
      for (std::size_t const mean : {1, 3, 40, 300}) {
        SCOPED_TRACE("level " + std::to_string(static_cast<int>(level)) + ", n = " + std::to_string(n) + ", segments of " +
                     std::to_string(mean));
        generator random(n + mean);
        std::vector<T> in(n), keys_of(n);
        std::vector<flag> heads(n), none(n);
        for (std::size_t i = 0; i < n; ++i) {
          in[i] = static_cast<T>(random.below(50));  // sums of floats are exact
          heads[i] = i == 0 || random.below(mean) == 0 ? static_cast<flag>(1 + random.below(255)) : flag{0};
          keys_of[i] = static_cast<T>(i == 0 ? 1 : heads[i] ? (keys_of[i - 1] == T{1} ? 2 : 1) : keys_of[i - 1]);
        }
        cpu::tuning how;
        how.simd = level;
        for (bool const reversed : {false, true}) {
          auto const on = cpu::on(1).with(how).with(reversed ? right_to_left : left_to_right);
          array<T> const from(in, 1), by(keys_of, 1);
          array<flag> const flags(heads, 3);
          array<T> out(n, 1);
          inclusive_scan(on, from, out);
          EXPECT_TRUE(same(out.host(), plain_sums(in, none, reversed)));
          auto const want = plain_sums(in, heads, reversed);
          inclusive_segmented_scan(on, from, head_flags(flags), out);
          EXPECT_TRUE(same(out.host(), want));
          inclusive_segmented_scan(on, from, keys(by), out);
          EXPECT_TRUE(same(out.host(), want));
          EXPECT_TRUE(out.intact());
        }
      }
}

/// The sum of each segment, begun with `initial`: of ones, its length.
template <class T>
std::vector<T> plain_results(std::vector<T> const& in, std::vector<flag> const& heads, T initial) {
  std::vector<T> sums;
  for (std::size_t i = 0; i < in.size(); ++i) {
    if (heads[i]) sums.push_back(initial);
    sums.back() = static_cast<T>(sums.back() + in[i]);
  }
  return sums;
}

/// Segments from one item to many packs, in tiles of every fill. The vectors end where their memory ends: asan sees who reads on.
TYPED_TEST(cpu_levels, reduce_segments_as_the_plain_loop_does) {
  using T = TypeParam;
  for (auto const level : {cpu::simd_level::portable, cpu::simd_level::avx2, cpu::simd_level::avx512})
    for (std::size_t const n : {1, 63, 64, 130, 1001, 5'003})
      for (std::size_t const mean : {1, 9, 40, 300, 10'000})
        for (index_t const tile_items : {0, 64, 448, 2048}) {
          SCOPED_TRACE("level " + std::to_string(static_cast<int>(level)) + ", n = " + std::to_string(n) + ", segments of " +
                       std::to_string(mean) + ", tiles of " + std::to_string(tile_items));
          generator random(n + mean);
          std::vector<T> in(n), runs(n), results(n), firsts(n);
          std::vector<flag> heads(n);
          std::vector<std::uint32_t> lengths(n);
          for (std::size_t i = 0; i < n; ++i) {
            in[i] = static_cast<T>(random.below(50));  // sums of floats are exact
            heads[i] = i == 0 || random.below(mean) == 0 ? static_cast<flag>(1 + random.below(255)) : flag{0};
            runs[i] = static_cast<T>(i == 0 ? 1 : heads[i] ? (runs[i - 1] == T{1} ? 2 : 1) : runs[i - 1]);
          }
          cpu::tuning how;
          how.simd = level, how.tile_items = tile_items;
          auto const on = cpu::on(1).with(how);
          auto const expect = [](auto const& got, index_t count, auto const& want) {
            EXPECT_EQ(std::vector(got.begin(), got.begin() + static_cast<std::ptrdiff_t>(count)), want);
          };
          auto const want = plain_results(in, heads, T{});
          expect(results, segmented_reduce(on, in, head_flags(heads), results), want);
          expect(results, segmented_reduce(on, in, head_flags(heads), results, plus<T>{}, T{7}), plain_results(in, heads, T{7}));
          expect(results, reduce_by_key(on, runs, in, firsts, results), want);
          std::vector<std::uint32_t> const ones(n, 1);
          expect(lengths, run_length_encode(on, runs, firsts, lengths), plain_results(ones, heads, std::uint32_t{}));
          for (std::size_t s = 0; s < want.size(); ++s) EXPECT_EQ(firsts[s], static_cast<T>(1 + s % 2));
        }
}
