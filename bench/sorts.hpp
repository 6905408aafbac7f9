// What the benchmark of sorts reads and how its results are checked: keys by the name of their distribution.
#pragma once
#include <algorithm>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <vector>

#include "inputs.hpp"

namespace bench {

/// A key of 32 or 64 random bits: those bits, or of a float the number that they are as a signed integer, so that the order stays.
template <class Key>
Key as_key(std::uint64_t bits) {
  if constexpr (std::is_floating_point_v<Key>)
    return static_cast<Key>(static_cast<std::int64_t>(bits & 0xFFFFFFFF) - (std::int64_t{1} << 31));
  else return static_cast<Key>(bits);
}

/// n keys, f(i) each.
template <class Key, class F>
std::vector<Key> keys_by(std::size_t n, F f) {
  std::vector<Key> keys(n);
  for (std::size_t i = 0; i < n; ++i) keys[i] = as_key<Key>(f(i));
  return keys;
}

/// uniform, and3, and6 (of so many random words: 0.544 and 0.116 bits of entropy each), zipf, distinct3, equal, sorted, reversed,
/// bits16 (16 bits of each key differ).
template <class Key>
std::vector<Key> keys_of(std::string const& name, std::size_t n) {
  generator random(n);
  constexpr int bits = 8 * static_cast<int>(sizeof(Key));
  std::uint64_t const step = (bits == 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << bits) - 1) / n;
  auto const anded = [&](int words) {
    std::uint64_t w = ~std::uint64_t{0};
    for (int k = 0; k < words; ++k) w &= random.next();
    return w;
  };
  if (name == "uniform") return keys_by<Key>(n, [&](std::size_t) { return random.next(); });
  if (name == "and3") return keys_by<Key>(n, [&](std::size_t) { return anded(3); });
  if (name == "and6") return keys_by<Key>(n, [&](std::size_t) { return anded(6); });
  if (name == "zipf")  // numbers up to n, each as often as its reciprocal says
    return keys_by<Key>(n, [&, scale = std::log(static_cast<double>(n))](std::size_t) {
      return static_cast<std::uint64_t>(std::exp(random.unit() * scale));
    });
  if (name == "distinct3") return keys_by<Key>(n, [&](std::size_t) { return random.next() % 3 * 0x55555555u; });
  if (name == "equal") return keys_by<Key>(n, [](std::size_t) { return 0x5A5A5A5A5A5A5A5Au; });
  if (name == "sorted") return keys_by<Key>(n, [&](std::size_t i) { return i * step; });
  if (name == "reversed") return keys_by<Key>(n, [&](std::size_t i) { return (n - i) * step; });
  if (name == "bits16") return keys_by<Key>(n, [&](std::size_t) { return random.next() & 0xFFFF; });
  throw std::invalid_argument("no distribution of this name: " + name);
}

/// Throws unless `got` are the keys of `in` in order: none descends, and what is summed of all is the same.
template <class Key>
void expect_sorted(std::vector<Key> const& in, std::vector<Key> const& got) {
  using word = std::conditional_t<sizeof(Key) == 8, std::uint64_t, std::uint32_t>;
  auto const mixed = [](std::vector<Key> const& keys) {
    std::uint64_t sum = 0;
    for (Key const& key : keys) sum += generator(std::bit_cast<word>(key)).next();
    return sum;
  };
  for (std::size_t i = 1; i < got.size(); ++i)
    if (got[i] < got[i - 1]) throw std::runtime_error("wrong order at item " + std::to_string(i));
  if (in.size() != got.size() || mixed(in) != mixed(got)) throw std::runtime_error("other keys than were there");
}

/// Throws unless places name every key of `in` once, in order, and equal ones by their places.
template <class Key>
void expect_places(std::vector<Key> const& in, std::vector<std::uint32_t> const& places) {
  std::vector<bool> named(in.size());
  for (std::size_t i = 0; i < places.size(); ++i) {
    auto const place = places[i];
    if (place >= in.size() || named[place]) throw std::runtime_error("wrong place at item " + std::to_string(i));
    named[place] = true;
    if (i == 0) continue;
    auto const before = places[i - 1];
    if (in[place] < in[before] || (in[place] == in[before] && place < before))
      throw std::runtime_error("wrong order at item " + std::to_string(i));
  }
}

}  // namespace bench
