// partition_if against a plain loop: to two outputs, to one with the rejects in reverse, three ways.
#include <lookback/partition_if.hpp>
#include <span>

#include "array.hpp"
#include "compare.hpp"
#include "fixture.hpp"
#include "front.hpp"
#include "random.hpp"
#include "refused.hpp"
#include "types.hpp"

using namespace harness;
using lookback::index_t;

struct below {
  std::uint64_t limit;
  template <class T>
  LOOKBACK_FN bool operator()(T const& x) const {
    if constexpr (std::is_integral_v<T>) return static_cast<std::uint64_t>(x) % 1000 < limit;
    else return x.a % 1000 < limit;
  }
};

template <class T>
struct partition_types : on_device {};
using partitioned = ::testing::Types<std::uint8_t, std::uint32_t, std::uint64_t, matrix>;
TYPED_TEST_SUITE(partition_types, partitioned);

TYPED_TEST(partition_types, equals_the_plain_loop) {
  using T = TypeParam;
  for (std::size_t const misaligned : {0, 1})
    for (std::size_t const n : {std::size_t{0}, std::size_t{1}, std::size_t{1000}, up_to(300'007)})
      for (std::uint64_t const share : {0, 10, 500, 1000}) {
        SCOPED_TRACE("n = " + std::to_string(n) + ", " + std::to_string(share) + " of 1000");
        auto const in = random_values<T>(n, n + share);
        std::vector<T> first, second, rest;
        for (T const& x : in) (below{share}(x) ? first : below{(1000 + share) / 2}(x) ? second : rest).push_back(x);
        std::vector<T> rejected;
        for (T const& x : in)
          if (!below{share}(x)) rejected.push_back(x);
        array<T> const source(in, misaligned);
        each_policy([&](auto const& on) {
          array<T> a(n, misaligned), b(n, 2 * misaligned), c(n, 3 * misaligned);
          index_t const kept = lookback::partition_if(on, source, a, b, below{share});
          expect_front(a, kept, first);
          expect_front(b, static_cast<index_t>(n) - kept, rejected);

          std::vector<T> both(first);
          both.insert(both.end(), rejected.rbegin(), rejected.rend());
          EXPECT_EQ(lookback::partition_if(on, source, c, below{share}), kept);
          expect_front(c, static_cast<index_t>(n), both);

          auto const counts = lookback::partition_if(on, source, a, b, c, below{share}, below{(1000 + share) / 2});
          expect_front(a, counts[0], first);
          expect_front(b, counts[1], second);
          expect_front(c, counts[2], rest);

          if constexpr (!on_gpu || sizeof(T) == 4) {  // kernels of two passes for one type are enough
            static_assert(lookback::is_stable<decltype(on.with(lookback::stable).with(lookback::right_to_left))>);
            std::vector<T> in_order(first);
            in_order.insert(in_order.end(), rejected.begin(), rejected.end());
            array<T> d(n, misaligned);
            EXPECT_EQ(lookback::partition_if(on.with(lookback::stable), source, d, below{share}), kept);
            expect_front(d, static_cast<index_t>(n), in_order);
          }
        });
      }
}

struct partition_if : on_device {};

TEST_F(partition_if, counts_may_take_the_place_of_the_number_of_items) {
  std::size_t const bound = up_to(100'003), n = bound / 3;
  auto const in = random_values<std::uint32_t>(bound, 8);
  array<std::uint32_t> const source(in);
  for (std::uint64_t const share : {0, 500, 1000})
    for (std::size_t const at : {0, 1}) {
      SCOPED_TRACE("the number is counts[" + std::to_string(at) + "], " + std::to_string(share) + " of 1000");
      std::vector<std::uint32_t> first, rejected;
      for (std::size_t i = 0; i < n; ++i) (below{share}(in[i]) ? first : rejected).push_back(in[i]);
      each_policy([&](auto const& on) {
        std::vector<index_t> number{-7, -7};
        number[at] = static_cast<index_t>(n);
        array<index_t> counts(number);
        array<std::uint32_t> a(bound), b(bound);
        auto const some = lookback::first(source, {static_cast<index_t>(bound), counts.data() + at});
        lookback::partition_if_async(on, some, a, b, below{share}, counts.data());
        expect_front(a, counts.host()[0], first);
        expect_front(b, counts.host()[1], rejected);
      });
    }
}

TEST_F(partition_if, kept_in_place_and_rejects_elsewhere) {
  std::size_t const n = up_to(300'007);
  auto const in = random_values<std::uint32_t>(n, 4);
  std::vector<std::uint32_t> kept, rejected;
  for (auto x : in) (below{600}(x) ? kept : rejected).push_back(x);
  each_policy([&](auto const& on) {
    array<std::uint32_t> data(in, 1), other(n);
    index_t const count = lookback::partition_if(on, data, data, other, below{600});
    expect_front(data, count, kept);
    expect_front(other, static_cast<index_t>(n) - count, rejected);
  });
}

TEST_F(partition_if, overlap_and_short_outputs_are_refused) {
  constexpr std::size_t number = 1000;
  each_policy([&](auto const& on) {
    array<std::uint32_t> memory(random_values<std::uint32_t>(4 * number, 1));
    std::span<std::uint32_t> const in(memory.data(), number), a(memory.data() + number, number), b(a.data() + number, number),
        across(a.data() + 1, number), over(memory.data() + 1, number);
    below const holds{500};
    expect_refused(memory, [&] { lookback::partition_if(on, in, a, a, holds); });
    expect_refused(memory, [&] { lookback::partition_if(on, in, a, across, holds); });
    expect_refused(memory, [&] { lookback::partition_if(on, in, in, holds); });
    array<index_t> some(std::vector<index_t>{700}), counts(2);
    expect_refused(memory, [&] {
      lookback::partition_if_async(on, lookback::first(in, {index_t{number}, some.data()}), in, holds, counts.data());
    });
    expect_refused(memory, [&] { lookback::partition_if(on, in, over, b, holds); });
    expect_refused(memory, [&] { lookback::partition_if(on, in, a.first(9), b, holds); });
    expect_refused(memory, [&] { lookback::partition_if(on, in, a, b, across, holds, holds); });
  });
}

TEST_F(partition_if, by_a_predicate_on_another_array) {
  std::size_t const n = up_to(300'007);
  auto const in = random_values<std::uint32_t>(n, 5);
  auto const flags = random_values<std::uint8_t>(n, 6);
  std::vector<std::uint32_t> kept, rejected;
  for (std::size_t i = 0; i < n; ++i) (below{100}(flags[i]) ? kept : rejected).push_back(in[i]);
  array<std::uint32_t> const source(in, 1);
  array<std::uint8_t> const beside(flags, 3);
  each_policy([&](auto const& on) {
    array<std::uint32_t> a(n), b(n, 1);
    index_t const count = lookback::partition_if(on, source, lookback::stencil(beside), a, b, below{100});
    expect_front(a, count, kept);
    expect_front(b, static_cast<index_t>(n) - count, rejected);
    array<std::uint8_t> const fewer(flags.empty() ? flags : std::vector<std::uint8_t>(flags.begin(), flags.end() - 1));
    expect_refused(a, [&] { lookback::partition_if(on, source, lookback::stencil(fewer), a, b, below{100}); });
  });
}
