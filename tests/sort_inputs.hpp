// Keys that break sorts, and the sizes at which they break.
#pragma once
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <harness.hpp>
#include <string>
#include <vector>

#include "random.hpp"
#include "sort_oracle.hpp"

namespace harness {

using oracle::word_t;

/// Around a warp, a block, powers of two, and one to three tiles of the GPU's kernels.
inline std::vector<std::size_t> sort_sizes(std::size_t largest) {
  std::vector<std::size_t> sizes{0, 1, 2, 31, 32, 33, 255, 256, 257, 1000, 100'000, 1'000'000};
  for (int power = 10; power <= 17; ++power)
    for (int const off : {-1, 0, 1}) sizes.push_back((std::size_t{1} << power) + static_cast<std::size_t>(off));
  for (std::size_t const tile : {4864u, 6144u, 10240u, 12288u, 20480u})
    for (std::size_t const n : {tile, 2 * tile, 3 * tile})
      for (int const off : {-1, 0, 1}) sizes.push_back(n + static_cast<std::size_t>(off));
  std::sort(sizes.begin(), sizes.end());
  sizes.erase(std::unique(sizes.begin(), sizes.end()), sizes.end());
  sizes.erase(std::upper_bound(sizes.begin(), sizes.end(), largest), sizes.end());
  return sizes;
}

/// The bits of keys at the ends of a type; of floats zeros, denormals, infinities and NaNs of several payloads, of both signs.
template <class Key>
std::vector<word_t<Key>> special_words() {
  using f = oracle::format<Key>;
  using word = word_t<Key>;
  std::vector<word> all{0, 1};
  if constexpr (std::is_same_v<Key, bool>) return all;
  auto const add = [&](std::uint64_t w) { all.push_back(static_cast<word>(w)); };
  if constexpr (f::is_float) {
    std::uint64_t const least = std::uint64_t{1} << f::fraction, one = f::infinity / 2 / least * least;
    for (std::uint64_t const w : {least - 1, least, one, std::uint64_t{f::infinity} - 1, std::uint64_t{f::infinity}}) add(w);
    for (std::uint64_t const payload : {std::uint64_t{1}, std::uint64_t{2}, least / 2, least / 2 + 3, least - 1})
      add(f::infinity + payload);
    for (std::size_t const k : std::vector<std::size_t>{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11}) add(std::uint64_t{f::top} | all[k]);
  } else {
    for (std::uint64_t const w : {std::uint64_t{f::top}, std::uint64_t{f::top} - 1, std::uint64_t{f::top} + 1}) add(w);
    add(~std::uint64_t{0}), add(~std::uint64_t{1});
  }
  return all;
}

/// Any bits, and every fourth key one of the special ones.
template <class Key>
std::vector<word_t<Key>> any_words(std::size_t n, std::uint64_t seed) {
  generator random(seed);
  auto const special = special_words<Key>();
  std::vector<word_t<Key>> keys(n);
  for (auto& w : keys) {
    w = static_cast<word_t<Key>>(random.next());
    if (std::is_same_v<Key, bool> || random.below(4) == 0) w = special[random.below(special.size())];
  }
  return keys;
}

template <class Word>
struct distribution {
  std::string name;
  std::vector<Word> keys;
};

/// n keys, f(i) each.
template <class Word, class F>
distribution<Word> drawn(std::string name, std::size_t n, F f) {
  std::vector<Word> keys(n);
  for (std::size_t i = 0; i < n; ++i) keys[i] = static_cast<Word>(f(i));
  return {std::move(name), std::move(keys)};
}

template <class Word>
std::vector<distribution<Word>> distributions(std::size_t n) {
  generator random(n);
  std::uint64_t const last = static_cast<Word>(~Word{0}), step = std::max<std::uint64_t>(1, last / std::max<std::size_t>(n, 1));
  auto const any = [&] { return random.next(); };
  auto const anded = [&](int words) {
    std::uint64_t w = ~std::uint64_t{0};
    for (int k = 0; k < words; ++k) w &= random.next();
    return w;
  };
  std::vector<distribution<Word>> all;
  auto const add = [&](char const* name, auto f) { all.push_back(drawn<Word>(name, n, f)); };
  add("uniform", [&](std::size_t) { return any(); });
  add("all equal", [&](std::size_t) { return 0x5A5A5A5A5A5A5A5Au; });
  add("all zero", [](std::size_t) { return 0; });
  add("all ones", [&](std::size_t) { return last; });
  add("sorted", [&](std::size_t i) { return i * step; });
  add("reversed", [&](std::size_t i) { return (n - i) * step; });
  add("sorted but for one in a hundred", [&](std::size_t i) { return random.below(100) == 0 ? any() : i * step; });
  add("two values", [&](std::size_t) { return any() % 2 == 0 ? last / 3 : last / 3 + 1; });
  add("seven values", [&](std::size_t) { return any() % 7 * (last / 7); });
  add("zipf", [&](std::size_t) { return 1 / (random.unit() + 1e-9); });
  add("and of 3 words", [&](std::size_t) { return anded(3); });
  add("and of 6 words", [&](std::size_t) { return anded(6); });
  add("organ pipe", [&](std::size_t i) { return std::min(i, n - i) * step; });
  add("alternating", [&](std::size_t i) { return i % 2 == 0 ? 0 : last; });
  add("low bits count", [](std::size_t i) { return i; });
  add("runs of 300", [](std::size_t i) { return i / 300 * 0x9E3779B97F4A7C15u; });
  add("all equal but one", [&](std::size_t i) { return i == n / 2 ? 0x1A1A1A1A1A1A1A1Au : 0x5A5A5A5A5A5A5A5Au; });
  for (std::size_t byte = 0; byte < sizeof(Word); ++byte)
    all.push_back(drawn<Word>("byte " + std::to_string(byte) + " varies", n, [&](std::size_t) {
      return (last / 5 & ~(std::uint64_t{255} << 8 * byte)) | (any() & 255) << 8 * byte;
    }));
  return all;
}

}  // namespace harness
