#include "on_queue.cuh"
#include "quicksort_table.hpp"

void lookback::dispatch::quicksort_gpu_64(place const& on, quicksort_request const& request) {
  quicksort_of<std::uint64_t>(on_queue(on), request);
}
