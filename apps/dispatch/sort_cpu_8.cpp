#include "sort_cpu_table.hpp"

void lookback::dispatch::sort_cpu_8(place const& on, sort_request const& request) {
  sort_integers<std::int8_t>(sorting_workers(on, request.how), request);
}
