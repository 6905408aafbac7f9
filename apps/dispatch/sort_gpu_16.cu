#include "on_queue.cuh"
#include "sort_table.hpp"

void lookback::dispatch::sort_gpu_16(place const& on, sort_request const& request) {
  sort_integers<std::int16_t>(on_queue(on), request);
}
