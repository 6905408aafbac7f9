// sort_strings against std::stable_sort by memcmp: strings of every shape, every type of order, every way to say where they lie.
#include <algorithm>
#include <cstring>
#include <lookback/sort_strings.hpp>
#include <numeric>
#include <span>
#include <string>
#include <vector>

#include "array.hpp"
#include "fixture.hpp"
#include "random.hpp"
#include "refused.hpp"

using namespace harness;

struct sort_strings : on_device {};

using texts = std::vector<std::string>;

bool comes_before(std::string const& a, std::string const& b) {
  int const difference = std::memcmp(a.data(), b.data(), std::min(a.size(), b.size()));
  return difference != 0 ? difference < 0 : a.size() < b.size();
}
template <class Place>
std::vector<Place> order_of(texts const& all, bool falls = false) {
  std::vector<Place> order(all.size());
  std::iota(order.begin(), order.end(), Place{0});
  std::stable_sort(order.begin(), order.end(), [&](Place a, Place b) {
    auto const &x = all[static_cast<std::size_t>(a)], &y = all[static_cast<std::size_t>(b)];
    return falls ? comes_before(y, x) : comes_before(x, y);
  });
  return order;
}
std::vector<char> joined(texts const& all, std::string const& end = "") {
  std::vector<char> characters;
  for (auto const& s : all) {
    characters.insert(characters.end(), s.begin(), s.end());
    characters.insert(characters.end(), end.begin(), end.end());
  }
  return characters;
}
template <class Position>
std::vector<Position> offsets_of(texts const& all, std::size_t end = 0) {
  std::vector<Position> offsets{0};
  for (auto const& s : all) offsets.push_back(offsets.back() + static_cast<Position>(s.size() + end));
  return offsets;
}

/// Under every policy, with characters that begin anywhere and end where memory does.
void check(char const* name, texts const& all, std::size_t misaligned = 0) {
  SCOPED_TRACE(std::string(name) + ", " + std::to_string(all.size()) + " strings");
  auto const want = order_of<std::uint32_t>(all);
  array<char> const characters(joined(all), misaligned);
  array<std::int64_t> const offsets(offsets_of<std::int64_t>(all));
  each_policy([&](auto const& on) {
    array<std::uint32_t> order(all.size(), misaligned);
    lookback::sort_strings(on, characters, lookback::offsets(offsets), order);
    EXPECT_TRUE(order.host() == want);
    EXPECT_TRUE(order.intact()) << "written outside an array";
  });
}

/// Few strings, and more of the same than a CPU sorts without rounds of passes.
std::size_t const many = static_cast<std::size_t>(lookback::detail::few_left) + 100;
void check_few_and_many(char const* name, texts all, std::size_t times = 2) {
  check(name, all);
  std::size_t const few = all.size();
  if (on_gpu && small()) return;
  while (all.size() < times * many) all.push_back(all[all.size() - few]);
  check(name, all);
}

/// `most` letters of an alphabet of `letters` from `first` on.
std::string any_string(generator& random, std::size_t most, int letters, int first) {
  std::string s(random.below(most + 1), ' ');
  for (auto& c : s) c = static_cast<char>(first + static_cast<int>(random.below(static_cast<std::uint64_t>(letters))));
  return s;
}
texts any_strings(std::size_t n, std::size_t most, int letters, int first, std::uint64_t seed) {
  generator random(seed);
  texts all(n);
  for (auto& s : all) s = any_string(random, most, letters, first);
  return all;
}

TEST_F(sort_strings, of_few) {
  check("none", {});
  check("one", {"alone"});
  check("one that is empty", {""});
  check("two", {"b", "a"});
  check("empty ones", {"", "b", "", "", "a", ""});
  check("prefixes",
        {"abcdefgh", "abcdefg", "abcdef", "abcdefghi", "abcdefg", "abcdefghijklmnop", "abcdefghijklmno", "abcdefghijklmn"});
  check("all equal", texts(100, "the same"));
  check("all equal and long", texts(50, std::string(1000, 'x')));
}

