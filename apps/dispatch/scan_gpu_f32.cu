#include "scan_gpu_table.cuh"

void lookback::dispatch::scan_gpu_f32(place const& on, scan_request const& request) { scan_gpu_float<float>(on, request); }
