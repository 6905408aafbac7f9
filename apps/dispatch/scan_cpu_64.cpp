#include "scan_cpu_table.hpp"

void lookback::dispatch::scan_cpu_64(place const& on, scan_request const& request) {
  scan_cpu_integer<std::int64_t, std::uint64_t>(on, request);
}
