// Calls that are cut into chunks at random places, each given what the chunk before has left.
#pragma once
#include <lookback/policy.hpp>
#include <span>
#include <vector>

#include "array.hpp"
#include "edge_sizes.hpp"
#include "random.hpp"
#include "shapes.hpp"

namespace harness {

/// Cuts [0, n) at random places; `of` rounds them to its multiples.
inline std::vector<std::size_t> cuts(std::size_t n, std::uint64_t seed, std::size_t of = 1) {
  generator random(seed);
  std::vector<std::size_t> at{0};
  while (at.back() < n) {
    std::size_t const step = (1 + random.below(random.below(3) == 0 ? 40 : n / 3 + 1)) * of;
    at.push_back(std::min(n, at.back() + step));
  }
  return at;
}

/// Scans in to out chunk by chunk. `state` holds two carried values; `scan(on, first, last)` scans one chunk.
template <class T, class Key, class On, class States, class Scan>
void in_chunks(On const& on, std::vector<std::size_t> const& at, lookback::direction from, States* state, Scan scan) {
  std::size_t const chunks = at.size() - 1;
  for (std::size_t k = 0; k < chunks; ++k) {
    std::size_t const chunk = from == lookback::right_to_left ? chunks - 1 - k : k;
    lookback::carry<T, Key> const c{k == 0 ? nullptr : state + k % 2, state + (k + 1) % 2};
    scan(on.with(from).with(c), at[chunk], at[chunk + 1]);
  }
}

template <class T>
std::span<T> part(array<T>& a, std::size_t first, std::size_t last) {
  return {a.data() + first, last - first};
}
template <class T>
std::span<T const> part(array<T> const& a, std::size_t first, std::size_t last) {
  return {a.data() + first, last - first};
}

/// No equality: a run of near neighbours may drift away from its first item.
struct is_near {
  LOOKBACK_FN bool operator()(std::uint16_t a, std::uint16_t b) const { return (a > b ? a - b : b - a) < 30'000; }
};

template <class Body>
void each_cut_shape(Body body) {
  std::uint64_t seed = 1;
  for (std::size_t const n : {std::size_t{0}, std::size_t{1}, std::size_t{3}, std::size_t{500}, up_to(60'003)})
    for (auto const& s : shapes(n, tile_items<std::int32_t>())) {
      SCOPED_TRACE(s.name + ", n = " + std::to_string(n));
      body(s.heads, seed++);
    }
}

template <class On>
inline constexpr bool is_on_host = !requires(On const& on) {
  on.stream;
};

/// The same cuts, and chunks without items among them: the first, the last, and some between.
inline std::vector<std::size_t> cuts_some_empty(std::size_t n, std::uint64_t seed, std::size_t of = 1) {
  generator random(seed);
  std::vector<std::size_t> at;
  for (std::size_t const cut : cuts(n, seed, of)) at.insert(at.end(), random.below(4) == 0 ? 3 : 1, cut);
  if (random.below(2) == 0) at.insert(at.begin(), 0);
  if (random.below(2) == 0 || at.size() < 2) at.push_back(n);
  return at;
}

/// Runs `chunk(on, first, last)` from the front to the end; the last one closes what is open. On the CPU one state may be both.
template <class T, class Key, class On, class Chunk>
void closing_chunks(On const& on, std::vector<std::size_t> const& at, array<lookback::carried<T, Key>>& state, Chunk chunk) {
  std::size_t const chunks = at.size() - 1;
  std::size_t const states = is_on_host<On> && at.size() % 2 == 0 ? 1 : 2;
  for (std::size_t k = 0; k < chunks; ++k) {
    bool const is_last = k + 1 == chunks;
    lookback::carry<T, Key> const c{k == 0 ? nullptr : state.data() + k % states,
                                    is_last ? nullptr : state.data() + (k + 1) % states};
    chunk(on.with(c), at[k], at[k + 1]);
  }
}

/// The same of segments, whose results are told when they end: `chunk(on, first, last, room, begun)`, where `room` is that for
/// results, and begun(ended) how many have begun in the chunk.
template <class T, class Key, class On, class Chunk>
void begin_and_end(On const& on, std::vector<std::size_t> const& at, array<lookback::carried<T, Key>>& state, Chunk chunk) {
  closing_chunks(on, at, state, [&](auto const& here, std::size_t first, std::size_t last) {
    auto const is_open = [&](lookback::carried<T, Key> const* where) {
      return where && state.host()[where == state.data() ? 0 : 1].any ? 1 : 0;
    };
    int const before = is_open(here.carry.in);
    std::size_t const room = last - first + (here.carry.in && !here.carry.out ? 1 : 0);
    chunk(here, first, last, room, [&](lookback::index_t ended) { return ended + is_open(here.carry.out) - before; });
  });
}

/// Adds the first `count` elements of `from`, of which nobody has written outside.
template <class T>
void append(std::vector<T>& to, array<T> const& from, lookback::index_t count) {
  auto const values = from.host();
  ASSERT_LE(count, std::ssize(values));
  to.insert(to.end(), values.begin(), values.begin() + count);
  EXPECT_TRUE(from.intact());
}

}  // namespace harness
