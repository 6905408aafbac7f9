#include "select.hpp"

#include <string>

#include "compaction_tables.hpp"
#include "gpu.hpp"
#include "tuned_form.hpp"

namespace lookback::dispatch {

bool offers_select(back_end where, strategy how, select_request const& request) {
  return has_code(where) && has_form(where, how, has_every_strategy(request.type, operation::plus));
}

void select(place const& on, select_request const& request) {
  if (!offers_select(on.where, request.how, request))
    throw unavailable(std::string("no ") + name_of(request.how) + " implementation for selections of " + name_of(request.type) +
                      " on the " + name_of(on.where) + " in this build");
  if (run_by_form(&tuned_form::select, on, request)) return;
  if (on.where == back_end::gpu) select_gpu(on, request);
  else if (size_of(request.type) < 4) select_cpu_narrow(on, request);
  else select_cpu_wide(on, request);
}

}  // namespace lookback::dispatch
