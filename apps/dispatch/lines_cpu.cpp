#include "lines_table.hpp"
#include "on_workers.hpp"

void lookback::dispatch::sort_lines_on_cpu(place const& on, lines_request const& request) {
  sort_lines_of(on_workers(on, request.how), request);
}
