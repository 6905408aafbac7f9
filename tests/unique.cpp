// unique against a plain loop: runs of every length, keys of every width, any equality, in place too.
#include <cmath>
#include <limits>
#include <lookback/unique.hpp>
#include <span>

#include "array.hpp"
#include "compare.hpp"
#include "edge_sizes.hpp"
#include "fixture.hpp"
#include "random.hpp"
#include "refused.hpp"
#include "shapes.hpp"
#include "types.hpp"

using namespace harness;
using lookback::index_t;

/// Items that change where h begins a segment, and there only.
template <class T>
std::vector<T> items_of(heads const& h) {
  generator random(h.size());
  std::vector<T> items(h.size());
  T now{};
  for (std::size_t i = 0; i < h.size(); ++i) {
    if (i > 0 && h[i] != 0) {
      T const before = now;
      while (now == before) now = random_values<T>(1, random.next())[0];
    }
    items[i] = now;
  }
  return items;
}

template <class T, class Equal>
std::vector<T> firsts_of(std::vector<T> const& in, Equal equal) {
  std::vector<T> firsts;
  for (std::size_t i = 0; i < in.size(); ++i)
    if (i == 0 || !equal(in[i - 1], in[i])) firsts.push_back(in[i]);
  return firsts;
}

/// Out of place, and in place.
template <class T, class Equal>
void check_unique(std::vector<T> const& in, std::size_t misaligned, Equal equal) {
  auto const want = firsts_of(in, equal);
  array<T> const source(in, misaligned);
  each_policy([&](auto const& on) {
    array<T> out(in.size(), 3 * misaligned), data(in, misaligned);
    for (array<T>* const into : {&out, &data}) {
      index_t const count = into == &out ? lookback::unique(on, source, out, equal) : lookback::unique(on, data, equal);
      auto got = into->host();
      ASSERT_EQ(count, std::ssize(want));
      got.resize(want.size());
      EXPECT_TRUE(same(got, want));
      EXPECT_TRUE(into->intact());
    }
  });
}

template <class T>
struct unique_types : on_device {};
using keys_of_every_width = ::testing::Types<std::uint8_t, std::int16_t, std::uint32_t, double, triple, matrix, wide>;
TYPED_TEST_SUITE(unique_types, keys_of_every_width);

TYPED_TEST(unique_types, equals_the_plain_loop) {
  using T = TypeParam;
  std::size_t const tile = tile_items<T>();
  for (std::size_t const misaligned : {0, 1})
    for (std::size_t const n :
         {std::size_t{0}, std::size_t{1}, std::size_t{2}, tile - 1, tile, tile + 1, 2 * tile + 1, up_to(200'003)})
      for (auto const& s : shapes(n, tile)) {
        SCOPED_TRACE(s.name + ", n = " + std::to_string(n));
        check_unique(items_of<T>(s.heads), misaligned, lookback::equal_to{});
      }
}

struct unique : on_device {};

TEST_F(unique, many_tiles_a_worker) {
  for (std::size_t const misaligned : {0, 1}) {
    std::size_t const n = many_tiles<std::uint32_t>();
    check_unique(items_of<std::uint32_t>(short_long_short(n)), misaligned, lookback::equal_to{});
    check_unique(items_of<std::uint32_t>(heads(n, 1)), misaligned, lookback::equal_to{});
  }
}

struct same_low_byte {
  template <class T>
  LOOKBACK_FN bool operator()(T const& a, T const& b) const {
    if constexpr (std::is_same_v<T, ends>) return (a.first & 0xf0) == (b.first & 0xf0);
    else return (a & 0xff) == (b & 0xff);
  }
};

struct not_descending {
  LOOKBACK_FN bool operator()(std::int32_t a, std::int32_t b) const { return a <= b; }
};

/// Two that count as equal may differ: the first stays. An equality that does not commute: ascending neighbours are one run.
TEST_F(unique, under_a_users_equality) {
  std::size_t const n = up_to(100'003);
  auto words = random_values<std::uint32_t>(n, 3);
  for (std::size_t i = 0; i < n; ++i) words[i] = (words[i] & ~0xffu) | static_cast<std::uint32_t>(i / 5 % 200);
  check_unique(words, 1, same_low_byte{});
  check_unique(random_values<ends>(n, 1), 0, same_low_byte{});
  check_unique(random_values<std::int32_t>(n, 2), 0, not_descending{});
}

TEST_F(unique, a_nan_is_a_run_of_its_own_and_zeros_are_one) {
  double const nan = std::numeric_limits<double>::quiet_NaN();
  std::vector<double> const in{nan, nan, 1, 1, -0.0, 0.0, nan, 2, 2, 2};
  auto const want = firsts_of(in, std::equal_to<>{});
  ASSERT_EQ(want.size(), 6u);
  each_policy([&](auto const& on) {
    array<double> const source(in);
    array<double> out(in.size());
    ASSERT_EQ(lookback::unique(on, source, out), 6);
    auto const got = out.host();
    for (std::size_t i = 0; i < 6; ++i) {
      EXPECT_TRUE(got[i] == want[i] || (std::isnan(got[i]) && std::isnan(want[i]))) << i;
      EXPECT_EQ(std::signbit(got[i]), std::signbit(want[i])) << i;
    }
  });
}

/// The number of items in memory, and the number of runs left there.
TEST_F(unique, of_a_number_that_the_device_knows) {
  auto const in = items_of<std::uint32_t>(short_long_short(up_to(300'007)));
  for (std::size_t const n : {std::size_t{0}, std::size_t{1}, in.size() / 2, in.size()}) {
    auto const want =
        firsts_of(std::vector<std::uint32_t>(in.begin(), in.begin() + static_cast<std::ptrdiff_t>(n)), std::equal_to<>{});
    each_policy([&](auto const& on) {
      array<std::uint32_t> data(in);
      array<index_t> count(std::vector<index_t>{static_cast<index_t>(n)});
      lookback::size const some{std::ssize(in), count.data()};
      lookback::unique_async(on, lookback::first(data, some), data, count.data());
      wait(on);
      auto got = data.host();
      ASSERT_EQ(count.host()[0], std::ssize(want));
      got.resize(want.size());
      EXPECT_TRUE(same(got, want));
    });
  }
}

TEST_F(unique, overlap_and_short_outputs_are_refused) {
  constexpr std::size_t number = 1000;
  each_policy([&](auto const& on) {
    array<std::uint32_t> memory(random_values<std::uint32_t>(2 * number, 1));
    std::span<std::uint32_t> const in(memory.data(), number), over(memory.data() + 1, number), out(memory.data() + number, number);
    expect_refused(memory, [&] { lookback::unique(on, in, over); });
    expect_refused(memory, [&] { lookback::unique(on, over, in); });
    expect_refused(memory, [&] { lookback::unique(on, in, out.first(number - 1)); });
  });
}
