// No library sorts strings on a GPU. CUB and Thrust with a comparison are peers of `lookback compare sort-lines`.
#pragma once
#include <lookback/fn.hpp>

#include "harness.hpp"

namespace bench {

inline void enter_sort_strings_peers(contest&, device&, char const*, lookback::index_t const*, std::size_t) {}

}  // namespace bench
