// run_length_decode against a plain loop, and as the inverse of run_length_encode; what is refused, and that nothing is written
// then.
#include <limits>
#include <lookback/run_length_decode.hpp>
#include <lookback/run_length_encode.hpp>
#include <span>
#include <string>

#include "array.hpp"
#include "compare.hpp"
#include "edge_sizes.hpp"
#include "fixture.hpp"
#include "front.hpp"
#include "keyed.hpp"
#include "refused.hpp"

using namespace harness;
using lookback::index_t;

template <class T, class Length>
std::vector<T> decoded(std::vector<T> const& values, std::vector<Length> const& lengths) {
  std::vector<T> items;
  for (std::size_t r = 0; r < lengths.size(); ++r) items.insert(items.end(), static_cast<std::size_t>(lengths[r]), values[r]);
  return items;
}

/// No power of two, and at any address.
struct three_bytes {
  std::uint8_t byte[3];
  friend bool operator==(three_bytes const& a, three_bytes const& b) {
    return a.byte[0] == b.byte[0] && a.byte[1] == b.byte[1] && a.byte[2] == b.byte[2];
  }
  friend std::ostream& operator<<(std::ostream& to, three_bytes const& t) {
    return to << int{t.byte[0]} << ' ' << int{t.byte[1]} << ' ' << int{t.byte[2]};
  }
  three_bytes() = default;
  explicit three_bytes(std::uint64_t bits)
      : byte{static_cast<std::uint8_t>(bits), static_cast<std::uint8_t>(bits >> 8), static_cast<std::uint8_t>(bits >> 16)} {}
};

/// With more room than is needed: what lies behind the items stays as it was.
template <class Length, class T>
void check_decode(std::vector<T> const& values, std::vector<Length> const& lengths, std::size_t misaligned) {
  auto const want = decoded(values, lengths);
  auto before = random_values<T>(want.size() + 3, 5);
  array<T> const from(values, misaligned);
  array<Length> const length(lengths, 3 * misaligned);
  each_policy([&](auto const& on) {
    EXPECT_EQ(lookback::decoded_size(on, length), std::ssize(want));
    array<T> out(before, misaligned);
    expect_front(out, lookback::run_length_decode(on, from, length, out), want, before);
    array<T> exact(want.size(), 2 * misaligned);
    array<index_t> count(1);
    lookback::run_length_decode_async(on, from, length, exact, count.data());
    expect_front(exact, count.host()[0], want);
  });
}

template <class T>
struct decode_types : on_device {};
using decoded_types = std::conditional_t<sanitized, ::testing::Types<std::uint32_t, triple>,
                                         ::testing::Types<std::uint8_t, std::uint32_t, double, wide>>;
TYPED_TEST_SUITE(decode_types, decoded_types);

TYPED_TEST(decode_types, gives_back_what_was_encoded) {
  using T = TypeParam;
  for (std::size_t const n : edge_sizes<T>(small() ? 1u << 18 : 1u << 21))
    for (auto const& h : {lengths(n, [random = generator(n)]() mutable { return 1 + random.below(3); }),
                          lengths(n, [random = generator(n)]() mutable { return 1 / (random.unit() + 1e-6); })}) {
      SCOPED_TRACE("n = " + std::to_string(n));
      auto const items = items_of<T>(h);
      array<T> const in(items, 1);
      array<T> values(n), out(n, 1);
      array<std::int32_t> lasted(n);
      each_policy([&](auto const& on) {
        auto const runs = static_cast<std::size_t>(lookback::run_length_encode(on, in, values, lasted));
        expect_front(out, lookback::run_length_decode(on, std::span(values.data(), runs), std::span(lasted.data(), runs), out),
                     items);
      });
    }
}

/// Items of every width: each is written in a way of its own on a GPU.
template <class T>
struct decode_widths : on_device {};
using decoded_widths = std::conditional_t<
    on_gpu, ::testing::Types<std::uint8_t, std::uint16_t, std::uint32_t, double, three_bytes, triple, matrix, wide>, decoded_types>;
TYPED_TEST_SUITE(decode_widths, decoded_widths);

TYPED_TEST(decode_widths, equals_the_plain_loop) {
  using T = TypeParam;
  for (std::size_t const misaligned : {0, 1})
    for (std::size_t const runs :
         {std::size_t{0}, std::size_t{1}, std::size_t{511}, std::size_t{512}, std::size_t{513}, up_to(3001)})
      for (std::size_t const longest : {1, 3, 40, 700}) {
        SCOPED_TRACE(std::to_string(runs) + " runs of up to " + std::to_string(longest));
        generator random(runs + longest);
        std::vector<std::int32_t> some(runs);
        for (auto& length : some) length = static_cast<std::int32_t>(random.below(longest + 1));
        check_decode(random_values<T>(runs, 3), some, misaligned);
      }
}

