#include <lookback/cpu.hpp>

#include "call_spmv.hpp"

namespace lookback::dispatch {

step_sums sum_step_cpu(place const& on, step_request const& r) {
  step_sums sums{};
  sum_step_on(cpu::on(r.how == strategy::sequential ? 1 : on.threads), r, &sums);
  return sums;
}

}  // namespace lookback::dispatch
