// An operator that takes very unequal times, and the sums that scans of integers leave.
#pragma once
#include <cstdint>
#include <nv/target>
#include <vector>

#include "harness.hpp"

namespace harness {

inline std::vector<std::int32_t> running_sums(std::vector<std::int32_t> in) {
  std::uint32_t sum = 0;
  for (auto& x : in) x = static_cast<std::int32_t>(sum += static_cast<std::uint32_t>(x));
  return in;
}

/// Keeps the first and the last of neighbours, and stalls some of them: tiles overtake each other.
struct stalling {
  unsigned per_mille;
  struct pair {
    std::int32_t first, last;
    bool operator==(pair const&) const = default;
  };
  ON_DEVICE pair operator()(pair const& a, pair const& b) const {
    NV_IF_TARGET(NV_IS_DEVICE, (unsigned h = (static_cast<unsigned>(a.last) * 2654435761u) >> 7;
                                if (h % 1000 < per_mille) __nanosleep(h % 20000);))
    return {a.first, a.last + 1 == b.first ? b.last : -1};
  }
};

}  // namespace harness
