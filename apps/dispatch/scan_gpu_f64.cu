#include "scan_gpu_table.cuh"

void lookback::dispatch::scan_gpu_f64(place const& on, scan_request const& request) { scan_gpu_float<double>(on, request); }
