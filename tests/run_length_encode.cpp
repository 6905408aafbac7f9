// run_length_encode against a plain loop: values, lengths, places; in place on the values.
#include <limits>
#include <lookback/run_length_encode.hpp>
#include <span>

#include "array.hpp"
#include "compare.hpp"
#include "edge_sizes.hpp"
#include "fixture.hpp"
#include "front.hpp"
#include "keyed.hpp"
#include "refused.hpp"

using namespace harness;
using lookback::index_t;

template <class T, class Length, class Equal>
void check_encode(std::vector<T> const& in, std::size_t misaligned, Equal equal) {
  std::size_t const n = in.size();
  auto const starts = starts_of_runs(in, equal);
  std::vector<T> values;
  std::vector<Length> lengths;
  std::vector<index_t> places;
  for (std::size_t r = 0; r + 1 < starts.size(); ++r) {
    values.push_back(in[starts[r]]);
    lengths.push_back(static_cast<Length>(starts[r + 1] - starts[r]));
    places.push_back(static_cast<index_t>(starts[r]));
  }
  array<T> const source(in, misaligned);
  each_policy([&](auto const& on) {
    array<T> to(n, 3 * misaligned);
    array<Length> length(n, misaligned);
    array<index_t> place(n, misaligned);
    index_t const count = lookback::run_length_encode(on, source, to, length, equal);
    expect_front(to, count, values);
    expect_front(length, count, lengths);
    index_t const again = lookback::run_length_encode(on, source, to, length, place, equal);
    expect_front(to, again, values);
    expect_front(length, again, lengths);
    expect_front(place, again, places);
  });
  // In place on the values. A strategy that reads twice refuses it.
  auto const in_place = [&](auto const& on) {
    array<T> data(in, misaligned);
    array<Length> length(n, misaligned);
    index_t const count = lookback::run_length_encode(on, data, data, length, equal);
    expect_front(data, count, values);
    expect_front(length, count, lengths);
  };
  each_one_pass_policy(in_place);
}

template <class T>
struct encode_types : on_device {};
using encoded = std::conditional_t<sanitized, ::testing::Types<std::uint32_t, matrix>,
                                   ::testing::Types<std::uint8_t, std::uint32_t, double, matrix>>;
TYPED_TEST_SUITE(encode_types, encoded);

