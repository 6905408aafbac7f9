#include "scan_gpu_table.cuh"

void lookback::dispatch::scan_gpu_8(place const& on, scan_request const& request) {
  scan_gpu_integer<std::int8_t, std::uint8_t>(on, request);
}