/// Runs whose lengths are of every type that a caller may have.
template <class Length>
struct decode_lengths : on_device {};
using length_types =
    std::conditional_t<sanitized, ::testing::Types<std::int32_t>, ::testing::Types<std::int8_t, std::int32_t, std::uint64_t>>;
TYPED_TEST_SUITE(decode_lengths, length_types);

TYPED_TEST(decode_lengths, zero_in_front_between_behind_and_nothing_else) {
  using Length = TypeParam;
  for (std::size_t const zeros : {1, 2, 511, 512, 513, 5000}) {
    SCOPED_TRACE(std::to_string(zeros) + " lengths of zero");
    std::vector<Length> const none(zeros, 0);
    std::vector<Length> some = none;
    for (Length const length : {1, 100, 7}) some.push_back(length), some.insert(some.end(), zeros, 0);
    check_decode(random_values<std::uint32_t>(zeros, 1), none, 0);
    check_decode(random_values<std::uint32_t>(some.size(), 1), some, 1);
    some.erase(some.begin(), some.begin() + static_cast<std::ptrdiff_t>(zeros));
    check_decode(random_values<std::uint32_t>(some.size(), 1), some, 0);
    some.erase(some.end() - static_cast<std::ptrdiff_t>(zeros), some.end());
    check_decode(random_values<std::uint32_t>(some.size(), 1), some, 1);
  }
}

TYPED_TEST(decode_lengths, every_length_up_to_what_the_type_holds_or_200) {
  using Length = TypeParam;
  std::vector<Length> each;
  for (int length = 1; length <= std::min<int>(200, sizeof(Length) == 1 ? 127 : 200); ++length)
    each.push_back(static_cast<Length>(length));
  for (std::size_t const misaligned : {0, 1, 7}) {
    check_decode(random_values<std::uint32_t>(each.size(), 1), each, misaligned);
    check_decode(random_values<std::uint8_t>(each.size(), 1), each, misaligned);
  }
}

struct run_length_decode : on_device {};

TEST_F(run_length_decode, one_run_of_everything) {
  for (std::size_t const n : edge_sizes<std::uint32_t>()) {
    SCOPED_TRACE("n = " + std::to_string(n));
    check_decode(std::vector<std::uint32_t>{0xabcdef01}, std::vector<index_t>{static_cast<index_t>(n)}, n % 2);
  }
}

