#include "space.hpp"

#include <cmath>

namespace lookback::app {

std::string words_of(std::vector<tuning_axis> const& axes, tuning_point const& at, tuning_point const& other) {
  std::string text;
  for (std::size_t k = 0; k < axes.size(); ++k)
    if (at[k] != other[k] || (at == other && axes[k].values.size() > 1))
      text += (text.empty() ? "" : ", ") + axes[k].name + " " + axes[k].values[at[k]];
  return text;
}

namespace {

constexpr double better = 0.99;

class coordinate_search {
 public:
  explicit coordinate_search(search_request const& of) : of_{of} { found_.best = of.start; }

  search_result run() {
    axis_ = "the default";
    found_.start_seconds = found_.best_seconds = seconds_at(of_.start);
    if (of_.all) every_point();
    for (bool changed = !of_.all; changed && found_.ended;) {
      changed = false;
      for (std::size_t axis = 0; axis < of_.axes.size() && found_.ended; ++axis) changed = along(axis) || changed;
    }
    return std::move(found_);
  }

 private:
  double seconds_at(tuning_point const& at) {
    auto const known = found_.measured.find(at);
    if (known != found_.measured.end()) return known->second;
    if (!of_.go_on({found_.measured.size(), left(), axis_})) {
      found_.ended = false;
      return INFINITY;
    }
    double const seconds = of_.seconds(at, found_.measured.empty() ? INFINITY : found_.best_seconds);
    found_.measured[at] = seconds;
    return seconds;
  }

  void every_point() {
    axis_ = "all";
    count_ = 0;
    each_point([&](tuning_point const&) { ++count_; });
    each_point([&](tuning_point const& at) {
      if (!found_.ended) return;
      if (double const seconds = seconds_at(at); seconds < better * found_.best_seconds)
        found_.best = at, found_.best_seconds = seconds;
    });
  }
  template <class F>
  void each_point(F const& f) const {
    tuning_point at(of_.axes.size(), 0);
    for (std::size_t axis = 0; axis < at.size();) {
      if (of_.has(at)) f(at);
      for (axis = 0; axis < at.size() && ++at[axis] == of_.axes[axis].values.size(); ++axis) at[axis] = 0;
    }
  }

  /// What lies along the axes from the best point and is not measured yet.
  std::size_t left() const {
    if (of_.all) return count_ > found_.measured.size() ? count_ - found_.measured.size() : 0;
    std::size_t count = 0;
    for (std::size_t axis = 0; axis < of_.axes.size(); ++axis)
      for (std::size_t value = 0; value < of_.axes[axis].values.size(); ++value) {
        auto at = found_.best;
        at[axis] = value;
        if (of_.has(at) && !found_.measured.contains(at)) ++count;
      }
    return count;
  }

  /// Whether a point along the axis is better than the best one was.
  bool along(std::size_t axis) {
    axis_ = of_.axes[axis].name;
    auto const from = found_.best;
    auto const here = static_cast<std::ptrdiff_t>(from[axis]);
    auto const count = static_cast<std::ptrdiff_t>(of_.axes[axis].values.size());
    for (int const direction : {1, -1}) {
      int worse = 0;
      for (auto value = here + direction; value >= 0 && value < count && found_.ended; value += direction) {
        if (of_.axes[axis].ordered && worse == 2) break;
        auto at = from;
        at[axis] = static_cast<std::size_t>(value);
        if (!of_.has(at)) continue;
        double const seconds = seconds_at(at);
        if (seconds < better * found_.best_seconds) found_.best = at, found_.best_seconds = seconds, worse = 0;
        else ++worse;
      }
    }
    return found_.best != from;
  }

  search_request const& of_;
  search_result found_;
  std::string axis_;
  std::size_t count_ = 0;  // of all points
};

}  // namespace

search_result search(search_request const& of) { return coordinate_search(of).run(); }

}  // namespace lookback::app