TEST_F(sort_strings, zeros_and_high_bytes_are_characters) {
  using namespace std::string_literals;
  check_few_and_many("zeros",
                     {"ab\0"s, "ab"s, "ab\0\0"s, "\0"s, ""s, "ab\0c"s, "ab\1"s, "abcdefg\0"s, "abcdefg"s, "abcdefg\0\0"s,
                      "\0\0\0\0\0\0\0\0"s, "\0\0\0\0\0\0\0"s},
                     5);
  check_few_and_many(
      "high bytes",
      {"\x80", "\x7f", "\xff", "a\xff", "a", "a\x80", "\xff\xff\xff\xff\xff\xff\xff\xff", "\xff\xff\xff\xff\xff\xff\xff"}, 9);
  check("zeros and high bytes", any_strings(up_to(5000), 20, 256, 0, 1));
  check("zeros and ones", any_strings(up_to(5000), 30, 2, 0, 2));
}

TEST_F(sort_strings, with_many_equal_ones) {
  auto const words = any_strings(500, 12, 26, 'a', 3);
  generator random(4);
  texts all(up_to(100'000));
  for (auto& s : all) s = words[std::min(random.below(words.size()), random.below(words.size()))];
  check("words", all);
  for (auto& s : all) s += s + s + s;
  check("long words", all, 1);
}

TEST_F(sort_strings, with_common_beginnings_of_every_length) {
  generator random(5);
  texts all;
  for (std::size_t length = 0; length <= 40; ++length)
    for (int k = 0; k < 30; ++k) all.push_back(std::string(length, 'p') + any_string(random, 3, 3, 'o'));
  for (std::size_t k = all.size(); k > 1; --k) std::swap(all[k - 1], all[random.below(k)]);
  check_few_and_many("common beginnings", all);
  texts powers;
  for (std::size_t length = 0; length < 400; ++length) powers.emplace_back((length * 7919) % 400, 'a');
  check_few_and_many("powers of one letter", powers);
}

/// What is passed over ends where strings differ: at every place of a key and of what is looked at, in few and in many.
TEST_F(sort_strings, that_differ_behind_a_beginning_of_any_length) {
  for (std::size_t length = 0; length < 160; ++length) {
    texts all;
    for (int k = 0; k < 12; ++k)
      all.push_back(std::string(length, 'p') + std::string(1, static_cast<char>('r' - k % 3)) + "behind it");
    check("few", all);
    if (length < 65 || length > 90 || (on_gpu && small())) continue;
    while (all.size() < 2 * many) all.push_back(all[all.size() - 12]);
    check("many", all);
  }
  for (std::size_t shortest = 0; shortest < 6; ++shortest) {
    texts all(6, std::string(50, 'p').append("behind it"));  // append: g++ 12 at -O1 warns of operator+ without cause
    all[shortest] = std::string(30, 'p').append("a word that comes first, and is long");
    check("one that differs earlier", all);
  }
}

/// So many rounds that one looks ahead for 64 characters, then for 256, and finds less at last.
TEST_F(sort_strings, many_with_long_beginnings) {
  generator random(10);
  texts all;
  for (std::size_t k = 0; k < 2 * many; ++k) {
    auto const half = k % 2;
    all.push_back(std::string(400 * half + 90, 'm') + any_string(random, 9, 2, 'l'));
  }
  check("long beginnings", on_gpu && small() ? texts(all.begin(), all.begin() + 1000) : all);
}

/// Around the numbers of strings that a CPU compares, sorts by insertion, in equal runs and in unequal ones, and without passes.
TEST_F(sort_strings, of_every_size_that_is_few) {
  std::vector<std::size_t> sizes{2,  3,  4,  5,  6,   15,  16,  17,  31,  32,  33,  47,
                                 48, 49, 64, 65, 100, 128, 129, 255, 256, 257, 300, 1000};
  for (auto const n : sizes) {
    check("of two letters", any_strings(n, 30, 2, 'a', n));
    check("of two bytes", any_strings(n, 12, 2, 127, n));
    check("short ones", any_strings(n, 3, 2, 0, n));
    texts all = any_strings(n, 8, 256, 0, n);
    for (auto& s : all) s.insert(0, 50, '\xfe');
    check("with a common beginning", all);
    std::sort(all.begin(), all.end(), comes_before);
    check("sorted", all);
    std::reverse(all.begin(), all.end());
    check("reversed", all);
  }
  if (on_gpu && small()) return;
  for (std::size_t const n : {many - 101, many - 100, many - 99}) {
    texts all = any_strings(n, 30, 2, 'a', n);
    for (auto& s : all) s.insert(0, 20, 'b');
    check("of two letters behind a common beginning", all);
  }
}

TEST_F(sort_strings, with_long_beginnings) {
  std::size_t const megabyte = small() ? std::size_t{1} << 16 : std::size_t{1} << 20;
  generator random(6);
  texts all;
  for (int k = 0; k < 8; ++k) all.push_back(std::string(megabyte + random.below(3), 'm') + any_string(random, 2, 2, 'l'));
  for (int k = 0; k < 8; ++k) all.push_back(std::string(megabyte / 2, 'm') + any_string(random, 9, 2, 'l'));
  all.push_back(all.front());
  for (int k = 0; k < 100; ++k) all.push_back(any_string(random, 12, 2, 'l'));
  check("a megabyte", all);
  check("a megabyte of equal ones", texts(9, all.front()));
}

/// The last strings end where memory does, and begin at every place in a word.
TEST_F(sort_strings, at_the_end_of_characters) {
  for (std::size_t length = 0; length <= 20; ++length)
    for (std::size_t const misaligned : {0, 1, 7}) {
      texts all{std::string(length, 'b'), std::string(length, 'b')};
      all.push_back(std::string(length / 2, 'b'));
      all.push_back(std::string(length, 'b') + std::string(length % 9, 'a'));
      check("at the end", all, misaligned);
      // Of exactly that size, so that a sanitizer sees what is read behind it.
      auto const exact = joined(all);
      auto const offsets = offsets_of<std::int64_t>(all);
      each_policy([&]([[maybe_unused]] auto const& on) {
        if constexpr (!on_gpu) {
          std::vector<std::int32_t> order(all.size());
          lookback::sort_strings(on, exact, lookback::offsets(offsets), order);
          EXPECT_EQ(order, order_of<std::int32_t>(all));
        }
      });
    }
}

TEST_F(sort_strings, of_every_type_of_order_and_description) {
  std::vector<std::size_t> sizes{1, 2, 5, 100, 256, 257, 1000, up_to(20'011)};
  if (!on_gpu) sizes.push_back(2 * many);
  for (auto const n : sizes) {
    auto const all = any_strings(n, 24, 2, n % 2 == 0 ? 'a' : 127, n);
    array<char> const characters(joined(all)), lines(joined(all, "\n"));
    array<std::byte> const bytes([&] {
      auto const of = joined(all);
      std::vector<std::byte> as_bytes(of.size());
      std::transform(of.begin(), of.end(), as_bytes.begin(), [](char c) { return static_cast<std::byte>(c); });
      return as_bytes;
    }());
    auto const wide = offsets_of<std::int64_t>(all);
    auto const narrow = offsets_of<std::int32_t>(all);
    auto const lines_begin = offsets_of<std::int64_t>(all, 1);
    array<std::int64_t> const offsets(wide), begins_of_lines(lines_begin);
    array<std::int32_t> const offsets32(narrow), begins(std::vector<std::int32_t>(narrow.begin(), narrow.end() - 1)),
        ends(std::vector<std::int32_t>(narrow.begin() + 1, narrow.end()));
    each_policy([&](auto const& on) {
      array<std::int32_t> by_signed(n), falling(n), by_pairs(n);
      array<std::uint32_t> by_unsigned(n), of_lines(n), falling_lines(n);
      array<std::int64_t> by_wide(n);
      lookback::sort_strings(on, characters, lookback::offsets(offsets32), by_signed);
      lookback::sort_strings(on, bytes, lookback::offsets(offsets), by_unsigned);
      lookback::sort_strings(on, characters, lookback::offsets(offsets), by_wide);
      lookback::sort_strings(on, characters, lookback::offsets(begins, ends), by_pairs);
      lookback::sort_strings(on, characters, lookback::offsets(offsets), falling, lookback::descending);
      lookback::sort_strings(on, lines, lookback::offsets(begins_of_lines), of_lines, lookback::terminated);
      lookback::sort_strings(on, lines, lookback::offsets(begins_of_lines), falling_lines, lookback::descending,
                             lookback::terminated);
      EXPECT_TRUE(by_signed.host() == order_of<std::int32_t>(all));
      EXPECT_TRUE(by_unsigned.host() == order_of<std::uint32_t>(all));
      EXPECT_TRUE(by_wide.host() == order_of<std::int64_t>(all));
      EXPECT_TRUE(by_pairs.host() == order_of<std::int32_t>(all));
      EXPECT_TRUE(falling.host() == order_of<std::int32_t>(all, true));
      EXPECT_TRUE(of_lines.host() == order_of<std::uint32_t>(all));
      EXPECT_TRUE(falling_lines.host() == order_of<std::uint32_t>(all, true));
      EXPECT_TRUE(by_signed.intact() && by_unsigned.intact() && by_wide.intact() && by_pairs.intact());
    });
  }
}

/// The suffixes of a text, each up to 300 characters of it.
void check_suffixes(std::size_t n) {
  SCOPED_TRACE(n);
  generator random(8);
  std::string text(n, ' ');
  for (auto& c : text) c = static_cast<char>('a' + random.below(2));
  texts all;
  std::vector<std::int64_t> begins, ends;
  for (std::size_t i = 0; i < n; ++i) {
    all.push_back(text.substr(i, 300));
    begins.push_back(static_cast<std::int64_t>(i)), ends.push_back(static_cast<std::int64_t>(i + all.back().size()));
  }
  array<char> const characters(std::vector<char>(text.begin(), text.end()));
  array<std::int64_t> const from(begins), to(ends);
  each_policy([&](auto const& on) {
    array<std::int32_t> order(n);
    lookback::sort_strings(on, characters, lookback::offsets(from, to), order);
    EXPECT_TRUE(order.host() == order_of<std::int32_t>(all));
  });
}

/// Strings overlap, and each has a beginning in common with others.
TEST_F(sort_strings, that_overlap) {
  for (std::size_t const n : {std::size_t{40}, std::size_t{256}, up_to(3000), on_gpu ? std::size_t{500} : many + many / 4})
    check_suffixes(n);
}

void check_wrong_offsets(std::size_t n) {
  SCOPED_TRACE(n);
  array<char> const characters(std::vector<char>(1000, 'c'));
  generator random(9);
  std::vector<std::int64_t> wrong(n + 1);
  for (auto& o : wrong) o = static_cast<std::int64_t>(random.below(4000)) - 1500;
  wrong[7] = std::int64_t{1} << 60, wrong[8] = -(std::int64_t{1} << 60);
  array<std::int64_t> const offsets(wrong);
  each_policy([&](auto const& on) {
    array<std::int32_t> order(n);
    if (lookback::detail::asserts && !on_gpu)
      return expect_refused(
          order, [&] { lookback::sort_strings(on, characters, lookback::offsets(offsets), order); }, "among the characters");
    lookback::sort_strings(on, characters, lookback::offsets(offsets), order);
    auto got = order.host();
    std::sort(got.begin(), got.end());
    for (std::size_t i = 0; i < got.size(); ++i) ASSERT_EQ(got[i], static_cast<std::int32_t>(i));
    EXPECT_TRUE(order.intact());
  });
}

/// They are followed nowhere.
TEST_F(sort_strings, wrong_offsets_touch_no_other_memory) {
  for (std::size_t const n : {std::size_t{10}, std::size_t{100}, std::size_t{500}, on_gpu ? std::size_t{2000} : 2 * many})
    check_wrong_offsets(n);
}

TEST_F(sort_strings, what_is_refused) {
  array<std::int32_t> memory(random_values<std::int32_t>(300, 1));
  each_policy([&](auto const& on) {
    auto const part = [&](std::size_t begin, std::size_t n) { return std::span<std::int32_t>(memory.data() + begin, n); };
    auto const characters = std::span<char const>(reinterpret_cast<char const*>(memory.data()), 400);
    expect_refused(
        memory, [&] { lookback::sort_strings(on, characters, lookback::offsets(part(100, 100)), part(200, 98)); },
        "room for every string");
    expect_refused(
        memory, [&] { lookback::sort_strings(on, characters, lookback::offsets(part(100, 101)), part(200, 100)); }, "offsets");
    expect_refused(
        memory, [&] { lookback::sort_strings(on, characters, lookback::offsets(part(100, 50)), part(99, 49)); }, "overlap");
    expect_refused(
        memory, [&] { lookback::sort_strings(on, characters, lookback::head_flags(part(100, 50)), part(200, 49)); }, "offsets");
    expect_refused(
        memory,
        [&] {
          lookback::sort_strings(on.with(lookback::right_to_left), characters, lookback::offsets(part(100, 50)), part(200, 49));
        },
        "direction");
  });
}
