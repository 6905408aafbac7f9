// The copy that a scan is compared with: one step, an item for each processor, and nothing added. No scan is faster, because it has
// to read and to store as much. Source: the baseline of a course project of 2023 on single-pass scans.
#pragma once
#include <vector>

#include "steps.hpp"

namespace textbook {

/// out[i] = in[i].
template <class T>
std::vector<T> naive_copy(machine& on, std::vector<T> const& in) {
  std::vector<T> out(in.size());
  on.step(in.size(), [&](std::size_t i) { out[i] = in[i]; });
  return out;
}

}  // namespace textbook
