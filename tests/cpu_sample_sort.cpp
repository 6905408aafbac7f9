// The sample sort on the CPU: the classes between splitters, keys of which there are few, functions that make every split useless,
// that throw anywhere, that say something else every time; reversed input.
#include <algorithm>
#include <array>
#include <atomic>
#include <cmath>
#include <lookback/cpu.hpp>
#include <lookback/cpu/sorts/sample_sort.hpp>
#include <lookback/quicksort.hpp>
#include <memory>
#include <numeric>

#include "cpu_stress.hpp"
#include "cpu_watchdog.hpp"
#include "random.hpp"
#include "sanitized.hpp"

namespace {

using namespace stress;

struct cpu_sample_sort : watched {};

using words = std::vector<std::uint32_t>;

/// An item that its function alone knows how to compare: not a number, so it is sorted as structs are.
struct card {
  std::uint32_t key, place;
  card(std::uint32_t k, std::uint32_t p) : key{k}, place{p} {}
  friend bool operator==(card const&, card const&) = default;
};
struct by_key {
  bool operator()(card const& a, card const& b) const { return a.key < b.key; }
  bool operator()(std::uint32_t a, std::uint32_t b) const { return a < b; }
};
std::vector<card> cards_of(words const& keys) {
  std::vector<card> all;
  for (std::size_t i = 0; i < keys.size(); ++i) all.emplace_back(keys[i], static_cast<std::uint32_t>(i));
  return all;
}
words random_words(std::size_t n, std::uint64_t below) {
  words all(n);
  harness::generator random(n + below);
  for (auto& x : all) x = static_cast<std::uint32_t>(random.below(below));
  return all;
}

template <class T>
struct held {
  T item;
};
template <class T>
T number(std::uint32_t x) {
  if constexpr (std::is_same_v<T, card>) return {x, 0};
  else return x;
}

/// Splitters 10, 20, ..., so many of each as `times`: every number beside and between them.
template <class T>
void check_classes(int ways, int different, bool with_equals) {
  using order = lookback::comparison_order<T, by_key>;
  SCOPED_TRACE(std::to_string(ways) + " ways, " + std::to_string(different) + " different");
  constexpr int step = 2;
  std::vector<held<T>> sample;
  for (int i = 0; i < ways * step; ++i)
    sample.push_back({number<T>(10 * static_cast<std::uint32_t>(1 + i * different / (ways * step)))});
  auto const by = std::make_unique<cpu::splitters<T, order>>(order{});
  by->choose(sample.data(), ways, step);
  words keys;
  for (std::uint32_t x = 0; x <= 10 * static_cast<std::uint32_t>(different) + 15; ++x) keys.push_back(x);
  std::vector<std::uint8_t> told(keys.size());
  std::vector<T> items;
  for (auto const x : keys) items.push_back(number<T>(x));
  by->tell([&](index_t i) -> T const& { return items[static_cast<std::size_t>(i)]; }, static_cast<index_t>(keys.size()),
           told.data());
  EXPECT_EQ(by->is_of_equals(1), with_equals);
  EXPECT_LE(by->classes(), 256);
  std::vector<int> of_class(256);
  for (std::size_t i = 0; i < keys.size(); ++i) {
    ASSERT_LT(told[i], by->classes());
    ASSERT_TRUE(i == 0 || told[i - 1] <= told[i]) << keys[i];
    ++of_class[told[i]];
    if (i > 0 && told[i - 1] != told[i]) {
      ASSERT_TRUE(keys[i] % 10 == 0 || (with_equals && keys[i] % 10 == 1)) << keys[i];
    }
    if (by->is_of_equals(told[i])) {
      ASSERT_EQ(keys[i] % 10, 0u);
    }
  }
  for (int c = 0; c < by->classes(); ++c) EXPECT_TRUE(of_class[static_cast<std::size_t>(c)] == 1 || !by->is_of_equals(c));
}

TEST_F(cpu_sample_sort, classes_begin_at_splitters) {
  for (int const ways : {2, 4, 8, 64, 256}) {
    check_classes<std::uint32_t>(ways, ways, false);
    check_classes<card>(ways, ways, false);
  }
  for (auto const& [ways, different] : {std::pair{4, 1}, {4, 2}, {8, 3}, {64, 33}, {64, 60}, {128, 100}, {256, 1}, {256, 100}}) {
    check_classes<std::uint32_t>(ways, different, true);
    check_classes<card>(ways, different, true);
  }
  check_classes<std::uint32_t>(256, 200, false);  // too many to have equals of each: half as many, which differ
}

template <class Body>
void each_way_to_work(Body body) {
  body(cpu::seq);
  body(cpu::on(2));
  body(cpu::on(5).with(cpu::std_threads).with(tiles_of(700)));
}

/// Few different keys, and some that are far more frequent than others: stable, alone and with values.
TEST_F(cpu_sample_sort, of_few_different_keys) {
  std::size_t const n = harness::sanitized ? 6'000 : 60'000;
  for (std::uint64_t const different : {1, 2, 3, 5, 100, 129, 300, 1000, 5000}) {
    SCOPED_TRACE(different);
    auto keys = random_words(n, different);
    for (std::size_t i = 0; i < n; i += 3) keys[i] = static_cast<std::uint32_t>(different / 2);
    auto const cards = cards_of(keys);
    auto want = cards;
    std::stable_sort(want.begin(), want.end(), by_key{});
    each_way_to_work([&](auto const& on) {
      auto data = cards;
      lookback::quicksort(on, data, by_key{});
      EXPECT_TRUE(data == want);
      auto moving = keys;
      words places(n);
      std::iota(places.begin(), places.end(), 0u);
      lookback::quicksort(on, moving, places, by_key{});
      for (std::size_t i = 0; i < n; ++i) ASSERT_TRUE(moving[i] == want[i].key && places[i] == want[i].place) << i;
      auto numbers = keys;
      lookback::quicksort(on, numbers, by_key{}, lookback::unstable);
      EXPECT_TRUE(numbers == moving);
    });
  }
}

/// Sizes about those at which another way begins.
TEST_F(cpu_sample_sort, of_sizes_where_the_way_changes) {
  for (std::size_t const n : {7, 8, 9, 15, 16, 17, 31, 32, 33, 63, 64, 65, 255, 256, 257, 511, 512, 513, 8191, 8192, 16'385})
    for (std::uint64_t const different : {std::uint64_t{3}, std::uint64_t{1} << 32}) {
      auto const keys = random_words(n, different);
      auto const cards = cards_of(keys);
      auto want = cards;
      std::stable_sort(want.begin(), want.end(), by_key{});
      auto sorted = keys;
      std::sort(sorted.begin(), sorted.end());
      each_way_to_work([&](auto const& on) {
        auto data = cards;
        auto numbers = keys;
        lookback::quicksort(on, data, by_key{});
        lookback::quicksort(on, numbers, by_key{});
        EXPECT_TRUE(data == want) << n;
        EXPECT_TRUE(numbers == sorted) << n;
      });
    }
}

/// Numbers of every width, so few that they are counted, by the kernels of every level: stable.
template <class T>
void check_few_numbers(cpu::simd_level level) {
  cpu::tuning tuning;
  tuning.simd = level;
  auto const less = [](T a, T b) { return static_cast<int>(a) / 4 < static_cast<int>(b) / 4; };
  for (std::size_t n = 0; n < 70; ++n) {
    auto const drawn = random_words(n, 100);
    std::vector<T> keys(drawn.begin(), drawn.end());
    words places(n), want(n);
    std::iota(places.begin(), places.end(), 0u);
    std::iota(want.begin(), want.end(), 0u);
    std::stable_sort(want.begin(), want.end(), [&](auto a, auto b) { return less(keys[a], keys[b]); });
    auto alone = keys;
    lookback::quicksort(cpu::seq.with(tuning), alone, less);
    for (std::size_t i = 0; i < n; ++i) ASSERT_EQ(alone[i], keys[want[i]]) << n;
    lookback::quicksort(cpu::seq.with(tuning), keys, places, less);
    EXPECT_EQ(places, want) << n;
    EXPECT_EQ(keys, alone) << n;
  }
}
TEST_F(cpu_sample_sort, of_few_numbers_at_every_level) {
  for (auto const level : {cpu::simd_level::automatic, cpu::simd_level::portable, cpu::simd_level::avx2, cpu::simd_level::avx512}) {
    SCOPED_TRACE(static_cast<int>(level));
    check_few_numbers<std::int8_t>(level);
    check_few_numbers<std::uint16_t>(level);
    check_few_numbers<std::uint32_t>(level);
    check_few_numbers<std::int64_t>(level);
    check_few_numbers<float>(level);
    check_few_numbers<double>(level);
  }
}

/// Says of items what makes most of those to come one class, in every split: each new item that is compared is the least one so far
/// that has been told apart. Source: McIlroy, A killer adversary for quicksort, 1999.
struct adversary {
  std::vector<std::uint32_t> rank;
  std::uint32_t solid = 0, candidate = 0;
  std::int64_t asked = 0;
  /// The first two items are the only ones that are told apart from the start: so the input is in no order.
  explicit adversary(std::size_t n) : rank(n, ~0u) { rank[1] = solid++, rank[0] = solid++; }
  bool operator()(std::uint32_t a, std::uint32_t b) {
    ++asked;
    if (a == b) return false;
    if (rank[a] == ~0u && rank[b] == ~0u) rank[a == candidate ? a : b] = solid++;
    if (rank[a] == ~0u) candidate = a;
    else if (rank[b] == ~0u) candidate = b;
    return rank[a] < rank[b];
  }
};
TEST_F(cpu_sample_sort, takes_n_log_n_comparisons_of_an_adversary) {
  for (std::size_t const n : {std::size_t{1000}, std::size_t{20'000}, std::size_t{harness::sanitized ? 30'000 : 200'000}}) {
    auto const sorts = [&](auto const& make) {
      adversary answers(n);
      words sorted(n);
      make(answers, sorted);
      for (std::size_t i = 1; i < n; ++i) ASSERT_LE(answers.rank[sorted[i - 1]], answers.rank[sorted[i]]) << i;
      EXPECT_LE(static_cast<double>(answers.asked), 6.0 * static_cast<double>(n) * std::log2(static_cast<double>(n))) << n;
    };
    sorts([&](adversary& answers, words& sorted) {
      std::iota(sorted.begin(), sorted.end(), 0u);
      lookback::quicksort(cpu::seq, sorted, std::ref(answers));
    });
    sorts([&](adversary& answers, words& sorted) {
      words keys(n);
      std::iota(keys.begin(), keys.end(), 0u);
      auto cards = cards_of(keys);
      lookback::quicksort(cpu::seq, cards, [&](card const& a, card const& b) { return answers(a.key, b.key); });
      for (std::size_t i = 0; i < n; ++i) sorted[i] = cards[i].key;
    });
  }
}

/// Where all say "before", or "not before", no split leads anywhere: by all workers, too, merges take over.
TEST_F(cpu_sample_sort, ends_where_no_split_helps) {
  std::size_t const n = harness::sanitized ? 5'000 : 50'000;
  auto const keys = random_words(n, 1 << 30);
  auto sorted = keys;
  std::sort(sorted.begin(), sorted.end());
  each_way_to_work([&](auto const& on) {
    for (bool const answer : {true, false}) {
      auto data = keys;
      std::atomic<std::int64_t> asked{0};
      lookback::quicksort(on, data,
                          [&](std::uint32_t, std::uint32_t) { return asked.fetch_add(1, std::memory_order_relaxed), answer; });
      EXPECT_LE(static_cast<double>(asked), 20.0 * static_cast<double>(n) * std::log2(static_cast<double>(n)));
      if (!answer) {
        EXPECT_EQ(data, keys) << "all are equal, so they stay";
      }
      std::sort(data.begin(), data.end());
      EXPECT_EQ(data, sorted);
    }
    // Not sorted, nor falling, and then always the same.
    for (bool const then : {true, false}) {
      auto cards = cards_of(keys);
      std::atomic<std::int64_t> asked{0};
      lookback::quicksort(on, cards, [&](card const&, card const&) {
        auto const number = asked.fetch_add(1);
        return number == 0 || (number > 1 && then);
      });
      std::sort(cards.begin(), cards.end(), [](card const& a, card const& b) { return a.place < b.place; });
      EXPECT_TRUE(cards == cards_of(keys));
    }
    // Equal ones come before each other: they are one class behind all splitters, in every split.
    auto two = keys;
    for (auto& k : two) k %= 2;
    auto const pairs = cards_of(two);
    auto data = pairs;
    lookback::quicksort(on, data, [](card const& a, card const& b) { return a.key <= b.key; });
    std::sort(data.begin(), data.end(), [](card const& a, card const& b) { return a.place < b.place; });
    EXPECT_TRUE(data == pairs);
    // True until so many questions, false from then on; and the other way round.
    for (std::int64_t const turn : {100, 3'000, 60'000, 400'000})
      for (bool const first : {true, false}) {
        auto cards = cards_of(keys);
        std::atomic<std::int64_t> asked{0};
        lookback::quicksort(on, cards, [&](card const&, card const&) { return (asked.fetch_add(1) < turn) == first; });
        std::sort(cards.begin(), cards.end(), [](card const& a, card const& b) { return a.place < b.place; });
        EXPECT_TRUE(cards == cards_of(keys));
      }
  });
}

/// An exception in any phase leaves what there was.
TEST_F(cpu_sample_sort, a_function_may_throw_at_any_time) {
  std::size_t const n = harness::sanitized ? 3'000 : 12'000;
  auto const keys = random_words(n, 1 << 20);
  each_way_to_work([&](auto const& on) {
    std::atomic<std::int64_t> left{std::int64_t{1} << 40};
    auto const less = [&](card const& a, card const& b) {
      if (left.fetch_sub(1, std::memory_order_relaxed) <= 0) throw thrown{a.key};
      return a.key < b.key;
    };
    auto const cards = cards_of(keys);
    auto data = cards;
    lookback::quicksort(on, data, less);
    std::int64_t const all = (std::int64_t{1} << 40) - left;
    for (int part = 0; part < 50; ++part) {
      left = all * part / 50;
      data = cards;
      words places = keys;
      EXPECT_THROW(lookback::quicksort(on, data, places, less), thrown);
      EXPECT_TRUE(data == cards);
      EXPECT_EQ(places, keys);
    }
  });
}

/// Falling input is read as rising input is; equal neighbours keep their order.
TEST_F(cpu_sample_sort, of_reversed_input) {
  std::size_t const n = 40'000;
  for (std::uint32_t const of_each : {1u, 2u}) {
    words keys(n);
    for (std::size_t i = 0; i < n; ++i) keys[i] = static_cast<std::uint32_t>(n - i) / of_each;
    auto const cards = cards_of(keys);
    auto want = cards;
    std::stable_sort(want.begin(), want.end(), by_key{});
    each_way_to_work([&](auto const& on) {
      auto data = cards;
      std::atomic<std::int64_t> asked{0};
      auto const less = [&](card const& a, card const& b) { return asked.fetch_add(1, std::memory_order_relaxed), a.key < b.key; };
      lookback::quicksort(on, data, less);
      EXPECT_TRUE(data == want);
      if (of_each == 1) {
        EXPECT_LE(asked, static_cast<std::int64_t>(n) + 1024);
      }
      std::vector<std::int64_t> places(n);
      data = cards;
      lookback::argsort(on, data, places, less);
      for (std::size_t i = 0; i < n; ++i) ASSERT_EQ(places[i], want[i].place);
    });
  }
}

}  // namespace
