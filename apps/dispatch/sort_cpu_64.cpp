#include "on_workers.hpp"
#include "sort_table.hpp"

void lookback::dispatch::sort_cpu_64(place const& on, sort_request const& request) {
  sort_integers<std::int64_t>(on_workers(on, request.how), request);
}
