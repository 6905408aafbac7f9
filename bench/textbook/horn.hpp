// Horn's scan: in each step every item takes in the one that lies twice as far ahead as in the step before.
//
//   distance 1   a   ab   bc   cd   de        log2 n steps, n log2 n operations: short, and more work than a plain loop does
//   distance 2   a   ab  abc abcd bcde
//
// Source: Hillis & Steele, Data Parallel Algorithms, 1986; Horn, Stream Reduction Operations for GPGPU Applications, 2005.
#pragma once
#include <vector>

#include "steps.hpp"

namespace textbook {

/// out[i] = in[0] op ... op in[i].
template <class T, class Op>
std::vector<T> horn_scan(machine& on, std::vector<T> in, Op const& op) {
  std::vector<T> out = in;  // a step reads one array and stores to the other
  for (std::size_t distance = 1; distance < in.size(); distance *= 2) {
    on.step(in.size(), [&](std::size_t i) { out[i] = i < distance ? in[i] : on.apply(op, in[i - distance], in[i]); });
    std::swap(in, out);
  }
  return in;
}

}  // namespace textbook
