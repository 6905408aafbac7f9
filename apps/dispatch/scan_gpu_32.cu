#include "scan_gpu_table.cuh"

void lookback::dispatch::scan_gpu_32(place const& on, scan_request const& request) {
  scan_gpu_integer<std::int32_t, std::uint32_t>(on, request);
}
