#include "reduce_cpu_table.hpp"

void lookback::dispatch::reduce_cpu_wide(place const& on, reduce_request const& r) {
  if (size_of(r.type) == 4) reduce_cpu_integer<std::uint32_t>(on, r);
  else reduce_cpu_integer<std::uint64_t>(on, r);
}
