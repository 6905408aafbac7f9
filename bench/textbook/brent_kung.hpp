// Brent and Kung's scan: going up, the last item of every block takes in that of its lower half; coming down, the middle of every
// block takes in what ends before it. As little work as it takes, and twice as many steps. Blelloch's scan is the exclusive form.
//
//   up, blocks of 2, 4    a   ab    c   abcd   e   ef   g   efgh
//   down                  a   ab   abc  abcd ..             2 log2 n - 1 steps, 2 n operations at most
//
// Source: Brent & Kung, A Regular Layout for Parallel Adders, 1982.
#pragma once
#include <vector>

#include "steps.hpp"

namespace textbook {

/// out[i] = in[0] op ... op in[i].
template <class T, class Op>
std::vector<T> brent_kung_scan(machine& on, std::vector<T> all, Op const& op) {
  auto const take = [&](std::size_t i, std::size_t distance) { all[i] = on.apply(op, all[i - distance], all[i]); };
  std::size_t half = 1;
  for (; 2 * half <= all.size(); half *= 2)
    on.step(all.size() / (2 * half), [&](std::size_t block) { take((block + 1) * 2 * half - 1, half); });
  for (; half >= 1; half /= 2) {
    std::size_t const middles = (all.size() + half) / (2 * half);  // of whole lower halves, but for the first block
    if (middles > 1) on.step(middles - 1, [&](std::size_t block) { take((block + 1) * 2 * half + half - 1, half); });
  }
  return all;
}

}  // namespace textbook