TEST_F(run_length_decode, long_runs_among_short_ones_over_many_tiles) {
  std::size_t const n = many_tiles<std::uint32_t>();
  std::vector<std::int32_t> mixed, law;
  generator random(9);
  for (std::size_t sum = 0; sum < n; sum += static_cast<std::size_t>(mixed.back()))
    mixed.push_back(sum / (n / 3) == 1 ? 100'003 : static_cast<std::int32_t>(mixed.size() % 19));
  for (std::size_t sum = 0; sum < n; sum += static_cast<std::size_t>(law.back()))
    law.push_back(static_cast<std::int32_t>(1 / (random.unit() + 1e-6)));
  check_decode(random_values<std::uint32_t>(mixed.size(), 1), mixed, 1);
  check_decode(random_values<std::uint32_t>(law.size(), 1), law, 0);
}

TEST_F(run_length_decode, structs_that_are_as_large_as_a_number) {
  std::vector<std::int32_t> each(300);
  for (std::size_t r = 0; r < each.size(); ++r) each[r] = static_cast<std::int32_t>(r % 23);
  for (std::size_t const misaligned : {0, 1}) check_decode(random_values<ends>(each.size(), 1), each, misaligned);
}

TEST_F(run_length_decode, very_many_runs_without_an_item) {
  std::vector<std::uint8_t> lengths(up_to(10'000'000), 0);
  lengths.insert(lengths.begin(), {200, 100}), lengths.insert(lengths.end(), {1, 255});
  check_decode(random_values<std::uint16_t>(lengths.size(), 1), lengths, 0);
}

struct half_of {
  LOOKBACK_FN double operator()(int x) const { return x / 2.0; }
};
struct number_of_run {
  LOOKBACK_FN index_t operator()(index_t r) const { return r; }
};

TEST_F(run_length_decode, values_through_a_function_and_as_another_type) {
  std::vector<std::int32_t> const lengths{2, 0, 3};
  each_policy([&](auto const& on) {
    array<std::int32_t> const length(lengths), from(std::vector<std::int32_t>{5, 6, 7});
    array<double> out(5);
    expect_front(out, lookback::run_length_decode(on, lookback::mapped(from, half_of{}), length, out), {2.5, 2.5, 3.5, 3.5, 3.5});
    expect_front(out, lookback::run_length_decode(on, lookback::generate(3, number_of_run{}), length, out), {0, 0, 2, 2, 2});
    expect_front(out, lookback::run_length_decode(on, from, length, out), {5, 5, 7, 7, 7});
  });
}

TEST_F(run_length_decode, the_number_of_runs_may_lie_in_memory) {
  std::vector<std::uint32_t> const values = random_values<std::uint32_t>(2000, 1);
  std::vector<std::int32_t> const lengths(2000, 3);
  for (index_t const number : {0, 1, 512, 1500, 2000, 9999}) {
    auto const runs = static_cast<std::size_t>(std::min<index_t>(number, 2000));
    auto const want = decoded(std::vector(values.begin(), values.begin() + static_cast<std::ptrdiff_t>(runs)),
                              std::vector(lengths.begin(), lengths.begin() + static_cast<std::ptrdiff_t>(runs)));
    each_policy([&](auto const& on) {
      array<std::uint32_t> const from(values);
      array<std::int32_t> const length(lengths);
      array<index_t> const count(std::vector<index_t>{number});
      array<std::uint32_t> out(6000);
      auto const some = lookback::first(length, {2000, count.data()});
      EXPECT_EQ(lookback::decoded_size(on, some), std::ssize(want));
      expect_front(out, lookback::run_length_decode(on, from, some, out), want);
    });
  }
}

TEST_F(run_length_decode, async_tells_what_is_needed_and_fills_the_room_there_is) {
  std::vector<std::uint32_t> const values = random_values<std::uint32_t>(1000, 1);
  std::vector<std::int32_t> lengths(1000);
  for (std::size_t r = 0; r < lengths.size(); ++r) lengths[r] = static_cast<std::int32_t>(r % 11);
  auto const all = decoded(values, lengths);
  for (std::size_t const room : {std::size_t{0}, std::size_t{1}, std::size_t{100}, all.size() - 1})
    each_policy([&](auto const& on) {
      array<std::uint32_t> const from(values);
      array<std::int32_t> const length(lengths);
      array<std::uint32_t> out(room, 1);
      array<index_t> count(1);
      lookback::run_length_decode_async(on, from, length, out, count.data());
      EXPECT_EQ(count.host()[0], std::ssize(all));
      expect_front(out, static_cast<index_t>(room), std::vector(all.begin(), all.begin() + static_cast<std::ptrdiff_t>(room)));
    });
}

TEST_F(run_length_decode, async_says_that_lengths_are_wrong_and_writes_nothing) {
  std::vector<std::int64_t> lengths(1000, 1);
  for (std::int64_t const wrong :
       {std::int64_t{-1}, std::numeric_limits<std::int64_t>::min(), std::numeric_limits<std::int64_t>::max()})
    for (std::size_t const at : {std::size_t{0}, std::size_t{511}, std::size_t{999}}) {
      auto some = lengths;
      some[at] = wrong;
      each_policy([&](auto const& on) {
        array<std::int64_t> const length(some);
        array<std::uint8_t> const from(std::vector<std::uint8_t>(1000, 1));
        auto const before = random_values<std::uint8_t>(2000, 1);
        array<std::uint8_t> out(before);
        array<index_t> count(std::vector<index_t>{7});
        lookback::run_length_decode_async(on, from, length, out, count.data());
        EXPECT_LT(count.host()[0], 0);
        expect_front(out, 0, {}, before);
      });
    }
}

/// The sentence with which both forms refuse `lengths`: the same.
template <class On, class Length>
std::string refusal(On const& on, std::vector<Length> const& lengths) {
  array<Length> const length(lengths);
  array<std::uint8_t> const from(std::vector<std::uint8_t>(lengths.size(), 1));
  array<std::uint8_t> out(random_values<std::uint8_t>(5000, 1));
  std::string said, again;
  expect_refused(out, [&] {
    try {
      lookback::run_length_decode(on, from, length, out);
    } catch (lookback::invalid_argument const& refused) {
      said = refused.what();
      throw;
    }
  });
  try {
    lookback::decoded_size(on, length);
  } catch (lookback::invalid_argument const& refused) {
    again = refused.what();
  }
  EXPECT_EQ(said, again);
  return said;
}

TEST_F(run_length_decode, the_first_negative_length_is_named) {
  each_policy([&](auto const& on) {
    for (std::size_t const at : {0, 1, 511, 512, 1023, 1024, 2999}) {
      std::vector<std::int32_t> some(3000, 1);
      some[at] = -5, some[2999] = -6;
      std::string const value = at == 2999 ? "-6" : "-5";
      EXPECT_NE(refusal(on, some).find("lengths[" + std::to_string(at) + "] is " + value), std::string::npos) << refusal(on, some);
      std::vector<std::int8_t> const bytes(some.begin(), some.end());
      EXPECT_NE(refusal(on, bytes).find("lengths[" + std::to_string(at) + "] is " + value), std::string::npos);
      std::vector<std::int64_t> const longs(some.begin(), some.end());
      EXPECT_NE(refusal(on, longs).find("lengths[" + std::to_string(at) + "] is " + value), std::string::npos);
    }
  });
}

TEST_F(run_length_decode, an_overflowing_total_is_refused_where_it_overflows) {
  constexpr auto most = std::numeric_limits<index_t>::max();
  each_policy([&](auto const& on) {
    auto const refused_at = [&](auto const& lengths, std::size_t at) {
      auto const said = refusal(on, lengths);
      EXPECT_NE(said.find("lengths[" + std::to_string(at) + "] is " + std::to_string(lengths[at]) + ", where the sum exceeds that"),
                std::string::npos)
          << said;
    };
    std::vector<std::int64_t> twice(2000, 0);
    twice[3] = most, twice[1700] = 1;
    refused_at(twice, 1700);
    twice[1700] = most, twice[1900] = -1;
    refused_at(twice, 1700);
    twice[600] = -2;
    EXPECT_NE(refusal(on, twice).find("lengths[600] is -2"), std::string::npos);
    std::vector<std::uint64_t> above(2000, 1);
    above[1234] = ~std::uint64_t{0};
    refused_at(above, 1234);
    above[700] = std::uint64_t{1} << 63;
    refused_at(above, 700);
    refused_at(std::vector<std::int64_t>(600, std::int64_t{1} << 54), 511);
    refused_at(std::vector<std::int64_t>(1 << 15, std::int64_t{1} << 49), (1 << 14) - 1);
  });
}

TEST_F(run_length_decode, the_largest_total_is_none_that_overflows) {
  constexpr auto most = std::numeric_limits<index_t>::max();
  each_policy([&](auto const& on) {
    array<std::int64_t> const one(std::vector<std::int64_t>{0, most, 0});
    EXPECT_EQ(lookback::decoded_size(on, one), most);
    array<std::int64_t> const halves(std::vector<std::int64_t>{most / 2, most / 2, 1});
    EXPECT_EQ(lookback::decoded_size(on, halves), most);
    std::vector<std::uint64_t> many(1 << 14, std::uint64_t{1} << 49);
    many.back() -= 1;
    EXPECT_EQ(lookback::decoded_size(on, array<std::uint64_t>(many)), most);
    EXPECT_EQ(lookback::decoded_size(on, array<std::uint32_t>(std::vector<std::uint32_t>(3, ~0u))), 3 * index_t{~0u});
  });
}

TEST_F(run_length_decode, short_outputs_too_few_values_and_overlap_are_refused) {
  constexpr std::size_t number = 1000;
  each_policy([&](auto const& on) {
    std::vector<std::int32_t> ones(6 * number, 1);
    array<std::int32_t> memory(ones);
    std::span<std::int32_t> const values(memory.data(), number), lengths(memory.data() + number, number),
        out(memory.data() + 2 * number, number);
    index_t count = 0;
    expect_refused(memory, [&] { lookback::run_length_decode(on, values, lengths, out.first(number - 1)); });
    expect_refused(memory, [&] { lookback::run_length_decode(on, values.first(number - 1), lengths, out); });
    expect_refused(memory, [&] { lookback::run_length_decode_async(on, values.first(number - 1), lengths, out, &count); });
    for (std::size_t const at : {std::size_t{0}, std::size_t{1}, number - 1, number, number + 1, 2 * number - 1}) {
      std::span<std::int32_t> const over(memory.data() + at, number);
      expect_refused(memory, [&] { lookback::run_length_decode(on, values, lengths, over); });
      expect_refused(memory, [&] { lookback::run_length_decode_async(on, values, lengths, over, &count); });
    }
    expect_refused(memory, [&] { lookback::run_length_decode(on, values, lookback::first(lengths, index_t{-1}), out); });
    expect_refused(memory, [&] { lookback::decoded_size(on, lookback::first(lengths, index_t{-1})); });
    expect_refused(memory, [&] {
      lookback::run_length_decode_async(on, values, lookback::first(lengths, {1, &count}), out, &count);
    });
  });
}
