// Checking a sort by comparisons against std::stable_sort of the places of its keys.
#pragma once
#include "quicksort_job.hpp"

namespace lookback::app {

/// Nothing, or where the first difference is. Keys and values are compared by their bytes; of an unstable sort keys need only be
/// equal to those that belong there, and items those of the input.
std::string difference_of_quicksort(quicksort_job const& job, outputs const& out);

}  // namespace lookback::app
