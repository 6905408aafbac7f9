#include "select_cpu_table.hpp"

void lookback::dispatch::select_cpu_wide(place const& on, select_request const& request) {
  if (!request.flags && request.type == element::f32) return select_cpu<float, true>(on, request);
  if (!request.flags && request.type == element::f64) return select_cpu<double, true>(on, request);
  if (size_of(request.type) == 4) select_cpu<std::uint32_t, true>(on, request);
  else select_cpu<std::uint64_t, true>(on, request);
}
