// Laws of the lengths of rows.
#pragma once
#include <vector>

#include "elementary.hpp"
#include "matrix_values.hpp"

namespace lookback::app {

/// Geometric lengths >= 1 with this mean, up to `longest`; each is a function of the row.
class geometric_lengths {
 public:
  /// Throws usage_error for a mean below 1 or above `longest`.
  geometric_lengths(double mean, index_t longest, std::uint64_t seed);
  index_t operator()(index_t row) const {
    double const u = 1 - random_unit(seed_, static_cast<std::uint64_t>(row));  // in (0, 1]
    double const drawn = 1 + std::floor(portable_log(u) * scale_);
    return drawn < static_cast<double>(longest_) ? static_cast<index_t>(drawn) : longest_;
  }

 private:
  index_t longest_;
  std::uint64_t seed_;
  double scale_;
};

/// The lengths of varied_rows, falling, none above `longest`.
std::vector<index_t> falling_lengths(varied_lengths const& law, index_t longest, int threads);

/// Standard deviation over mean; 0 of nothing.
double variation_of(std::vector<index_t> const& lengths);

}  // namespace lookback::app
