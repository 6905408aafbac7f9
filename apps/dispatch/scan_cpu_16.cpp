#include "scan_cpu_table.hpp"

void lookback::dispatch::scan_cpu_16(place const& on, scan_request const& request) {
  scan_cpu_integer<std::int16_t, std::uint16_t>(on, request);
}
