#include "spmv_cpu_table.hpp"

void lookback::dispatch::multiply_cpu_f32(place const& on, spmv_request const& r) { multiply_cpu<float>(on, r); }
