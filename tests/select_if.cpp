// select_if in all its forms against a plain loop: what is kept, in which order, how many, and nothing else touched.
#include <lookback/select_if.hpp>
#include <span>

#include "array.hpp"
#include "compare.hpp"
#include "edge_sizes.hpp"
#include "fixture.hpp"
#include "front.hpp"
#include "random.hpp"
#include "refused.hpp"
#include "types.hpp"

using namespace harness;
using lookback::index_t;

/// Keeps so many of a thousand, by the bits of an item.
struct some_of {
  std::uint32_t per_mille;
  template <class T>
  LOOKBACK_FN bool operator()(T const& x) const {
    if constexpr (std::is_same_v<T, float> || std::is_same_v<T, double>) return static_cast<double>(x) * 500 + 500 < per_mille;
    else if constexpr (std::is_integral_v<T>) return static_cast<std::uint64_t>(x) * 2654435761u % 1000 < per_mille;
    else return first_word(x) % 1000 < per_mille;
  }

 private:
  static LOOKBACK_FN std::uint32_t first_word(triple const& t) { return t.x; }
  static LOOKBACK_FN std::uint32_t first_word(matrix const& m) { return m.a; }
  static LOOKBACK_FN std::uint32_t first_word(wide const& w) { return w.m[0].a; }
};

constexpr std::uint32_t shares[] = {0, 10, 500, 990, 1000};

template <class T, class Keep>
std::vector<T> kept_of(std::vector<T> const& in, Keep keep) {
  std::vector<T> kept;
  for (std::size_t i = 0; i < in.size(); ++i)
    if (keep(i)) kept.push_back(in[i]);
  return kept;
}

template <class T>
struct select_types : on_device {};
using selected = std::conditional_t<sanitized, ::testing::Types<std::uint8_t, double, triple>,
                                    ::testing::Types<std::uint8_t, std::uint16_t, std::uint32_t, double, triple, matrix, wide>>;
TYPED_TEST_SUITE(select_types, selected);

