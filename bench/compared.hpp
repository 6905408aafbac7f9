// What benchmarks of sorts by comparisons compare: by functions that no library knows, the same on both sides.
#pragma once
#include <cstdint>
#include <lookback/fn.hpp>

namespace bench {

struct asked_less {
  template <class T>
  LOOKBACK_FN bool operator()(T const& a, T const& b) const {
    return a < b;
  }
};

/// 16 bytes, by two of its fields.
struct record {
  std::uint32_t group, price;
  std::uint64_t number;
  friend LOOKBACK_FN bool operator<(record const& a, record const& b) {
    return a.group != b.group ? a.group < b.group : a.price < b.price;
  }
};

}  // namespace bench
