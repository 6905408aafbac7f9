// By which sizes a job runs, if not by the library's own.
#pragma once
#include "dispatch/tuned_form.hpp"

namespace lookback::app {

struct tuned_choice {
  int threads = 0;  // workers of a CPU; 0: as many as the place has
  dispatch::cpu_sizes sizes{};
  dispatch::tuned_form const* form = nullptr;  // of a GPU
  dispatch::strategy how = dispatch::strategy::best;

  dispatch::place applied(dispatch::place on) const {
    if (threads > 0) on.threads = threads;
    on.sizes = sizes;
    on.form = form;
    return on;
  }
};

}  // namespace lookback::app