TYPED_TEST(select_types, by_a_predicate) {
  using T = TypeParam;
  for (std::size_t const misaligned : {0, 1})
    for (std::size_t const n : {std::size_t{0}, std::size_t{1}, std::size_t{33}, std::size_t{4097}, up_to(300'007)})
      for (std::uint32_t const share : shares) {
        SCOPED_TRACE("n = " + std::to_string(n) + ", " + std::to_string(share) + " of 1000");
        auto const in = random_values<T>(n, n + share);
        auto const before = random_values<T>(n + 3, n);
        auto const want = kept_of(in, [&](std::size_t i) { return some_of{share}(in[i]); });
        array<T> const source(in, misaligned);
        each_policy([&](auto const& on) {
          array<T> out(before, 2 * misaligned);
          expect_front(out, lookback::select_if(on, source, out, some_of{share}), want, before);
        });
      }
}

/// In place: what is kept moves to the front; not a byte beside the array changes.
TYPED_TEST(select_types, in_place) {
  using T = TypeParam;
  for (std::size_t const misaligned : {0, 1})
    for (std::size_t const n : {std::size_t{1}, std::size_t{4097}, up_to(300'007)})
      for (std::uint32_t const share : shares) {
        SCOPED_TRACE("n = " + std::to_string(n) + ", " + std::to_string(share) + " of 1000");
        auto const in = random_values<T>(n, n + share);
        auto const want = kept_of(in, [&](std::size_t i) { return some_of{share}(in[i]); });
        each_policy([&](auto const& on) {
          array<T> data(in, misaligned);
          index_t const kept = lookback::select_if(on, data, some_of{share});
          expect_front(data, kept, want);
        });
      }
}

struct select_if : on_device {};

struct is_even {
  LOOKBACK_FN bool operator()(std::uint32_t x) const { return x % 2 == 0; }
};

/// Runs of kept and dropped items longer than tiles: some tiles keep all, some nothing. Every worker has several.
TEST_F(select_if, in_place_in_long_runs) {
  std::size_t const n = many_tiles<std::uint32_t>();
  for (std::size_t const run : {std::size_t{10'007}, n}) {
    std::vector<std::uint32_t> in(n);
    for (std::size_t i = 0; i < n; ++i) in[i] = static_cast<std::uint32_t>(i / run % 2 + 2 * i);
    auto const want = kept_of(in, [&](std::size_t i) { return in[i] % 2 == 0; });
    each_policy([&](auto const& on) {
      array<std::uint32_t> data(in, 3);
      index_t const kept = lookback::select_if(on, data, is_even{});
      expect_front(data, kept, want);
    });
  }
}

/// Slow at some items, which depend on the run.
struct dawdling {
  std::uint32_t run;
  ON_DEVICE bool operator()(std::uint32_t x) const {
    std::uint32_t volatile turns = (x ^ run * 0x9E3779B9u) % 4093 == 0 ? 3000 : 0;
    while (turns != 0) turns = turns - 1;
    return x % 8 != 7;
  }
};

/// Workers that dawdle, each at other tiles in every run: what is stored early must have been read.
TEST_F(select_if, in_place_with_stalls) {
  std::size_t const n = up_to(on_gpu ? 2'000'003 : 100'003);
  for (std::uint32_t const run : {1u, 2u, 3u, 4u, 5u}) {
    auto const in = random_values<std::uint32_t>(n, run);
    auto const want = kept_of(in, [&](std::size_t i) { return in[i] % 8 != 7; });
    each_policy([&](auto const& on) {
      array<std::uint32_t> data(in);
      index_t const kept = lookback::select_if(on, data, dawdling{run});
      expect_front(data, kept, want);
    });
  }
}

TEST_F(select_if, by_a_stencil_flags_and_packed_flags) {
  for (std::size_t const misaligned : {0, 1})
    for (std::size_t const n : {std::size_t{0}, std::size_t{1}, std::size_t{63}, std::size_t{5000}, up_to(300'007)})
      for (std::uint32_t const share : shares) {
        SCOPED_TRACE("n = " + std::to_string(n) + ", " + std::to_string(share) + " of 1000");
        auto const in = random_values<std::uint32_t>(n, n + share);
        auto const other = random_values<double>(n, n + share + 1);
        auto const wide_flags = random_values<std::uint32_t>(n, share);
        std::vector<flag> flags(n);
        std::vector<std::uint32_t> flags32(n);
        std::vector<std::uint8_t> bits((n + 7) / 8);
        for (std::size_t i = 0; i < n; ++i) {
          if (!some_of{share}(other[i])) continue;
          flags[i] = static_cast<flag>(1 + i % 255), flags32[i] = 1u << i % 32;
          bits[i / 8] = static_cast<std::uint8_t>(bits[i / 8] | 1u << i % 8);
        }
        auto const want = kept_of(in, [&](std::size_t i) { return flags[i] != 0; });
        auto const before = random_values<std::uint32_t>(n, 1);
        array<std::uint32_t> const source(in, misaligned);
        array<double> const beside(other, misaligned);
        array<flag> const as_bytes(flags, 3 * misaligned);
        array<std::uint32_t> const as_words(flags32, misaligned);
        array<std::uint8_t> const as_bits(bits, 5 * misaligned);
        each_policy([&](auto const& on) {
          auto const check = [&](auto const& select) {
            array<std::uint32_t> out(before, misaligned);
            expect_front(out, select(out), want, before);
          };
          check([&](auto& out) { return lookback::select_if(on, source, lookback::stencil(beside), out, some_of{share}); });
          check([&](auto& out) { return lookback::select_flagged(on, source, as_bytes, out); });
          check([&](auto& out) { return lookback::select_flagged(on, source, as_words, out); });
          check([&](auto& out) { return lookback::select_flagged(on, source, lookback::packed_flags(as_bits), out); });
          array<std::uint32_t> data(in, misaligned);  // in place by flags
          index_t const kept = lookback::select_flagged(on, data, lookback::packed_flags(as_bits), data);
          expect_front(data, kept, want);
        });
      }
}

struct half {
  LOOKBACK_FN std::int32_t operator()(std::int32_t x) const { return x / 2; }
};
struct by_three {
  LOOKBACK_FN bool operator()(std::int32_t x) const { return x % 3 == 0; }
};
struct add_half {
  LOOKBACK_FN double operator()(std::int32_t x) const { return 0.5 + x; }
};
struct place {
  LOOKBACK_FN index_t operator()(index_t i) const { return i; }
};
struct every_seventh {
  LOOKBACK_FN bool operator()(index_t i) const { return i % 7 == 2; }
};

TEST_F(select_if, between_maps_and_from_nothing) {
  std::size_t const n = up_to(100'003);
  auto const in = random_values<std::int32_t>(n, 1);
  std::vector<double> halves;
  std::vector<index_t> places;
  for (std::size_t i = 0; i < n; ++i) {
    if (in[i] / 2 % 3 == 0) halves.push_back(0.5 + in[i] / 2);
    if (i % 7 == 2) places.push_back(static_cast<index_t>(i));
  }
  array<std::int32_t> const source(in);
  each_policy([&](auto const& on) {
    array<double> out(n);
    index_t const kept = lookback::select_if(on, lookback::mapped(source, half{}), lookback::into(out, add_half{}), by_three{});
    expect_front(out, kept, halves);

    array<index_t> found(n);
    index_t const number = lookback::select_if(on, lookback::generate(static_cast<index_t>(n), place{}), found, every_seventh{});
    expect_front(found, number, places);
  });
}

struct is_odd {
  LOOKBACK_FN bool operator()(std::uint32_t x) const { return x % 2 == 1; }
};
struct is_small {
  LOOKBACK_FN bool operator()(std::uint32_t x) const { return x < 1u << 30; }
};

struct is_not_zero {
  LOOKBACK_FN bool operator()(std::int32_t x) const { return x != 0; }
};
struct hundred_over {
  LOOKBACK_FN std::int32_t operator()(std::int32_t x) const { return 100 / x; }
};

/// A function behind a selection sees what is kept, and nothing else: 100 / 0 would end this program.
TEST_F(select_if, maps_only_what_is_kept) {
  std::vector<std::int32_t> in(up_to(50'003)), want;
  for (std::size_t i = 0; i < in.size(); ++i) in[i] = static_cast<std::int32_t>(i % 3);
  for (auto x : in)
    if (x != 0) want.push_back(100 / x);
  array<std::int32_t> const source(in);
  each_policy([&](auto const& on) {
    array<std::int32_t> out(in.size());
    index_t const kept = lookback::select_if(on, source, lookback::into(out, hundred_over{}), is_not_zero{});
    expect_front(out, kept, want);
  });
}

/// The number kept stays where the next call reads it; the last call overwrites it.
TEST_F(select_if, chained_without_waiting) {
  std::size_t const n = up_to(300'007);
  auto const in = random_values<std::uint32_t>(n, 5);
  auto const once = kept_of(in, [&](std::size_t i) { return some_of{700}(in[i]); });
  auto const twice = kept_of(once, [&](std::size_t i) { return once[i] % 2 == 1; });
  auto const want = kept_of(twice, [&](std::size_t i) { return twice[i] < 1u << 30; });
  each_policy([&](auto const& on) {
    array<std::uint32_t> data(in);
    array<index_t> count(1);
    lookback::size const kept{static_cast<index_t>(n), count.data()};
    lookback::select_if_async(on, data, some_of{700}, count.data());
    lookback::select_if_async(on, lookback::first(data, kept), data, is_odd{}, count.data());
    lookback::select_if_async(on, lookback::first(data, kept), data, is_small{}, count.data());
    wait(on);
    expect_front(data, count.host()[0], want);
  });
}

TEST_F(select_if, overlap_and_short_outputs_are_refused) {
  constexpr std::size_t number = 1000;
  auto const keep = some_of{500};
  each_policy([&](auto const& on) {
    array<std::uint32_t> memory(random_values<std::uint32_t>(2 * number, 1));
    array<flag> const flags(std::vector<flag>(number - 1, 1));
    for (std::size_t const shift : {std::size_t{1}, number / 2, number - 1}) {
      std::span<std::uint32_t> const low(memory.data(), number), high(memory.data() + shift, number);
      expect_refused(memory, [&] { lookback::select_if(on, low, high, keep); });
      expect_refused(memory, [&] { lookback::select_if(on, high, low, keep); });
      expect_refused(memory, [&] { lookback::select_if(on, low, lookback::stencil(high), std::span(high), keep); });
    }
    std::span<std::uint32_t> const in(memory.data(), number), other(memory.data() + number, number);
    expect_refused(memory, [&] { lookback::select_if(on, in, other.first(number - 1), keep); });
    expect_refused(memory, [&] { lookback::select_if(on, in, lookback::stencil(other.first(3)), other, keep); });
    expect_refused(memory, [&] { lookback::select_flagged(on, in, flags, other); });
    expect_refused(
        memory, [&] { lookback::select_flagged(on, in, lookback::packed_flags(std::span(flags.data(), number / 8 - 1)), other); });
    std::span<std::uint64_t> const wider(reinterpret_cast<std::uint64_t*>(memory.data()), number);
    expect_refused(memory, [&] { lookback::select_if(on, in, wider, keep); });
  });
}
