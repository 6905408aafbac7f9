// Checking a sort of rows against std::stable_sort of what the text holds, read again.
#pragma once
#include "records_job.hpp"

namespace lookback::app {

/// Nothing, or where the first difference is.
std::string difference_of_records(records_job const& job, outputs const& out);

}  // namespace lookback::app
