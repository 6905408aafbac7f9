#include "spread.hpp"

#include <algorithm>
#include <cmath>

namespace lookback::app {

void spread::add(std::vector<timed> const& all) {
  for (auto const& one : all) {
    auto const known = std::find_if(of_.begin(), of_.end(), [&](entry const& other) { return other.name == one.name; });
    auto& it = known != of_.end() ? *known : of_.emplace_back(entry{one.name, one.kind, {}});
    it.costs.push_back(one.seconds / one.bytes);
  }
  ++jobs_;
}

spread::ratio spread::ours() const { return best_of(contender_kind::ours); }
spread::ratio spread::best_peer() const { return best_of(contender_kind::peer); }

spread::ratio spread::best_of(contender_kind kind) const {
  auto const mean = [](entry const& of) {  // geometric
    double logarithms = 0;
    for (double const cost : of.costs) logarithms += std::log(cost);
    return logarithms / static_cast<double>(of.costs.size());
  };
  entry const* best = nullptr;
  for (auto const& one : of_)
    if (one.kind == kind && one.costs.size() == jobs_ && (!best || mean(one) < mean(*best))) best = &one;
  if (!best) return {};
  auto const [least, most] = std::minmax_element(best->costs.begin(), best->costs.end());
  return {best->name, *most / *least};
}

}  // namespace lookback::app
