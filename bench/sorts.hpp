// What benchmarks of sorts read and how their results are checked, both where the arrays lie: keys by the name of their
// distribution.
#pragma once
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <each.hpp>
#include <lookback/fn.hpp>
#include <stdexcept>
#include <string>
#include <type_traits>

namespace bench {

/// A random number for every i: splitmix64.
LOOKBACK_FN std::uint64_t random_at(std::uint64_t i) {
  std::uint64_t z = (i + 1) * 0x9E3779B97F4A7C15u;
  z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9u;
  z = (z ^ z >> 27) * 0x94D049BB133111EBu;
  return z ^ z >> 31;
}

/// A key of 32 or 64 random bits: those bits, or of a float the number that they are as a signed integer, so that the order stays.
template <class Key>
LOOKBACK_FN Key as_key(std::uint64_t bits) {
  if constexpr (std::is_floating_point_v<Key>)
    return static_cast<Key>(static_cast<std::int64_t>(bits & 0xFFFFFFFF) - (std::int64_t{1} << 31));
  else return static_cast<Key>(bits);
}

/// and3, and6: of so many random words, 0.544 and 0.116 bits of entropy each. zipf: numbers up to n, each as often as its
/// reciprocal says. bits16: 16 bits of each key differ.
enum class distribution { uniform, and3, and6, zipf, distinct3, equal, sorted, reversed, organ_pipe, bits16 };
inline constexpr char const* distribution_names[] = {"uniform", "and3",   "and6",     "zipf",       "distinct3",
                                                     "equal",   "sorted", "reversed", "organ_pipe", "bits16"};

/// Key number i of n.
template <class Key>
class keys_of {
 public:
  keys_of(std::string const& name, std::size_t n) : n_(n), logarithm_(std::log(static_cast<double>(n))) {
    int number = 0;
    for (; name != distribution_names[number]; ++number)
      if (number == static_cast<int>(distribution::bits16)) throw std::invalid_argument("no distribution of this name: " + name);
    kind_ = static_cast<distribution>(number);
    constexpr int bits = 8 * static_cast<int>(sizeof(Key));
    step_ = (bits == 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << bits) - 1) / n;
  }
  LOOKBACK_FN Key operator()(std::size_t i) const { return as_key<Key>(bits_at(i)); }

 private:
  LOOKBACK_FN std::uint64_t bits_at(std::uint64_t i) const {
    switch (kind_) {
      case distribution::and3:
        return anded(i, 3);
      case distribution::and6:
        return anded(i, 6);
      case distribution::zipf:
        return static_cast<std::uint64_t>(std::exp(static_cast<double>(random_at(i) >> 11) * 0x1p-53 * logarithm_));
      case distribution::distinct3:
        return random_at(i) % 3 * 0x55555555u;
      case distribution::equal:
        return 0x5A5A5A5A5A5A5A5Au;
      case distribution::sorted:
        return i * step_;
      case distribution::reversed:
        return (n_ - i) * step_;
      case distribution::organ_pipe:
        return (i < n_ / 2 ? 2 * i : 2 * (n_ - i)) * step_;
      case distribution::bits16:
        return random_at(i) & 0xFFFF;
      default:
        return random_at(i);
    }
  }
  LOOKBACK_FN static std::uint64_t anded(std::uint64_t i, std::uint64_t words) {
    std::uint64_t all = ~std::uint64_t{0};
    for (std::uint64_t k = 0; k < words; ++k) all &= random_at(words * i + k);
    return all;
  }

  distribution kind_ = distribution::uniform;
  std::uint64_t n_, step_ = 0;
  double logarithm_;
};

/// The number of an item.
template <class Number>
struct number_of {
  LOOKBACK_FN Number operator()(std::size_t i) const { return static_cast<Number>(i); }
};

// ---- checks

/// Another number for every key; the sum of all tells whether the same keys are there.
template <class Key>
struct key_mark {
  Key const* keys;
  LOOKBACK_FN std::uint64_t operator()(std::size_t i) const {
    if constexpr (std::is_floating_point_v<Key>) return random_at(static_cast<std::uint64_t>(static_cast<std::int64_t>(keys[i])));
    else return random_at(keys[i]);
  }
};
template <class Key>
struct ascends {
  Key const* keys;
  LOOKBACK_FN bool operator()(std::size_t i) const { return i == 0 || !(keys[i] < keys[i - 1]); }
};
/// Place number i is that of a key which belongs behind the one before it: of a larger one, or of an equal one that comes later.
template <class Key>
struct names_next {
  Key const* keys;
  std::uint32_t const* places;
  std::size_t n;
  LOOKBACK_FN bool operator()(std::size_t i) const {
    auto const place = places[i];
    if (place >= n) return false;
    if (i == 0) return true;
    auto const before = places[i - 1];
    return before < n && !(keys[place] < keys[before]) && (keys[before] < keys[place] || before < place);
  }
};

/// Throws unless `got` are the keys of `in`, and right(i) of every item.
template <class Key, class Right>
void expect_keys(device const& d, Key const* in, Key const* got, std::size_t n, Right right) {
  auto const wrong = first_failure(d, n, right);
  if (wrong != n) throw std::runtime_error("wrong order at item " + std::to_string(wrong));
  if (sum_of(d, n, key_mark<Key>{in}) != sum_of(d, n, key_mark<Key>{got})) throw std::runtime_error("other keys than were there");
}
template <class Key>
void expect_sorted(device const& d, Key const* in, Key const* got, std::size_t n) {
  expect_keys(d, in, got, n, ascends<Key>{got});
}

/// Throws unless places name every key once, in order, and equal ones by their places.
template <class Key>
void expect_places(device const& d, Key const* keys, std::uint32_t const* places, std::size_t n) {
  auto const wrong = first_failure(d, n, names_next<Key>{keys, places, n});
  if (wrong != n) throw std::runtime_error("wrong place at item " + std::to_string(wrong));
}

}  // namespace bench
