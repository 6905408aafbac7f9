#include "spmv_cpu_table.hpp"

void lookback::dispatch::multiply_cpu_integer(place const& on, spmv_request const& r) {
  if (r.type == element::i32) multiply_cpu<std::int32_t>(on, r);
  else multiply_cpu<std::int64_t>(on, r);
}
