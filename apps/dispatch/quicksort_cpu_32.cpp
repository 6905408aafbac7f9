#include "on_workers.hpp"
#include "quicksort_table.hpp"

void lookback::dispatch::quicksort_cpu_32(place const& on, quicksort_request const& request) {
  quicksort_of<std::uint32_t>(on_workers(on, request.how), request);
}
