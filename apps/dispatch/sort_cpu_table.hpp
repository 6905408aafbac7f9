// Sorts of keys of one type, or of one width, on the CPU.
#pragma once
#include <lookback/cpu.hpp>

#include "sort_table.hpp"

namespace lookback::dispatch {

inline auto sorting_workers(place const& on, strategy how) { return cpu::on(how == strategy::sequential ? 1 : on.threads); }

}  // namespace lookback::dispatch
