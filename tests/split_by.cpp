// split_by against plain loops: numbers of classes, items of every width, lazy input, classes that nothing is in and items of no
// class.
#include <lookback/split_by.hpp>
#include <span>
#include <string>

#include "array.hpp"
#include "compare.hpp"
#include "fixture.hpp"
#include "refused.hpp"
#include "sort_inputs.hpp"
#include "types.hpp"

using namespace harness;
using lookback::index_t;

struct split_by : on_device {};

/// What tells the class of an item of any type: its first byte.
template <class T>
struct leading {
  LOOKBACK_FN std::uint32_t operator()(T const& x) const {
    if constexpr (std::is_integral_v<T>) return static_cast<std::uint8_t>(x);
    else return static_cast<std::uint8_t>(x.part[0]);
  }
};
/// Classes of [0, k): all of them, or only the last few.
template <class T>
struct leading_class {
  std::uint32_t k, spread;
  LOOKBACK_FN int operator()(T const& x) const { return static_cast<int>(k - 1 - leading<T>{}(x) % spread); }
};

template <std::size_t Words>
struct some_words {
  std::uint32_t part[Words];
  friend bool operator==(some_words const&, some_words const&) = default;
  friend std::ostream& operator<<(std::ostream& to, some_words const& x) { return to << x.part[0] << "..."; }
};
struct bytes_of_three {
  std::uint8_t part[3];
  friend bool operator==(bytes_of_three const&, bytes_of_three const&) = default;
  friend std::ostream& operator<<(std::ostream& to, bytes_of_three const& x) { return to << int{x.part[0]} << "..."; }
};
static_assert(sizeof(bytes_of_three) == 3 && sizeof(some_words<16>) == 64);

template <class T>
std::vector<T> any_items(std::size_t n, std::uint64_t seed) {
  auto const bytes = random_values<std::uint8_t>(n * sizeof(T), seed);
  std::vector<T> items(n);
  if (n > 0) std::memcpy(static_cast<void*>(items.data()), bytes.data(), bytes.size());
  return items;
}

template <class T>
struct split_items {
  std::vector<T> out;
  std::vector<index_t> starts{0};
};
/// class(i) of item i; one that is not in [0, k) drops it.
template <class T, class Class>
split_items<T> in_classes(std::vector<T> const& in, int k, Class class_of_item) {
  std::vector<std::vector<T>> classes(static_cast<std::size_t>(k));
  for (std::size_t i = 0; i < in.size(); ++i)
    if (int const c = class_of_item(in[i]); c >= 0 && c < k) classes[static_cast<std::size_t>(c)].push_back(in[i]);
  split_items<T> all;
  for (auto const& items : classes) {
    all.out.insert(all.out.end(), items.begin(), items.end());
    all.starts.push_back(std::ssize(all.out));
  }
  return all;
}

template <int k, class T>
void check_split_by(std::vector<T> const& in, std::uint32_t spread, std::size_t misaligned) {
  SCOPED_TRACE(std::to_string(in.size()) + " items of " + std::to_string(sizeof(T)) + " bytes in " + std::to_string(spread) +
               " of " + std::to_string(k) + " classes");
  leading_class<T> const by{k, spread};
  auto const want = in_classes(in, k, by);
  array<T> const source(in, misaligned);
  each_policy([&](auto const& on) {
    array<T> out(in.size(), 3 * misaligned);
    array<index_t> starts(k + 1);
    lookback::split_by<k>(on, source, out, by, starts);
    EXPECT_TRUE(same(out.host(), want.out));
    EXPECT_TRUE(same(starts.host(), want.starts));
    EXPECT_TRUE(out.intact() && starts.intact());
  });
  EXPECT_TRUE(same(source.host(), in));
}

