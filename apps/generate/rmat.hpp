// The edges of R-MAT graphs, one by one.
#pragma once
#include "matrix_values.hpp"
#include "permutation.hpp"

namespace lookback::app {

struct edge {
  index_t from, to;
};

/// Edge e is drawn by itself: for every bit of its two ends, from the highest, one of four quarters, with the probabilities of
/// Graph500, each to 2^-17. Without its noise.
class rmat_edges {
 public:
  rmat_edges(rmat_law const& law, std::uint64_t seed)
      : law_{law}, seed_{seed_for(purpose::columns, seed)}, labels_{index_t{1} << law.scale, seed_for(purpose::labels, seed)} {}

  index_t vertices() const { return index_t{1} << law_.scale; }
  index_t count() const { return vertices() * law_.edge_factor; }
  edge operator()(index_t e) const {
    auto at = static_cast<std::uint64_t>(e) * static_cast<std::uint64_t>((law_.scale + 3) / 4);  // a word holds four draws
    edge drawn{0, 0};
    std::uint64_t word = 0;
    for (int bit = 0; bit < law_.scale; ++bit) {
      if (bit % 4 == 0) word = random_word(seed_, at++);
      auto const draw = word & 0xffff;
      word >>= 16;
      // Quarters a, b above c, d. No branches: nobody could foretell them.
      drawn.from = 2 * drawn.from + (draw >= b_ends);
      drawn.to = 2 * drawn.to + ((draw >= a_ends) ^ (draw >= b_ends) ^ (draw >= c_ends));
    }
    return law_.permuted ? edge{labels_(drawn.from), labels_(drawn.to)} : drawn;
  }

 private:
  // 0.57, 0.19 and 0.19 of 2^16; 0.05 are left.
  static constexpr std::uint64_t a_ends = 37356, b_ends = 49807, c_ends = 62259;

  rmat_law law_;
  std::uint64_t seed_;
  permutation labels_;
};

/// The value of an edge, however often it is drawn.
template <class T>
T rmat_value(std::uint64_t seed, int scale, edge of) {
  return value_from<T>(random_word(seed_for(purpose::values, seed), static_cast<std::uint64_t>((of.from << scale) + of.to)));
}

}  // namespace lookback::app
