// split and enumerate against plain loops.
#include <lookback/split.hpp>
#include <span>

#include "array.hpp"
#include "compare.hpp"
#include "edge_sizes.hpp"
#include "fixture.hpp"
#include "front.hpp"
#include "refused.hpp"
#include "types.hpp"

using namespace harness;
using lookback::index_t;

struct split : on_device {};

/// Flags of any value that is not zero, set `per_mille` times in a thousand.
template <class Flag>
std::vector<Flag> some_flags(std::size_t n, std::uint64_t per_mille) {
  generator random(n + per_mille);
  std::vector<Flag> flags(n);
  for (std::size_t i = 0; i < n; ++i)
    if (random.below(1000) < per_mille) flags[i] = static_cast<Flag>(Flag{1} << (i % (8 * sizeof(Flag))));
  return flags;
}

constexpr std::uint64_t shares[] = {0, 10, 500, 990, 1000};

template <class T, class Flag>
std::vector<T> parted(std::vector<T> const& in, std::vector<Flag> const& flags) {
  std::vector<T> out;
  for (bool const set : {false, true})
    for (std::size_t i = 0; i < in.size(); ++i)
      if ((flags[i] != 0) == set) out.push_back(in[i]);
  return out;
}

template <class T, class Flag>
void check_split(std::size_t n, std::uint64_t share, std::size_t misaligned) {
  SCOPED_TRACE("n = " + std::to_string(n) + ", " + std::to_string(share) + " of 1000");
  auto const in = random_values<T>(n, n);
  auto const flags = some_flags<Flag>(n, share);
  auto const want = parted(in, flags);
  auto const without = static_cast<index_t>(std::count(flags.begin(), flags.end(), Flag{0}));
  array<T> const source(in, misaligned);
  array<Flag> const by(flags, 3 * misaligned);
  each_policy([&](auto const& on) {
    array<T> out(n, 2 * misaligned), again(n);
    array<index_t> counts(2);
    EXPECT_EQ(lookback::split(on, source, by, out), without);
    EXPECT_TRUE(same(out.host(), want));
    EXPECT_TRUE(out.intact());
    lookback::split_async(on, source, by, again, counts.data());
    wait(on);
    EXPECT_TRUE(same(again.host(), want));
    EXPECT_TRUE(same(counts.host(), {without, static_cast<index_t>(n) - without}));
  });
}

TEST_F(split, by_flags_of_every_width) {
  for (std::size_t const misaligned : {0, 1})
    for (std::size_t const n : {std::size_t{0}, std::size_t{1}, std::size_t{33}, std::size_t{4097}, up_to(100'003)})
      for (auto const share : shares) {
        check_split<std::uint32_t, flag>(n, share, misaligned);
        check_split<double, std::uint32_t>(n, share, misaligned);
        check_split<triple, std::uint64_t>(n, share, misaligned);
      }
}

TEST_F(split, of_every_size) {
  for (std::size_t const n : edge_sizes<std::uint32_t>(small() ? 1 << 16 : 1 << 20)) check_split<std::uint32_t, flag>(n, 300, 0);
}

struct place {
  LOOKBACK_FN std::int32_t operator()(index_t i) const { return static_cast<std::int32_t>(i); }
};
struct third_bit {
  LOOKBACK_FN int operator()(std::uint32_t x) const { return static_cast<int>(x >> 3 & 1); }
};

/// Lazy items and flags; and how many there are lies in memory.
TEST_F(split, of_what_is_not_in_memory) {
  std::size_t const n = up_to(50'021);
  auto const in = random_values<std::uint32_t>(n, 1);
  array<std::uint32_t> const source(in);
  for (std::size_t const some : {std::size_t{0}, std::size_t{1}, n / 2, n}) {
    std::vector<std::int32_t> places;
    std::vector<std::uint32_t> bits;
    for (std::size_t i = 0; i < some; ++i) places.push_back(static_cast<std::int32_t>(i)), bits.push_back(in[i] >> 3 & 1);
    auto const want = parted(places, bits);
    array<index_t> const number(std::vector<index_t>{static_cast<index_t>(some)});
    each_policy([&](auto const& on) {
      array<std::int32_t> out(n);
      array<index_t> counts(2);
      auto const items = lookback::first(lookback::generate(static_cast<index_t>(n), place{}),
                                         lookback::size{static_cast<index_t>(n), number.data()});
      lookback::split_async(on, items, lookback::mapped(source, third_bit{}), out, counts.data());
      wait(on);
      expect_front(out, static_cast<index_t>(some), want);
      auto const ones = static_cast<index_t>(std::count(bits.begin(), bits.end(), 1u));
      EXPECT_TRUE(same(counts.host(), {static_cast<index_t>(some) - ones, ones}));
    });
  }
}

TEST_F(split, overlap_and_short_arrays_are_refused) {
  constexpr std::size_t number = 1000;
  each_policy([&](auto const& on) {
    array<std::uint32_t> memory(random_values<std::uint32_t>(3 * number, 1));
    auto const part = [&](std::size_t begin, std::size_t count) { return std::span(memory.data() + begin, count); };
    auto const in = part(0, number), flags = part(number, number), out = part(2 * number, number);
    expect_refused(memory, [&] { lookback::split(on, in, flags, in); });
    expect_refused(memory, [&] { lookback::split(on, in, flags, part(1, number)); });
    expect_refused(memory, [&] { lookback::split(on, in, flags, part(number + 1, number)); });
    expect_refused(memory, [&] { lookback::split(on, in, flags, out.first(number - 1)); });
    expect_refused(memory, [&] { lookback::split(on, in, flags.first(number - 1), out); });
    expect_refused(memory, [&] { lookback::split(on.with(lookback::right_to_left), in, flags, out); });
  });
}

struct enumerate : on_device {};

template <class Flag, class Number>
void check_enumerate(std::size_t n, std::uint64_t share, std::size_t misaligned) {
  SCOPED_TRACE("n = " + std::to_string(n) + ", " + std::to_string(share) + " of 1000");
  auto const flags = some_flags<Flag>(n, share);
  std::vector<Number> want;
  Number so_far = 0;
  for (auto const f : flags) {
    want.push_back(so_far);
    if (f != 0) ++so_far;
  }
  array<Flag> const source(flags, misaligned);
  each_policy([&](auto const& on) {
    array<Number> out(n, misaligned);
    lookback::enumerate(on, source, out);
    EXPECT_TRUE(same(out.host(), want));
    EXPECT_TRUE(out.intact());
  });
}

TEST_F(enumerate, counts_the_flags_before_each) {
  for (std::size_t const misaligned : {0, 1})
    for (std::size_t const n : {std::size_t{0}, std::size_t{1}, std::size_t{33}, std::size_t{4097}, up_to(100'003)})
      for (auto const share : shares) {
        check_enumerate<flag, std::int32_t>(n, share, misaligned);
        check_enumerate<std::uint32_t, std::uint32_t>(n, share, misaligned);
        check_enumerate<std::uint64_t, std::int64_t>(n, share, misaligned);
      }
}

/// In place: a number takes the place of its flag.
TEST_F(enumerate, in_place) {
  auto const flags = some_flags<std::uint32_t>(10'007, 500);
  std::vector<std::uint32_t> want;
  std::uint32_t so_far = 0;
  for (auto const f : flags) want.push_back(so_far), so_far += f != 0;
  each_policy([&](auto const& on) {
    array<std::uint32_t> data(flags);
    lookback::enumerate(on, data, data);
    EXPECT_TRUE(same(data.host(), want));
  });
}
