#include "sort_cpu_table.hpp"

void lookback::dispatch::sort_cpu_f64(place const& on, sort_request const& request) {
  sort_of<double>(sorting_workers(on, request.how), request);
}
