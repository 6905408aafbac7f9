#include "kmers_table.hpp"
#include "on_queue.cuh"

void lookback::dispatch::count_kmers_on_gpu(place const& on, kmers_request const& request) {
  count_kmers_of(on_queue(on), request);
}