template <int k>
void check_classes() {
  for (std::size_t const misaligned : {0, 1})
    for (std::size_t const n : {std::size_t{0}, std::size_t{1}, std::size_t{33}, std::size_t{4097}, up_to(100'003)}) {
      auto const in = random_values<std::uint32_t>(n, n);
      check_split_by<k>(in, k, misaligned);
      check_split_by<k>(in, 1, misaligned);               // all in the last
      check_split_by<k>(in, std::min(k, 5), misaligned);  // the others are empty
    }
}
TEST_F(split_by, into_any_number_of_classes) {
  check_classes<1>();
  check_classes<2>();
  check_classes<3>();
  check_classes<16>();
  check_classes<255>();
  check_classes<256>();
}

/// Around tiles, too.
TEST_F(split_by, of_every_size) {
  for (std::size_t const n : sort_sizes(up_to(1'000'000))) check_split_by<256>(random_values<std::uint32_t>(n, n), 256, 0);
}

template <class T>
void check_width() {
  for (std::size_t const misaligned : {0, 1})
    for (std::size_t const n : {std::size_t{33}, std::size_t{4097}, up_to(30'011)}) {
      check_split_by<16>(any_items<T>(n, n), 16, misaligned);
      check_split_by<256>(any_items<T>(n, n), 200, misaligned);
    }
}
TEST_F(split_by, of_items_of_every_width) {
  check_width<std::uint8_t>();
  check_width<std::uint16_t>();
  check_width<bytes_of_three>();
  check_width<std::uint64_t>();
  check_width<some_words<3>>();
  check_width<some_words<4>>();
  check_width<some_words<6>>();
  check_width<some_words<8>>();
  check_width<some_words<16>>();
}

struct scrambled {
  LOOKBACK_FN std::uint32_t operator()(index_t i) const { return static_cast<std::uint32_t>(i) * 2654435761u >> 7; }
};
struct halved {
  LOOKBACK_FN std::uint32_t operator()(std::uint64_t x) const { return static_cast<std::uint32_t>(x >> 32); }
};

/// Items that are made when they are read; and how many there are lies in memory.
TEST_F(split_by, of_what_is_not_in_memory) {
  std::size_t const n = up_to(50'021);
  auto const bound = static_cast<index_t>(n);
  auto const in = random_values<std::uint64_t>(n, 1);
  leading_class<std::uint32_t> const by{16, 13};
  array<std::uint64_t> const source(in);
  for (index_t const count : {index_t{0}, index_t{1}, bound / 2, bound, bound + 5, index_t{-3}}) {
    SCOPED_TRACE("count " + std::to_string(count));
    auto const some = static_cast<std::size_t>(std::clamp<index_t>(count, 0, bound));
    std::vector<std::uint32_t> made, halves;
    for (std::size_t i = 0; i < some; ++i) made.push_back(scrambled{}(static_cast<index_t>(i))), halves.push_back(halved{}(in[i]));
    auto const before = random_values<std::uint32_t>(n, 2);
    array<index_t> const number(std::vector<index_t>{count});
    lookback::size const known{bound, number.data()};
    auto const check = [&](auto const& items, std::vector<std::uint32_t> const& values) {
      auto want = in_classes(values, 16, by);
      want.out.insert(want.out.end(), before.begin() + std::ssize(want.out), before.end());
      each_policy([&](auto const& on) {
        array<std::uint32_t> out(before);
        array<index_t> starts(17);
        lookback::split_by_async<16>(on, items, out, by, starts);
        wait(on);
        EXPECT_TRUE(same(out.host(), want.out));
        EXPECT_TRUE(same(starts.host(), want.starts));
        EXPECT_TRUE(out.intact() && starts.intact());
      });
    };
    check(lookback::first(lookback::generate(bound, scrambled{}), known), made);
    check(lookback::first(lookback::mapped(source, halved{}), known), halves);
  }
}

/// From -3 to 12: more and less than there are.
struct wild {
  LOOKBACK_FN int operator()(std::uint32_t x) const { return static_cast<int>(x % 16) - 3; }
};
/// And far from all classes.
struct far_off {
  LOOKBACK_FN int operator()(std::uint32_t x) const {
    return x % 8 == 7 ? (x % 16 == 7 ? 1 << 30 : -(1 << 30)) : static_cast<int>(x % 8);
  }
};

/// An item of no class is dropped; a build with assertions says so instead, before anything is written (on the CPU).
template <int k, class By>
void check_dropped(std::size_t n, By by) {
  SCOPED_TRACE(std::to_string(n) + " items, " + std::to_string(k) + " classes");
  auto const in = random_values<std::uint32_t>(n, n), before = random_values<std::uint32_t>(n, n + 1);
  auto want = in_classes(in, k, by);
  bool const throws = lookback::detail::asserts && !on_gpu && std::ssize(want.out) < std::ssize(in);
  if (throws) want.out = before;
  else want.out.insert(want.out.end(), before.begin() + std::ssize(want.out), before.end());
  array<std::uint32_t> const source(in);
  each_policy([&](auto const& on) {
    array<std::uint32_t> out(before);
    array<index_t> starts(k + 1);
    auto const call = [&] { lookback::split_by<k>(on, source, out, by, starts); };
    if (throws) {
      EXPECT_THROW(call(), lookback::invalid_argument);
    } else {
      call();
      EXPECT_TRUE(same(starts.host(), want.starts));
    }
    EXPECT_TRUE(same(out.host(), want.out));
    EXPECT_TRUE(out.intact() && starts.intact());
  });
}
/// Slow at some items, which are others in every run.
struct dawdling_class {
  std::uint32_t run;
  ON_DEVICE int operator()(std::uint32_t x) const {
    std::uint32_t volatile turns = (x ^ run * 0x9E3779B9u) % 4093 == 0 ? 3000 : 0;
    while (turns != 0) turns = turns - 1;
    return static_cast<int>(x % 100);
  }
};
TEST_F(split_by, with_stalls) {
  for (std::uint32_t const run : {1u, 2u, 3u}) {
    auto const in = random_values<std::uint32_t>(up_to(on_gpu ? 1'000'003 : 100'003), run);
    auto const want = in_classes(in, 100, dawdling_class{run});
    each_policy([&](auto const& on) {
      array<std::uint32_t> const source(in);
      array<std::uint32_t> out(in.size());
      array<index_t> starts(101);
      lookback::split_by<100>(on, source, out, dawdling_class{run}, starts);
      EXPECT_TRUE(same(out.host(), want.out));
      EXPECT_TRUE(same(starts.host(), want.starts));
    });
  }
}

TEST_F(split_by, drops_items_of_no_class) {
  for (std::size_t const n : {std::size_t{0}, std::size_t{1}, std::size_t{33}, std::size_t{5000}, up_to(100'003)}) {
    check_dropped<10>(n, wild{});
    check_dropped<255>(n, wild{});
    check_dropped<256>(n, far_off{});
  }
}

TEST_F(split_by, overlap_and_short_arrays_are_refused) {
  constexpr std::size_t number = 1000, more = 3 * number;
  each_policy([&](auto const& on) {
    array<std::uint64_t> memory(random_values<std::uint64_t>(more, 1));
    auto const words_from = [&](std::size_t begin, std::size_t count) {
      return std::span(reinterpret_cast<std::uint32_t*>(memory.data() + begin), count);
    };
    auto const starts_from = [&](std::size_t begin, std::size_t count) {
      return std::span(reinterpret_cast<index_t*>(memory.data() + begin), count);
    };
    auto const in = words_from(0, number), out = words_from(number, number);
    auto const starts = starts_from(2 * number, 17);
    leading_class<std::uint32_t> const by{16, 16};
    auto const refused = [&](std::string const& why, auto const& items, auto const& to, auto const& where) {
      expect_refused(
          memory, [&] { lookback::split_by<16>(on, items, to, by, where); }, why);
    };
    auto const counted = [&](std::size_t at) {
      return lookback::first(in, {static_cast<index_t>(number), starts_from(at, 1).data()});
    };
    refused("number of items", counted(number + 7), out, starts);
    refused("number of items", counted(2 * number + 16), out, starts);
    refused("out does not overlap", in, in, starts);
    refused("out does not overlap", in, words_from(number / 2 - 1, number), starts);
    refused("starts overlap neither", in, out, starts_from(0, 17));
    refused("starts overlap neither", in, out, starts_from(number / 2 - 1, 17));
    refused("starts overlap neither", in, out, starts_from(number, 17));
    refused("starts overlap neither", in, out, starts_from(number - 16, 17));
    refused("", in, out.first(number - 1), starts);
    refused("starts has a place", in, out, starts.first(16));
    refused("negative", lookback::first(in, index_t{-1}), out, starts);
    expect_refused(
        memory, [&] { lookback::split_by<16>(on.with(lookback::right_to_left), in, out, by, starts); }, "no direction");
  });
}
