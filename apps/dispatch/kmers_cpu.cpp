#include "kmers_table.hpp"
#include "on_workers.hpp"

void lookback::dispatch::count_kmers_on_cpu(place const& on, kmers_request const& request) {
  count_kmers_of(on_workers(on, request.how), request);
}
