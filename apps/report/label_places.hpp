// Labels beside lines that end close together.
#pragma once
#include <vector>

namespace lookback::app {

/// Places for labels, each as near to the one it wants as it can be, `apart` or more from the next one, in the order of what they
/// want (equal wishes: in the order given), between `low` and `high`. Throws invalid_argument where they do not fit there.
std::vector<double> label_places(std::vector<double> const& wanted, double apart, double low, double high);

}  // namespace lookback::app
