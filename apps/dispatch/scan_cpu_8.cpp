#include "scan_cpu_table.hpp"

void lookback::dispatch::scan_cpu_8(place const& on, scan_request const& request) {
  scan_cpu_integer<std::int8_t, std::uint8_t>(on, request);
}
