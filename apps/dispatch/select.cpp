#include "select.hpp"

#include <string>

#include "compaction_tables.hpp"

namespace lookback::dispatch {

// There is no table for the GPU yet.
bool offers_select(back_end where, strategy how, element type) {
  return where == back_end::cpu && (how != strategy::reduce_then_scan || has_every_strategy(type, operation::plus));
}

void select(place const& on, select_request const& request) {
  if (!offers_select(on.where, request.how, request.type))
    throw unavailable(std::string("no ") + name_of(request.how) + " for selections of " + name_of(request.type) + " on the " +
                      name_of(on.where) + " in this build");
  if (size_of(request.type) < 4) select_cpu_narrow(on, request);
  else select_cpu_wide(on, request);
}

}  // namespace lookback::dispatch
