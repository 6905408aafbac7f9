#include "on_queue.cuh"
#include "quicksort_table.hpp"

void lookback::dispatch::quicksort_gpu_8(place const& on, quicksort_request const& request) {
  quicksort_of<std::uint8_t>(on_queue(on), request);
}
