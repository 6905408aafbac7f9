// Sorts on the GPU: which unit takes a request.
#include "on_queue.cuh"
#include "sort_table.hpp"

namespace lookback::dispatch {

bool offers_sort_on_gpu(strategy how) { return how != strategy::sequential && offers_sort_of(gpu_sorts_by_digits, how); }

void sort_on_gpu(place const& on, sort_request const& r) {
  with_unit(r, on, sort_gpu_8, sort_gpu_16, sort_gpu_32, sort_gpu_64, sort_gpu_f32, sort_gpu_f64);
}

void number_on_gpu(place const& on, index_t* numbers, index_t n) { number(on_queue(on), numbers, n); }

}  // namespace lookback::dispatch
