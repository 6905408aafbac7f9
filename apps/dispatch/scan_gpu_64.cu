#include "scan_gpu_table.cuh"

void lookback::dispatch::scan_gpu_64(place const& on, scan_request const& request) {
  scan_gpu_integer<std::int64_t, std::uint64_t>(on, request);
}
