// Offsets as a file holds them: where segments begin, and where the last one ends.
#pragma once
#include <lookback/segments.hpp>

#include "io/array.hpp"

namespace lookback::app {

/// The segments of n items. Throws bad_data unless offsets are i32 or i64, begin with 0, never decrease and end with n.
segments offsets_of(array const& offsets, index_t n);

}  // namespace lookback::app
