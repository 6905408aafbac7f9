#include "on_queue.cuh"
#include "sort_table.hpp"

void lookback::dispatch::sort_gpu_f32(place const& on, sort_request const& request) { sort_of<float>(on_queue(on), request); }
