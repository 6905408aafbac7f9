// Sorts on the CPU: which unit takes a request.
#include "sort_cpu_table.hpp"

namespace lookback::dispatch {

void sort_on_cpu(place const& on, sort_request const& r) {
  with_unit(r, on, sort_cpu_8, sort_cpu_16, sort_cpu_32, sort_cpu_64, sort_cpu_f32, sort_cpu_f64);
}

void number_on_cpu(place const& on, index_t* numbers, index_t n) { number(cpu::on(on.threads), numbers, n); }

}  // namespace lookback::dispatch
