// Random numbers that depend on (seed, position) alone: the same file on every machine, in any order.
#pragma once
#include <concepts>
#include <cstdint>

namespace lookback::app {

/// 64 random bits for position i: a step of SplitMix64 (Steele, Lea, Flood 2014).
constexpr std::uint64_t random_word(std::uint64_t seed, std::uint64_t i) {
  std::uint64_t z = seed * 0xd1342543de82ef95u + (i + 1) * 0x9e3779b97f4a7c15u;
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
  return z ^ (z >> 31);
}

/// In [0, 1), a multiple of 2^-53.
constexpr double random_unit(std::uint64_t seed, std::uint64_t i) {
  return static_cast<double>(random_word(seed, i) >> 11) * 0x1p-53;
}

__extension__ using wide_word = unsigned __int128;

/// In [0, range), range > 0.
constexpr std::uint64_t random_below(std::uint64_t seed, std::uint64_t i, std::uint64_t range) {
  return static_cast<std::uint64_t>(wide_word{random_word(seed, i)} * range >> 64);
}

}  // namespace lookback::app
