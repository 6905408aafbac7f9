// The segmented scan by a tree: Blelloch's, whose nodes also know whether a segment begins in their part.
//
// Going up, nothing is added across the beginning of a segment. Coming down, the right child begins anew where a segment begins
// with its first item; where one begins inside the left child, it gets what is left of that alone. Source: Sengupta, Harris, Zhang
// & Owens, Scan Primitives for GPU Computing, 2007, algorithms 3 and 4.
#pragma once
#include <cstdint>
#include <vector>

#include "steps.hpp"

namespace textbook {

/// out[i] = what comes before item i in its segment; the identity where a segment begins. heads[i]: one begins with item i.
template <class T, class Op>
std::vector<T> tree_segmented_scan(machine& on, std::vector<T> x, std::vector<std::uint8_t> heads, Op const& op,
                                   T const& identity) {
  std::size_t const n = x.size(), leaves = power_of_two_from(n);
  x.resize(leaves, identity), heads.resize(leaves, 0);
  auto begins = heads;  // in the part of a node
  for (std::size_t half = 1; half < leaves; half *= 2)
    on.step(leaves / (2 * half), [&](std::size_t k) {
      std::size_t const right = (k + 1) * 2 * half - 1, left = right - half;
      if (!begins[right]) x[right] = on.apply(op, x[left], x[right]);
      begins[right] = begins[right] || begins[left];
    });
  x[leaves - 1] = identity;
  for (std::size_t half = leaves / 2; half >= 1; half /= 2)
    on.step(leaves / (2 * half), [&](std::size_t k) {
      std::size_t const right = (k + 1) * 2 * half - 1, left = right - half;
      T const of_left = std::exchange(x[left], x[right]);
      if (heads[left + 1]) x[right] = identity;
      else if (begins[left]) x[right] = of_left;
      else x[right] = on.apply(op, x[right], of_left);
    });
  x.resize(n);
  return x;
}

}  // namespace textbook
