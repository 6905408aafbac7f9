// What belongs to quicksort on the CPU alone: memory that is refused, functions that throw or never say the same twice, more
// threads than cores.
#include <algorithm>
#include <array>
#include <atomic>
#include <lookback/cpu.hpp>
#include <lookback/quicksort.hpp>
#include <lookback/sort_strings.hpp>
#include <numeric>
#include <string>
#include <string_view>

#include "cpu_stress.hpp"
#include "cpu_watchdog.hpp"
#include "random.hpp"
#include "sanitized.hpp"

namespace {

using namespace stress;

struct cpu_quicksort : watched {};

using words = std::vector<std::uint32_t>;

words some_words(std::size_t n, std::uint32_t mask) {
  words all(n);
  harness::generator random(n);
  for (auto& x : all) x = static_cast<std::uint32_t>(random.next()) & mask;
  return all;
}
bool by_low_byte(std::uint32_t a, std::uint32_t b) { return (a & 0xFF) < (b & 0xFF); }

TEST_F(cpu_quicksort, when_memory_is_refused_nothing_has_been_touched) {
  words const keys = some_words(3000, ~0u);
  words values(3000);
  std::iota(values.begin(), values.end(), 0u);
  auto sorted = keys;
  std::stable_sort(sorted.begin(), sorted.end(), by_low_byte);
  std::vector<std::int64_t> const offsets{0, 5, 700, 700, 3000};
  std::vector<std::array<std::uint64_t, 4>> wide(3000);
  auto const check = [&](auto const& plain) {
    words data = keys, moving = values, indices(3000, 7);
    check_refusals(plain, {&data}, [&](auto const& on) { lookback::quicksort(on, data, by_low_byte); });
    EXPECT_EQ(data, sorted);
    data = keys;
    check_refusals(plain, {&data, &moving}, [&](auto const& on) { lookback::quicksort(on, data, moving, by_low_byte); });
    EXPECT_EQ(data, sorted);
    data = keys;
    check_refusals(plain, {&data}, [&](auto const& on) { lookback::quicksort(on, data, wide, by_low_byte); });
    EXPECT_EQ(data, sorted);
    data = keys;  // what is sorted needs no scratch
    check_refusals(plain, {&data, &indices}, [&](auto const& on) { lookback::argsort(on, data, indices, by_low_byte); });
    data = keys;
    check_refusals(plain, {&data},
                   [&](auto const& on) { lookback::segmented_quicksort(on, data, lookback::offsets(offsets), by_low_byte); });
  };
  check(cpu::on(3).with(cpu::std_threads).with(tiles_of(64)));
  check(cpu::on(2));
  check(cpu::seq);
}

/// Strings that take several rounds, whose order is known from the start; by many workers, too.
TEST_F(cpu_quicksort, strings_when_memory_is_refused) {
  std::string characters;
  std::vector<std::int64_t> offsets{0};
  words want(harness::sanitized ? 300 : 3000);
  std::iota(want.begin(), want.end(), 0u);
  for (auto const i : want) {
    characters += "all of them begin so " + std::to_string(100'000 + i);
    offsets.push_back(static_cast<std::int64_t>(characters.size()));
  }
  auto const check = [&](auto const& plain) {
    words order(want.size(), 7);
    check_refusals(plain, {&order},
                   [&](auto const& on) { lookback::sort_strings(on, characters, lookback::offsets(offsets), order); });
    EXPECT_EQ(order, want);
  };
  check(cpu::on(8).with(cpu::std_threads).with(tiles_of(64)));
  check(cpu::on(2));
  check(cpu::seq);
}

/// What less throws comes through; keys stay, in place, too, and with segments each is sorted or as it was.
TEST_F(cpu_quicksort, what_a_function_throws_comes_through) {
  words const before = some_words(20'000, 0xFFFFF);
  std::vector<std::int64_t> const offsets{0, 9'000, 9'010, 20'000};
  each_engine(tiles_of(128), [&](auto const& on) {
    for (int const allowed : {0, 1, 5'000, 100'000}) {
      SCOPED_TRACE(allowed);
      std::atomic<int> left{allowed};
      auto const less = [&](std::uint32_t a, std::uint32_t b) {
        if (left.fetch_sub(1) <= 0) throw thrown{a};
        return a < b;
      };
      words data = before, out(before.size(), 7);
      EXPECT_THROW(lookback::quicksort_copy(on, data, out, less), thrown);
      EXPECT_EQ(data, before);
      EXPECT_EQ(out, words(before.size(), 7));
      left = allowed;
      EXPECT_THROW(lookback::quicksort(on, data, less), thrown);
      EXPECT_EQ(data, before);
      left = allowed;
      EXPECT_THROW(lookback::segmented_quicksort(on, data, lookback::offsets(offsets), less), thrown);
      for (std::size_t s = 0; s + 1 < offsets.size(); ++s) {
        words const found(data.begin() + offsets[s], data.begin() + offsets[s + 1]);
        words const was(before.begin() + offsets[s], before.begin() + offsets[s + 1]);
        auto sorted = was;
        std::sort(sorted.begin(), sorted.end());
        EXPECT_TRUE(found == was || found == sorted) << "segment " << s;
      }
    }
  });
}

/// argsort by what f takes from an item: by digits where that is a number, else by comparing it; with either option.
TEST_F(cpu_quicksort, argsort_by_anything) {
  struct row {
    std::uint32_t group;
    std::string_view name;
  };
  std::vector<std::string> const names{"pear", "apple", "fig", "", "plum"};
  std::vector<row> rows;
  for (std::uint32_t i = 0; i < 500; ++i) rows.push_back({i * 7919 % 13, names[i % names.size()]});
  auto const check = [&](auto member, auto... options) {
    std::vector<std::int32_t> want(rows.size()), got(rows.size());
    std::iota(want.begin(), want.end(), 0);
    auto const key = [&](std::int32_t i) { return rows[static_cast<std::size_t>(i)].*member; };
    std::stable_sort(want.begin(), want.end(), [&](auto a, auto b) { return key(a) < key(b); });
    lookback::argsort(cpu::on(2), rows, got, lookback::by(member), options...);
    for (std::size_t k = 0; k < rows.size(); ++k) EXPECT_EQ(key(got[k]), key(want[k]));
    if constexpr (sizeof...(options) == 0) {
      EXPECT_EQ(got, want);
    }
  };
  check(&row::name);
  check(&row::name, lookback::unstable);
  check(&row::group);
  check(&row::group, lookback::unstable);
}

/// A function that never says the same twice.
TEST_F(cpu_quicksort, answers_at_random_lose_nothing) {
  words const before = some_words(harness::sanitized ? 3'000 : 30'000, ~0u);
  auto const sorted = [](words all) {
    std::sort(all.begin(), all.end());
    return all;
  };
  each_engine(tiles_of(128), [&](auto const& on) {
    std::atomic<std::uint32_t> state{1};
    auto const less = [&](std::uint32_t, std::uint32_t) { return (state.fetch_add(0x9E3779B9u) * 0x85EBCA6Bu >> 20 & 1) != 0; };
    for (int run = 0; run < 5; ++run) {
      words data = before, values = before;
      lookback::quicksort(on, data, values, less);
      EXPECT_EQ(data, values);
      EXPECT_EQ(sorted(data), sorted(before));
    }
    words few(before.begin(), before.begin() + 1000);
    lookback::quicksort(on, few, less, lookback::textbook{});
    EXPECT_EQ(sorted(few), sorted(words(before.begin(), before.begin() + 1000)));
  });
}

/// Tiles of one item and of odd numbers; items that a whole line of a cache holds.
TEST_F(cpu_quicksort, tiles_of_any_size) {
  words const keys = some_words(777, ~0u);
  auto want = keys;
  std::stable_sort(want.begin(), want.end(), by_low_byte);
  struct alignas(64) line {
    std::uint32_t key, place;
    line(std::uint32_t k, std::uint32_t p) : key{k}, place{p} {}
  };
  for (int const items : {1, 2, 3, 17, 100})
    each_engine(tiles_of(items), [&](auto const& on) {
      auto data = keys;
      lookback::quicksort(on, data, by_low_byte);
      EXPECT_EQ(data, want) << items;
      std::vector<line> lines;
      for (std::size_t i = 0; i < keys.size(); ++i) lines.emplace_back(keys[i] & 0xFF, static_cast<std::uint32_t>(i));
      std::vector<std::array<std::uint64_t, 5>> values(lines.size());
      for (std::size_t i = 0; i < values.size(); ++i) values[i][4] = i;
      lookback::quicksort(on, lines, values, [](line const& a, line const& b) { return a.key < b.key; });
      for (std::size_t i = 0; i < lines.size(); ++i) {
        ASSERT_EQ(values[i][4], lines[i].place);
        ASSERT_TRUE(i == 0 || lines[i - 1].key < lines[i].key ||
                    (lines[i - 1].key == lines[i].key && lines[i - 1].place < lines[i].place));
      }
    });
}

/// Tiles of a few items on many more threads than there are cores, again and again.
TEST_F(cpu_quicksort, more_threads_than_cores) {
  std::size_t const n = harness::sanitized ? 2'000 : 10'007;
  words const keys = some_words(n, ~0u);
  auto want = keys;
  std::stable_sort(want.begin(), want.end(), by_low_byte);
  each_engine(tiles_of(16), [&](auto const& on) {
    for (int run = 0; run < 20; ++run) {
      auto data = keys;
      lookback::quicksort(on, data, by_low_byte);
      ASSERT_TRUE(data == want) << run;
    }
  });
}

}  // namespace
