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

TEST_F(run_length_encode, under_a_users_equality) {
  check_encode<ends, std::int32_t>(random_values<ends>(up_to(50'003), 1), 0, same_low_byte{});
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
  });
}
