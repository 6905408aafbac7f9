// The names of strategies in sentences for people.
#pragma once
#include <string>

#include "io/elements.hpp"

namespace lookback::app {

/// "chained, auxiliary-block": those strategies of scans for which is_meant(how) holds, each behind `prefix`.
template <class F>
std::string strategy_names(F const& is_meant, std::string const& prefix = {}) {
  std::string names;
  for (strategy const how : dispatch::scan_strategies)
    if (is_meant(how)) names += (names.empty() ? "" : ", ") + prefix + dispatch::name_of(how);
  return names;
}

}  // namespace lookback::app
