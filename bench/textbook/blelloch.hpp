// Blelloch's work-efficient scan: sums go up a tree, and what comes before each node comes down again.
//
//   up     a   ab   c   abcd      a node is the last item of its part         2 log2 n steps, 2 (n - 1) operations
//   down   -   a    ab  abc       the left child gets what comes before the node, the right one that and the left child's sum
//
// Source: Blelloch, Prefix Sums and Their Applications, 1990.
#pragma once
#include <vector>

#include "steps.hpp"

namespace textbook {

/// out[i] = in[0] op ... op in[i - 1]; out[0] is the identity.
template <class T, class Op>
std::vector<T> blelloch_scan(machine& on, std::vector<T> x, Op const& op, T const& identity) {
  std::size_t const n = x.size(), leaves = power_of_two_from(n);
  x.resize(leaves, identity);
  for (std::size_t half = 1; half < leaves; half *= 2)
    on.step(leaves / (2 * half), [&](std::size_t k) {
      std::size_t const right = (k + 1) * 2 * half - 1, left = right - half;
      x[right] = on.apply(op, x[left], x[right]);
    });
  x[leaves - 1] = identity;
  for (std::size_t half = leaves / 2; half >= 1; half /= 2)
    on.step(leaves / (2 * half), [&](std::size_t k) {
      std::size_t const right = (k + 1) * 2 * half - 1, left = right - half;
      T const of_left = std::exchange(x[left], x[right]);
      x[right] = on.apply(op, x[right], of_left);
    });
  x.resize(n);
  return x;
}

}  // namespace textbook
