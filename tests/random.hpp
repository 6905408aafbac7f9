// Seeded inputs: the same numbers on every machine.
#pragma once
#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <vector>

namespace harness {

/// splitmix64: small, good enough, and the same everywhere (the distributions of <random> are not).
class generator {
 public:
  explicit generator(std::uint64_t seed) : state_(seed) {}
  std::uint64_t next() {
    std::uint64_t z = state_ += 0x9E3779B97F4A7C15u;
    z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9u;
    z = (z ^ z >> 27) * 0x94D049BB133111EBu;
    return z ^ z >> 31;
  }
  std::uint64_t below(std::uint64_t n) { return next() % n; }
  double unit() { return static_cast<double>(next() >> 11) * 0x1p-53; }

 private:
  std::uint64_t state_;
};

/// Any bit pattern for integers; floats in [-1, 1) without structure.
template <class T>
std::vector<T> random_values(std::size_t n, std::uint64_t seed) {
  generator random(seed);
  std::vector<T> values(n);
  for (T& x : values) {
    if constexpr (std::is_floating_point_v<T>) x = static_cast<T>(2 * random.unit() - 1);
    else x = static_cast<T>(random.next());
  }
  return values;
}

}  // namespace harness