TYPED_TEST(encode_types, equals_the_plain_loop) {
  using T = TypeParam;
  for (std::size_t const misaligned : {0, 1})
    for (std::size_t const n : {std::size_t{0}, std::size_t{1}, std::size_t{1000}, tile_items<T>() + 1, up_to(100'003)})
      for (auto const& s : shapes(n, tile_items<T>())) {
        SCOPED_TRACE(s.name + ", n = " + std::to_string(n));
        check_encode<T, std::int32_t>(items_of<T>(s.heads), misaligned, lookback::equal_to{});
      }
}

struct run_length_encode : on_device {};

TEST_F(run_length_encode, many_tiles_a_worker) {
  std::size_t const n = many_tiles<std::uint32_t>();
  for (std::size_t const misaligned : {0, 1})
    check_encode<std::uint32_t, index_t>(items_of<std::uint32_t>(short_long_short(n)), misaligned, lookback::equal_to{});
  check_encode<std::uint32_t, std::int32_t>(items_of<std::uint32_t>(heads(n, 1)), 0, lookback::equal_to{});
  check_encode<std::uint32_t, std::int32_t>(items_of<std::uint32_t>(heads(n, 0)), 1, lookback::equal_to{});
}

/// Three columns of 8 bytes: few items have room for fewer threads on a GPU.
TEST_F(run_length_encode, of_wide_items_and_numbers) {
  for (std::size_t const n : {std::size_t{1000}, up_to(100'003), up_to(200'003), up_to(300'007)})
    check_encode<double, index_t>(items_of<double>(short_long_short(n)), n % 2, lookback::equal_to{});
}

/// How many items there are is a number in memory, less than the bound; none, or refused, too.
TEST_F(run_length_encode, of_a_number_of_items_in_memory) {
  std::size_t const bound = up_to(50'003);
  auto const in = items_of<std::uint32_t>(short_long_short(bound));
  array<std::uint32_t> const source(in);
  for (index_t const n : {index_t{-1}, index_t{0}, index_t{1}, index_t{9'001}, static_cast<index_t>(bound) + 5}) {
    std::vector<std::uint32_t> const some(in.begin(), in.begin() + std::clamp(n, index_t{0}, static_cast<index_t>(bound)));
    auto const starts = starts_of_runs(some, lookback::equal_to{});
    std::vector<std::int32_t> lengths;
    for (std::size_t r = 0; r + 1 < starts.size(); ++r) lengths.push_back(static_cast<std::int32_t>(starts[r + 1] - starts[r]));
    array<index_t> const number(std::vector<index_t>{n});
    each_policy([&](auto const& on) {
      SCOPED_TRACE("n = " + std::to_string(n));
      array<std::uint32_t> values(bound);
      array<std::int32_t> length(bound, 1);
      array<index_t> count(std::vector<index_t>{-7});
      lookback::run_length_encode_async(on, lookback::first(source, {static_cast<index_t>(bound), number.data()}), values, length,
                                        count.data());
      wait(on);
      ASSERT_EQ(count.host()[0], std::ssize(lengths));
      expect_front(length, count.host()[0], lengths);
    });
  }
}

TEST_F(run_length_encode, under_a_users_equality) {
  check_encode<ends, std::int32_t>(random_values<ends>(up_to(50'003), 1), 0, same_low_byte{});
}

template <class T, class Place, class Equal = lookback::equal_to>
void check_non_trivial(std::vector<T> const& in, std::size_t misaligned, Equal equal = {}) {
  auto const starts = starts_of_runs(in, equal);
  std::vector<Place> places, lengths;
  for (std::size_t r = 0; r + 1 < starts.size(); ++r)
    if (std::size_t const length = starts[r + 1] - starts[r]; length > 1)
      places.push_back(static_cast<Place>(starts[r])), lengths.push_back(static_cast<Place>(length));
  array<T> const source(in, misaligned);
  each_policy([&](auto const& on) {
    array<Place> place(in.size() / 2, misaligned), length(in.size() / 2, 2 * misaligned);
    index_t const count = lookback::non_trivial_runs(on, source, place, length, equal);
    expect_front(place, count, places);
    expect_front(length, count, lengths);
  });
}

TEST_F(run_length_encode, only_runs_of_two_or_more) {
  for (std::size_t const misaligned : {0, 1})
    for (std::size_t const n :
         {std::size_t{0}, std::size_t{1}, std::size_t{2}, std::size_t{1000}, tile_items<std::uint32_t>() + 1, up_to(300'007)})
      for (auto const& s : shapes(n, tile_items<std::uint32_t>())) {
        SCOPED_TRACE(s.name + ", n = " + std::to_string(n));
        check_non_trivial<std::uint32_t, index_t>(items_of<std::uint32_t>(s.heads), misaligned);
      }
  check_non_trivial<ends, std::int32_t>(random_values<ends>(up_to(50'003), 1), 0, same_low_byte{});
}

/// How many items there are is a number that the call before left; offsets and lengths feed the next.
TEST_F(run_length_encode, only_runs_of_two_or_more_of_a_number_in_memory) {
  std::vector<std::uint32_t> const in{1, 1, 2, 3, 3, 3, 3, 4, 4, 4};
  array<std::uint32_t> const source(in);
  array<index_t> const some(std::vector<index_t>{6});
  each_policy([&](auto const& on) {
    array<index_t> place(5), length(5), count(1);
    lookback::non_trivial_runs_async(on, lookback::first(source, {10, some.data()}), place, length, count.data());
    wait(on);
    ASSERT_EQ(count.host()[0], 2);
    expect_front(place, 2, std::vector<index_t>{0, 3});
    expect_front(length, 2, std::vector<index_t>{2, 3});
  });
}

TEST_F(run_length_encode, overlap_and_short_outputs_are_refused) {
  constexpr std::size_t number = 1000;
  each_policy([&](auto const& on) {
    array<std::int32_t> memory(random_values<std::int32_t>(4 * number, 1));
    std::span<std::int32_t> const in(memory.data(), number), a(memory.data() + number, number), b(a.data() + number, number),
        over(memory.data() + 1, number);
    expect_refused(memory, [&] { lookback::run_length_encode(on, in, over, a); });
    expect_refused(memory, [&] { lookback::run_length_encode(on, in, a, in); });
    expect_refused(memory, [&] { lookback::run_length_encode(on, in, a, over); });
    expect_refused(memory, [&] { lookback::run_length_encode(on, in, a.first(number - 1), b); });
    expect_refused(memory, [&] { lookback::run_length_encode(on, in, a, b.first(number - 1)); });
    expect_refused(memory, [&] { lookback::run_length_encode(on, in, a, b, in); });
    expect_refused(memory, [&] { lookback::run_length_encode(on, in, a, a); });
    expect_refused(memory, [&] { lookback::run_length_encode(on, in, a, b, b); });
    expect_refused(memory, [&] { lookback::run_length_encode(on, lookback::first(in, index_t{-1}), a, b); });
    // Room for half as many is enough, side by side with the input.
    std::span<std::int32_t> const half = a.first(number / 2), other = a.last(number / 2);
    EXPECT_NO_THROW(lookback::non_trivial_runs(on, b.subspan(0, number), half, other));
    expect_refused(memory, [&] { lookback::non_trivial_runs(on, in, in, a); });
    expect_refused(memory, [&] { lookback::non_trivial_runs(on, in, a, over); });
    expect_refused(memory, [&] { lookback::non_trivial_runs(on, in, a, a); });
    expect_refused(memory, [&] { lookback::non_trivial_runs(on, in, a.first(number / 2 - 1), b); });
    expect_refused(memory, [&] { lookback::non_trivial_runs(on, in, a, b.first(number / 2 - 1)); });
    expect_refused(memory, [&] { lookback::non_trivial_runs(on, lookback::first(in, index_t{-1}), a, b); });
  });
}
