#include "label_places.hpp"

#include <algorithm>
#include <cstddef>
#include <numeric>

#include "failures.hpp"
#include "table.hpp"

namespace lookback::app {

// The least squares of all moves: labels that would touch form a block around the mean of what they want. Without their distances
// the places must only ascend, which is isotonic regression, by pooling neighbours.
std::vector<double> label_places(std::vector<double> const& wanted, double apart, double low, double high) {
  auto const count = wanted.size();
  if (count == 0) return {};
  double const needed = apart * static_cast<double>(count - 1);
  if (needed > high - low + 1e-9)
    throw invalid_argument("labels: found " + short_text(high - low) + " for " + std::to_string(count) +
                           " of them, expected at least " + short_text(needed));
  std::vector<std::size_t> order(count);
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return wanted[a] < wanted[b]; });
  struct block {
    double sum;
    std::size_t count;
    double mean() const { return sum / static_cast<double>(count); }
  };
  std::vector<block> blocks;
  for (std::size_t i = 0; i < count; ++i) {
    blocks.push_back({wanted[order[i]] - apart * static_cast<double>(i), 1});
    while (blocks.size() > 1 && blocks.end()[-2].mean() >= blocks.back().mean()) {
      auto const last = blocks.back();
      blocks.pop_back();
      blocks.back().sum += last.sum;
      blocks.back().count += last.count;
    }
  }
  std::vector<double> places(count);
  std::size_t i = 0;
  for (auto const& one : blocks)
    for (std::size_t k = 0; k < one.count; ++k, ++i)
      places[order[i]] = std::clamp(one.mean(), low, std::max(low, high - needed)) + apart * static_cast<double>(i);
  return places;
}

}  // namespace lookback::app
