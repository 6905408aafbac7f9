// The reference of every scan: a plain loop.
#pragma once
#include <string>

#include "scan_job.hpp"

namespace lookback::app {

/// Compares `got` with the plain loop over the job (reference.hpp says how far it may be off). Returns nothing if all is well, else
/// where the first difference is and what it is.
std::string first_difference(scan_job const& job, std::byte const* got);

}  // namespace lookback::app
