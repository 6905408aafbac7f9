#include <lookback/cpu.hpp>

#include "kmers_table.hpp"

void lookback::dispatch::count_kmers_on_cpu(place const& on, kmers_request const& request) {
  count_kmers_of(cpu::on(request.how == strategy::sequential ? 1 : on.threads), request);
}
