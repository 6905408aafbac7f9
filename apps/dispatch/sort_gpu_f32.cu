#include "on_queue.cuh"
#include "sort_table.hpp"

void lookback::dispatch::sort_gpu_f32(place const& on, sort_request const& request) {
  sort_of<gpu_sorts_by_digits, gpu_sorts_segments, float>(on_queue(on), request);
}
