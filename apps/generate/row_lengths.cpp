#include "row_lengths.hpp"

#include <algorithm>

#include "io/matrix_rows.hpp"

namespace lookback::app {

geometric_lengths::geometric_lengths(double mean, index_t longest, std::uint64_t seed)
    : longest_{longest}, seed_{seed_for(purpose::lengths, seed)} {
  if (!(mean >= 1 && mean <= static_cast<double>(longest)))
    throw usage_error("--mean: found " + text_of(mean) + ", expected 1 to " + text_of(longest) +
                      ", the largest number of nonzeros in a row");
  scale_ = mean > 1 ? 1 / portable_log(1 - 1 / mean) : 0;
}

double variation_of(std::vector<index_t> const& lengths) {
  double sum = 0, squares = 0;
  for (auto const length : lengths) {
    auto const x = static_cast<double>(length);
    sum += x, squares += x * x;
  }
  if (sum == 0) return 0;
  return std::sqrt(std::max(0.0, static_cast<double>(lengths.size()) * squares / (sum * sum) - 1));
}

namespace {

// Both laws are e^(spread * logarithm) with falling logarithms: of ranks, or normal ones. The spread decides how much they vary.
class length_family {
 public:
  length_family(varied_lengths const& law, index_t longest, int threads)
      : nonzeros_{law.nonzeros}, longest_{longest}, threads_{threads}, logarithms_(static_cast<std::size_t>(rows_of(law))) {
    auto const n = static_cast<double>(logarithms_.size());
    in_parts(std::ssize(logarithms_), threads, [&](index_t begin, index_t end) {
      for (index_t k = begin; k < end; ++k) {
        auto const rank = static_cast<double>(k);
        logarithms_[static_cast<std::size_t>(k)] = law.zipf ? -portable_log(rank + 1) : normal_quantile((rank + 0.5) / n);
      }
    });
    shares_.resize(logarithms_.size());
    from_.resize(logarithms_.size() + 1);  // the sum of all shares from the k-th on
  }

  static index_t rows_of(varied_lengths const& law) { return std::llround(static_cast<double>(law.nonzeros) / law.mean); }

  /// Whole lengths, the remainder of each carried to the next, so that their sum is exact.
  std::vector<index_t> lengths(double spread) {
    // In terms of the row behind those that would be full if all others were empty: far from it, all are full or none has much.
    auto const behind = std::min(logarithms_.size() - 1, static_cast<std::size_t>(nonzeros_ / longest_));
    in_parts(std::ssize(shares_), threads_, [&](index_t begin, index_t end) {
      for (auto k = static_cast<std::size_t>(begin); k < static_cast<std::size_t>(end); ++k)
        shares_[k] = portable_exp(std::clamp(spread * (logarithms_[k] - logarithms_[behind]), -600.0, 600.0));
    });
    for (std::size_t k = shares_.size(); k-- > 0;) from_[k] = from_[k + 1] + shares_[k];
    // The first rows would be longer than they may: they are as long as they may, and the others share what is left.
    std::size_t cut = 0;
    auto const scale = [&] { return (static_cast<double>(nonzeros_) - static_cast<double>(cut) * limit()) / from_[cut]; };
    while (cut < shares_.size() && shares_[cut] * scale() > limit()) ++cut;
    double const unit = cut < shares_.size() ? scale() : 0;
    std::vector<index_t> whole(shares_.size());
    index_t given = 0;
    double due = 0;
    for (std::size_t k = 0; k < whole.size(); ++k) {
      due += k < cut ? limit() : shares_[k] * unit;
      auto const up_to = std::min(index_t{std::llround(due)}, nonzeros_);
      whole[k] = std::min(up_to - given, longest_);  // rounding could make it one more
      given += whole[k];
    }
    // Rounding of the sum, a few at most.
    for (std::size_t k = whole.size(); k-- > 0 && given < nonzeros_;)
      if (whole[k] < longest_) ++whole[k], ++given;
    return whole;
  }

 private:
  double limit() const { return static_cast<double>(longest_); }

  index_t nonzeros_, longest_;
  int threads_;
  std::vector<double> logarithms_, shares_, from_;
};

}  // namespace

std::vector<index_t> falling_lengths(varied_lengths const& law, index_t longest, int threads) {
  expect_between("--nonzeros", law.nonzeros, 0, most_rows);
  if (law.nonzeros == 0) return {};
  auto const nonzeros = static_cast<double>(law.nonzeros);
  double const least = nonzeros / static_cast<double>(most_rows), most = std::min(nonzeros, static_cast<double>(longest));
  if (!(law.mean >= least && law.mean <= most))
    throw usage_error("--mean: found " + text_of(law.mean) + ", expected " + text_of(least) + " to " + text_of(most) +
                      " for this number of nonzeros and of columns");
  if (!(law.variation >= 0)) throw usage_error("--cv: found " + text_of(law.variation) + ", expected 0 or more");
  length_family family(law, longest, threads);
  if (law.variation == 0) return family.lengths(0);
  double low = 0, high = 1, found = 0;
  while ((found = variation_of(family.lengths(high))) < law.variation) {
    if (high >= 1 << 24)
      throw usage_error("--cv: found " + text_of(law.variation) + ", expected at most " + text_of(found) + " for " +
                        text_of(law.nonzeros) + " nonzeros in rows with a mean of " + text_of(law.mean) + " and at most " +
                        text_of(longest));
    low = high, high *= 2;
  }
  // Half the way up is never far off: closer than a thousandth is no matter to anybody, but whole lengths may not come so close.
  for (int step = 0; step < 40 && std::abs(found / law.variation - 1) > 1e-3; ++step) {
    double const middle = (low + high) / 2;
    found = variation_of(family.lengths(middle));
    (found < law.variation ? low : high) = middle;
  }
  return family.lengths(found < law.variation ? low : high);
}

}  // namespace lookback::app
