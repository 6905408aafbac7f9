#include "spmv_cpu_table.hpp"

void lookback::dispatch::multiply_cpu_complex(place const& on, spmv_request const& r) {
  if (r.type == element::c64) multiply_cpu<std::complex<float>>(on, r);
  else multiply_cpu<std::complex<double>>(on, r);
}
