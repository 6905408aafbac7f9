// Checking a sort against std::stable_sort of the places of its keys.
#pragma once
#include "sort_job.hpp"

namespace lookback::app {

/// Nothing, or where the first difference is. Keys and values are compared by their bytes.
std::string difference_of_sort(sort_job const& job, outputs const& out);

}  // namespace lookback::app
