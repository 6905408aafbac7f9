#include "select_cpu_table.hpp"

void lookback::dispatch::select_cpu_narrow(place const& on, select_request const& request) {
  if (size_of(request.type) == 1) select_cpu<std::uint8_t, false>(on, request);
  else select_cpu<std::uint16_t, false>(on, request);
}
