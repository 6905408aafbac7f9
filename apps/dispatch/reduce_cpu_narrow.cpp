#include "reduce_cpu_table.hpp"

void lookback::dispatch::reduce_cpu_narrow(place const& on, reduce_request const& r) {
  if (size_of(r.type) == 1) reduce_cpu_integer<std::uint8_t>(on, r);
  else reduce_cpu_integer<std::uint16_t>(on, r);
}
