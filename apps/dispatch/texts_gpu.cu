#include "on_queue.cuh"
#include "texts_table.hpp"

void lookback::dispatch::sort_by_texts_on_gpu(place const& on, records_request const& request, record_column const& column) {
  sort_by_texts_of(on_queue(on), request, column);
}
