#include "on_workers.hpp"
#include "sort_table.hpp"

void lookback::dispatch::sort_cpu_f32(place const& on, sort_request const& request) {
  sort_of<float>(on_workers(on, request.how), request);
}
