#include "scan_gpu_table.cuh"

void lookback::dispatch::scan_gpu_16(place const& on, scan_request const& request) {
  scan_gpu_integer<std::int16_t, std::uint16_t>(on, request);
}
