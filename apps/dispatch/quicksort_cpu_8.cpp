#include "on_workers.hpp"
#include "quicksort_table.hpp"

void lookback::dispatch::quicksort_cpu_8(place const& on, quicksort_request const& request) {
  quicksort_of<std::uint8_t>(on_workers(on, request.how), request);
}
