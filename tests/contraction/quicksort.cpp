// A function of the caller says the same of the same items at every SIMD level, also where the compiler may fuse a multiplication
// with what follows: AVX-512 has an instruction for that, which rounds once. So of two items it could say of each that it comes
// before the other, and a sort would not be stable.
#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <lookback/cpu.hpp>
#include <lookback/quicksort.hpp>
#include <vector>

namespace lb = lookback;

/// What is left of a small share once it was rounded: neighbours that differ may have the same, or have it the other way around.
struct by_rounded {
  static float of(float x) { return x * 1.1f - x; }
  bool operator()(float a, float b) const { return of(a) < of(b); }
};

int main() {
  int failures = 0;
  for (auto const level : {lb::cpu::simd_level::portable, lb::cpu::simd_level::avx2, lb::cpu::simd_level::avx512})
    for (std::size_t const n : {5, 17, 32, 1000, 100'000}) {
      std::vector<float> keys(n);
      std::vector<std::uint32_t> values(n), expected(n);
      for (std::size_t i = 0; i < n; ++i) {
        keys[i] = 1 + static_cast<float>(i * 2654435761u % 1024) * 0x1p-23f;
        values[i] = expected[i] = static_cast<std::uint32_t>(i);
      }
      std::stable_sort(expected.begin(), expected.end(), [&](auto a, auto b) { return by_rounded{}(keys[a], keys[b]); });
      lb::cpu::tuning how;
      how.simd = level;
      lb::quicksort(lb::cpu::on(2).with(how), keys, values, by_rounded{});
      if (values != expected) {
        std::printf("level %d, %zu items: not the order of std::stable_sort\n", static_cast<int>(level), n);
        ++failures;
      }
    }
  return failures == 0 ? 0 : 1;
}
