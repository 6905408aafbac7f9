// What a tuner chooses among: axes of values, points of one value of each, and a search along one axis after the other.
#pragma once
#include <cstddef>
#include <functional>
#include <map>
#include <string>
#include <vector>

namespace lookback::app {

/// Values in words. Neighbours of an ordered axis are alike: the search leaves it in a direction that has become worse.
struct tuning_axis {
  std::string name;
  std::vector<std::string> values;
  bool ordered = true;
};
using tuning_point = std::vector<std::size_t>;  // an index for each axis

/// "tile 64 KiB, 2 threads": of the axes on which a point differs from another; where it is the same, of all that have several
/// values.
std::string words_of(std::vector<tuning_axis> const& axes, tuning_point const& at, tuning_point const& other);

struct search_progress {
  std::size_t measured = 0, left = 0;  // left: at most, of this round
  std::string axis;
};
struct search_request {
  std::vector<tuning_axis> axes;
  tuning_point start;
  std::function<bool(tuning_point const&)> has;
  /// Seconds there; may stop measuring once it is clearly worse than `best`. Infinite for what cannot run.
  std::function<double(tuning_point const&, double best)> seconds;
  /// Called before every measurement; the search ends where it says no.
  std::function<bool(search_progress const&)> go_on = [](search_progress const&) { return true; };
  bool all = false;  // every point there is, not along axes
};
struct search_result {
  tuning_point best;
  double start_seconds = 0, best_seconds = 0;
  std::map<tuning_point, double> measured;
  bool ended = true;  // by itself: no step along an axis is better
};

/// Coordinate search: from the best point so far along one axis after the other, until a round over all axes changes nothing. A
/// point is measured once. Along an ordered axis a direction is left after two points that are no better. A point is better if it
/// takes at most 0.99 of the time: less is noise.
/// Source: the search over few values of each parameter by Yan, Long & Zhang 2013, 3.4, one coordinate at a time.
search_result search(search_request const& of);

}  // namespace lookback::app
