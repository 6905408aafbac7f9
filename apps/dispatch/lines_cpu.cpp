#include <lookback/cpu.hpp>

#include "lines_table.hpp"

void lookback::dispatch::sort_lines_on_cpu(place const& on, lines_request const& request) {
  sort_lines_of(cpu::on(request.how == strategy::sequential ? 1 : on.threads), request);
}
