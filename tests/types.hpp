// Element types and operators that catch what plus on int hides: odd sizes, operands that may not be swapped.
#pragma once
#include <cstddef>
#include <cstdint>
#include <lookback/fn.hpp>
#include <ostream>
#include <vector>

#include "random.hpp"

namespace harness {

/// 12 bytes: no power of two. Sums by component.
struct triple {
  std::uint32_t x, y, z;
  friend LOOKBACK_FN bool operator==(triple const& a, triple const& b) { return a.x == b.x && a.y == b.y && a.z == b.z; }
  friend std::ostream& operator<<(std::ostream& to, triple const& t) { return to << t.x << ' ' << t.y << ' ' << t.z; }
};

struct add_triples {
  LOOKBACK_FN triple operator()(triple const& a, triple const& b) const { return {a.x + b.x, a.y + b.y, a.z + b.z}; }
  static LOOKBACK_FN triple identity() { return {0, 0, 0}; }
};

/// A 2x2 matrix modulo a prime, in 16 bytes: a product that does not commute and forgets nothing.
struct matrix {
  static constexpr std::uint64_t prime = 65521;
  std::uint32_t a, b, c, d;
  friend LOOKBACK_FN bool operator==(matrix const& p, matrix const& q) {
    return p.a == q.a && p.b == q.b && p.c == q.c && p.d == q.d;
  }
  friend std::ostream& operator<<(std::ostream& to, matrix const& m) {
    return to << '[' << m.a << ' ' << m.b << "; " << m.c << ' ' << m.d << ']';
  }
};

LOOKBACK_FN std::uint32_t dot_mod(std::uint64_t a, std::uint64_t b, std::uint64_t c, std::uint64_t d) {
  return static_cast<std::uint32_t>((a * b + c * d) % matrix::prime);
}

struct times_matrix {
  LOOKBACK_FN matrix operator()(matrix const& p, matrix const& q) const {
    return {dot_mod(p.a, q.a, p.b, q.c), dot_mod(p.a, q.b, p.b, q.d), dot_mod(p.c, q.a, p.d, q.c), dot_mod(p.c, q.b, p.d, q.d)};
  }
  static LOOKBACK_FN matrix identity() { return {1, 0, 0, 1}; }
};

/// 64 bytes: four such matrices, multiplied one by one.
struct wide {
  matrix m[4];
  friend LOOKBACK_FN bool operator==(wide const& a, wide const& b) {
    return a.m[0] == b.m[0] && a.m[1] == b.m[1] && a.m[2] == b.m[2] && a.m[3] == b.m[3];
  }
  friend std::ostream& operator<<(std::ostream& to, wide const& w) { return to << w.m[0] << w.m[1] << w.m[2] << w.m[3]; }
};

struct times_wide {
  LOOKBACK_FN wide operator()(wide const& a, wide const& b) const {
    times_matrix const times{};
    return {{times(a.m[0], b.m[0]), times(a.m[1], b.m[1]), times(a.m[2], b.m[2]), times(a.m[3], b.m[3])}};
  }
  static LOOKBACK_FN wide identity() {
    return {{times_matrix::identity(), times_matrix::identity(), times_matrix::identity(), times_matrix::identity()}};
  }
};

/// Keeps the first of the left and the last of the right operand: any swap or loss shows.
struct ends {
  std::uint32_t first, last;
  friend LOOKBACK_FN bool operator==(ends const& a, ends const& b) { return a.first == b.first && a.last == b.last; }
  friend std::ostream& operator<<(std::ostream& to, ends const& e) { return to << e.first << ".." << e.last; }
};

struct join_ends {
  LOOKBACK_FN ends operator()(ends const& a, ends const& b) const { return {a.first, b.last}; }
};

static_assert(sizeof(triple) == 12 && sizeof(matrix) == 16 && sizeof(wide) == 64 && sizeof(ends) == 8);

template <>
inline std::vector<triple> random_values<triple>(std::size_t n, std::uint64_t seed) {
  generator random(seed);
  std::vector<triple> values(n);
  for (auto& v : values) {
    std::uint64_t const bits = random.next();
    v = {static_cast<std::uint32_t>(bits), static_cast<std::uint32_t>(bits >> 32), static_cast<std::uint32_t>(bits >> 16)};
  }
  return values;
}

inline matrix random_matrix(generator& random) {
  auto const entry = [&] { return static_cast<std::uint32_t>(random.below(matrix::prime)); };
  std::uint32_t const a = entry(), b = entry(), c = entry(), d = entry();
  return {a, b, c, d};
}

template <>
inline std::vector<matrix> random_values<matrix>(std::size_t n, std::uint64_t seed) {
  generator random(seed);
  std::vector<matrix> values(n);
  for (auto& v : values) v = random_matrix(random);
  return values;
}

template <>
inline std::vector<wide> random_values<wide>(std::size_t n, std::uint64_t seed) {
  generator random(seed);
  std::vector<wide> values(n);
  for (auto& v : values)
    for (auto& m : v.m) m = random_matrix(random);
  return values;
}

template <>
inline std::vector<ends> random_values<ends>(std::size_t n, std::uint64_t) {
  std::vector<ends> values(n);
  for (std::size_t i = 0; i < n; ++i) values[i] = {static_cast<std::uint32_t>(i), static_cast<std::uint32_t>(i)};
  return values;
}

}  // namespace harness
