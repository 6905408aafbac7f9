#include "quicksort_table.hpp"
#include "sort_cpu_table.hpp"

void lookback::dispatch::quicksort_cpu_8(place const& on, quicksort_request const& request) {
  quicksort_of<std::uint8_t>(sorting_workers(on, request.how), request);
}
