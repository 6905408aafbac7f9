// Sklansky's scan: in each step the upper half of every block takes in the last item of the lower half, and blocks double.
//
//   blocks of 2   a   ab   c   cd         log2 n steps, n / 2 log2 n operations: short, but one item is read by many at a time
//   blocks of 4   a   ab  abc abcd
//
// Source: Sklansky, Conditional-Sum Addition Logic, 1960.
#pragma once
#include <vector>

#include "steps.hpp"

namespace textbook {

/// out[i] = in[0] op ... op in[i].
template <class T, class Op>
std::vector<T> sklansky_scan(machine& on, std::vector<T> all, Op const& op) {
  for (std::size_t half = 1; half < all.size(); half *= 2)
    on.step(all.size(), [&](std::size_t i) {
      if (i & half) all[i] = on.apply(op, all[i / (2 * half) * (2 * half) + half - 1], all[i]);
    });
  return all;
}

}  // namespace textbook
