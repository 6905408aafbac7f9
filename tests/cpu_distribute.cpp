// distribute_into on the CPU: every instruction set, through and past the caches, tiles of equal work, what is thrown.
#include <gtest/gtest.h>

#include <lookback/run_length_decode.hpp>

#include "array.hpp"
#include "front.hpp"
#include "types.hpp"

using namespace harness;
using namespace lookback;

template <class T, class Length>
void check_everywhere(std::vector<Length> const& lengths, std::size_t misaligned) {
  auto const values = random_values<T>(lengths.size(), 1);
  std::vector<T> want;
  for (std::size_t r = 0; r < lengths.size(); ++r) want.insert(want.end(), static_cast<std::size_t>(lengths[r]), values[r]);
  array<T> const from(values);
  array<Length> const length(lengths);
  for (auto const level : {cpu::simd_level::portable, cpu::simd_level::avx2, cpu::simd_level::avx512})
    for (index_t const stream_above : {index_t{1}, index_t{1} << 40})
      for (index_t const tile : {64, 5000}) {
        SCOPED_TRACE("level " + std::to_string(static_cast<int>(level)) + ", streams above " + std::to_string(stream_above) +
                     ", tiles of " + std::to_string(tile));
        auto how = small_tiles(tile);
        how.simd = level, how.stream_above_bytes = stream_above;
        array<T> out(want.size(), misaligned);
        expect_front(out, run_length_decode(cpu::on(3).with(cpu::std_threads).with(how), from, length, out), want);
      }
}

template <class T>
struct cpu_distribute_types : ::testing::Test {};
using distributed_types = std::conditional_t<sanitized, ::testing::Types<std::uint32_t, triple>,
                                             ::testing::Types<std::uint8_t, std::uint32_t, triple, wide>>;
TYPED_TEST_SUITE(cpu_distribute_types, distributed_types);

TYPED_TEST(cpu_distribute_types, short_and_long_runs_at_every_level_through_and_past_the_caches) {
  generator random(7);
  for (std::size_t const longest : {1, 2, 5, 17, 60, 400, 20'000})
    for (std::size_t const misaligned : {0, 1, 5}) {
      SCOPED_TRACE("runs of up to " + std::to_string(longest) + ", " + std::to_string(misaligned) + " beyond a line");
      std::vector<std::int32_t> lengths;
      for (std::size_t sum = 0; sum < 30'000; sum += static_cast<std::size_t>(lengths.back()))
        lengths.push_back(
            static_cast<std::int32_t>(random.below(5) == 0 ? random.below(2 * longest + 1) : random.below(longest + 1)));
      check_everywhere<TypeParam>(lengths, misaligned);
    }
}

/// Tiles are equal shares of items and runs together, wherever the runs without an item lie.
TEST(cpu_distribute, tiles_are_equal_work) {
  std::vector<std::int32_t> lengths(100'000, 0);
  lengths[0] = 3000, lengths[700] = 1, lengths[99'998] = 5000;
  std::vector<index_t> ends;
  index_t total = 0;
  for (std::size_t r = 0; r < lengths.size(); ++r) {
    total += lengths[r];
    if ((r + 1) % run_lengths<std::int32_t>::row == 0 || r + 1 == lengths.size()) ends.push_back(total);
  }
  auto const runs = static_cast<index_t>(lengths.size());
  for (index_t const n : {total, total - 4000, index_t{1}}) {
    cpu::path_of_runs<std::int32_t> const path{{lengths.data(), runs, ends.data()}, n, runs};
    ASSERT_EQ(path.length(), n + runs);
    index_t run = 0, end = 0;
    for (index_t step = 0; step <= path.length(); ++step) {
      auto const at = path.at(step);
      while (run < runs && (end = std::min(end + (run < at.run ? lengths[static_cast<std::size_t>(run)] : 0), n), run < at.run))
        ++run;
      ASSERT_EQ(at.item + at.run, step);
      ASSERT_LE(at.item, at.end);
      ASSERT_LE(end, at.item);
      if (at.run < runs) {
        ASSERT_EQ(at.end, std::min(end + lengths[static_cast<std::size_t>(at.run)], n));
      }
    }
  }
}

TEST(cpu_distribute, what_a_function_throws_comes_through) {
  std::vector<std::int32_t> const lengths(100'000, 2);
  std::vector<int> out(200'000);
  for (auto const& on : {cpu::on(1), cpu::on(2).with(small_tiles(64)), cpu::on(3).with(cpu::std_threads).with(small_tiles(64))}) {
    auto const values = generate(100'000, [](index_t r) {
      if (r == 70'000) throw std::runtime_error("run 70000");
      return static_cast<int>(r);
    });
    EXPECT_THROW(run_length_decode(on, values, lengths, out), std::runtime_error);
  }
}

TEST(cpu_distribute, scratch_comes_from_the_policy) {
  std::vector<std::int32_t> const lengths(1000, 2);
  std::vector<int> const values(1000, 1);
  std::vector<int> out(2000, 7);
  cpu::memory const none{[](std::size_t, void*) -> void* { return nullptr; }, [](void*, std::size_t, void*) {}};
  EXPECT_THROW(run_length_decode(cpu::seq.with(none), values, lengths, out), out_of_memory);
  EXPECT_EQ(out, std::vector<int>(2000, 7));
}
