#include "on_workers.hpp"
#include "texts_table.hpp"

void lookback::dispatch::sort_by_texts_on_cpu(place const& on, records_request const& request, record_column const& column) {
  sort_by_texts_of(on_workers(on), request, column);
}
