// The same heads of segments described in every way, and sizes that strategies are tried on.
#pragma once
#include "check_scan.hpp"
#include "edge_sizes.hpp"
#include "random.hpp"

namespace harness {

/// The last one gives every worker several tiles, and a look-back several windows.
template <class T>
std::vector<std::size_t> sizes() {
  return {1, 63, 64, 65, 1000, up_to(30'011), up_to(100'003), up_to(many_tiles<T>())};
}

/// Where segments begin, of `mean` items on average; 0: none but the first.
inline std::vector<flag> heads_of(std::size_t n, std::size_t mean) {
  generator random(n + mean);
  std::vector<flag> heads(n);
  for (std::size_t i = 0; i < n; ++i) heads[i] = i == 0 || (mean > 0 && random.below(mean) == 0);
  return heads;
}
inline std::vector<std::int64_t> offsets_of(std::vector<flag> const& heads) {
  std::vector<std::int64_t> offsets;
  for (std::size_t i = 0; i < heads.size(); ++i)
    if (heads[i]) offsets.push_back(static_cast<std::int64_t>(i));
  offsets.push_back(static_cast<std::int64_t>(heads.size()));
  return offsets;
}
inline std::vector<std::int32_t> keys_of(std::vector<flag> const& heads) {
  std::vector<std::int32_t> keys;
  for (flag const head : heads) keys.push_back((keys.empty() ? 0 : keys.back()) + (head ? 1 : 0));
  return keys;
}

inline std::vector<std::uint8_t> bits_of(std::vector<flag> const& heads) {
  std::vector<std::uint8_t> bits((heads.size() + 7) / 8);
  for (std::size_t i = 0; i < heads.size(); ++i)
    if (heads[i]) bits[i / 8] = static_cast<std::uint8_t>(bits[i / 8] | 1u << i % 8);
  return bits;
}

}  // namespace harness
