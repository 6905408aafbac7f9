#include "scan_cpu_table.hpp"

void lookback::dispatch::scan_cpu_f64(place const& on, scan_request const& request) { scan_cpu_float<double>(on, request); }
