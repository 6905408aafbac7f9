#include "scan_cpu_table.hpp"

void lookback::dispatch::scan_cpu_32(place const& on, scan_request const& request) {
  scan_cpu_integer<std::int32_t, std::uint32_t>(on, request);
}
