// The reference of every scan: a plain loop.
#pragma once
#include <string>

#include "scan_job.hpp"

namespace lookback::app {

/// Compares `got` with the plain loop over the job. Integers, min and max must be equal (NaN equals NaN); a float sum may differ
/// by 16 eps sum|x| over what was summed of its segment; a float product relatively by eps for each factor, unless an order of
/// its factors exists whose partial products leave the range.
/// Returns nothing if all is well, else where the first difference is and what it is.
std::string first_difference(scan_job const& job, std::byte const* got);

/// What the comparison was: "exact", "16 eps sum|x|" ...
std::string tolerance_of(scan_job const& job);

}  // namespace lookback::app
