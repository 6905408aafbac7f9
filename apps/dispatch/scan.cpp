// From the back end to its table.
#include "scan.hpp"

#include <string>

#include "gpu.hpp"
#include "scan_tables.hpp"
#include "tuned_form.hpp"

namespace lookback::dispatch {

bool offers(back_end where, strategy how, element type, operation op, values_of what) {
  return is_defined(op, type) && has_code(where) && has_form(where, how, has_every_strategy(type, op), what);
}

void scan(place const& on, scan_request const& request) {
  if (!is_defined(request.op, request.type))
    throw invalid_argument(std::string("operator ") + name_of(request.op) + " is not defined for " + name_of(request.type));
  if (!offers(on.where, request.how, request.type, request.op, scanned_by(request.heads)))
    throw unavailable(std::string("no ") + name_of(request.how) + " implementation for " + name_of(request.type) + " and " +
                      name_of(request.op) + " on the " + name_of(on.where) + " in this build");
  if (on.where == back_end::cpu) return scan_on_cpu(on, request);
  if (!run_by_form(&tuned_form::scan, on, request)) scan_on_gpu(on, request);
}

}  // namespace lookback::dispatch
