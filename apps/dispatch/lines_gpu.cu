#include "lines_table.hpp"
#include "on_queue.cuh"

void lookback::dispatch::sort_lines_on_gpu(place const& on, lines_request const& request) { sort_lines_of(on_queue(on), request); }
