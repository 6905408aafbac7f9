// Seeded inputs of the benchmarks, made on the host.
#pragma once
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <vector>

namespace bench {

class generator {
 public:
  explicit generator(std::uint64_t seed) : state_(seed) {}
  std::uint64_t next() {  // splitmix64
    std::uint64_t z = state_ += 0x9E3779B97F4A7C15u;
    z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9u;
    z = (z ^ z >> 27) * 0x94D049BB133111EBu;
    return z ^ z >> 31;
  }
  double unit() { return static_cast<double>(next() >> 11) * 0x1p-53; }

 private:
  std::uint64_t state_;
};

/// Any bits for integers, [0, 1) for floats: the first `count` of n.
template <class T>
std::vector<T> uniform(std::size_t n, std::size_t count) {
  generator random(n);
  std::vector<T> values(count);
  for (T& x : values) {
    if constexpr (std::is_floating_point_v<T>) x = static_cast<T>(random.unit());
    else x = static_cast<T>(random.next());
  }
  return values;
}

template <class T>
std::vector<T> uniform(std::size_t n) {
  return uniform<T>(n, n);
}

/// Positions where segments begin, n at the end; their lengths are geometric with this mean.
inline std::vector<std::int32_t> starts(std::size_t n, double mean) {
  generator random(n + static_cast<std::size_t>(mean));
  std::vector<std::int32_t> at{0};
  double const scale = mean > 1 ? -1 / std::log1p(-1 / mean) : 0;
  for (double i = 0;;) {
    i += 1 + std::floor(-std::log1p(-random.unit()) * scale);
    if (i >= static_cast<double>(n)) break;
    at.push_back(static_cast<std::int32_t>(i));
  }
  at.push_back(static_cast<std::int32_t>(n));
  return at;
}

/// Positions where runs begin, n at the end; as many of a length as a power law says: most are short, a few hold most items.
inline std::vector<std::int32_t> power_law_starts(std::size_t n) {
  generator random(n);
  std::vector<std::int32_t> at{0};
  for (double i = 0;;) {
    i += 1 + std::floor(1 / (random.unit() + 1e-6));
    if (i >= static_cast<double>(n)) break;
    at.push_back(static_cast<std::int32_t>(i));
  }
  at.push_back(static_cast<std::int32_t>(n));
  return at;
}

inline std::vector<std::uint8_t> flags_at(std::vector<std::int32_t> const& starts) {
  std::vector<std::uint8_t> flags(static_cast<std::size_t>(starts.back()), 0);
  for (std::size_t k = 0; k + 1 < starts.size(); ++k) flags[static_cast<std::size_t>(starts[k])] = 1;
  return flags;
}

inline std::vector<std::uint8_t> bits_at(std::vector<std::int32_t> const& starts) {
  std::vector<std::uint8_t> bits((static_cast<std::size_t>(starts.back()) + 7) / 8, 0);
  for (std::size_t k = 0; k + 1 < starts.size(); ++k) {
    auto const i = static_cast<std::size_t>(starts[k]);
    bits[i / 8] = static_cast<std::uint8_t>(bits[i / 8] | 1u << i % 8);
  }
  return bits;
}

/// The number of the segment of every item.
inline std::vector<std::int32_t> keys_at(std::vector<std::int32_t> const& starts) {
  std::vector<std::int32_t> keys(static_cast<std::size_t>(starts.back()));
  for (std::size_t k = 0; k + 1 < starts.size(); ++k)
    for (std::int32_t i = starts[k]; i < starts[k + 1]; ++i) keys[static_cast<std::size_t>(i)] = static_cast<std::int32_t>(k);
  return keys;
}

}  // namespace bench
