// A shuffle of a range that is computed, not stored.
#pragma once
#include <bit>
#include <lookback/fn.hpp>

#include "random.hpp"

namespace lookback::app {

/// Every number of [0, n) goes to another place in it, by the seed alone.
class permutation {
 public:
  permutation(index_t n, std::uint64_t seed) : n_{static_cast<std::uint64_t>(n)} {
    int const bits = n > 1 ? std::bit_width(n_ - 1) : 0;
    mask_ = (std::uint64_t{1} << bits) - 1;
    shift_ = bits / 2 + 1;
    for (std::uint64_t k = 0; k < rounds; ++k) {
      factor_[k] = random_word(seed, 2 * k) | 1;
      term_[k] = random_word(seed, 2 * k + 1);
    }
  }

  /// Where i is, in [0, n), goes.
  index_t operator()(index_t i) const {
    auto x = static_cast<std::uint64_t>(i);
    // Shuffles the next power of two. Who leaves [0, n) goes on until he is back in it: the way is a circle through i.
    do x = shuffled(x);
    while (x >= n_);
    return static_cast<index_t>(x);
  }

 private:
  // Steps that lose nothing modulo a power of two: an odd factor carries bits up, the shift brings them down again.
  std::uint64_t shuffled(std::uint64_t x) const {
    for (int k = 0; k < rounds; ++k) {
      x = (x * factor_[k] + term_[k]) & mask_;
      x ^= x >> shift_;
    }
    return x;
  }

  static constexpr int rounds = 4;
  std::uint64_t n_, mask_ = 0, factor_[rounds], term_[rounds];
  int shift_ = 1;
};

}  // namespace lookback::app
