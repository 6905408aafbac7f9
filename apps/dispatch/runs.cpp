#include "runs.hpp"

#include <string>

#include "compaction_tables.hpp"
#include "gpu.hpp"
#include "tuned_form.hpp"

namespace lookback::dispatch {

bool offers_runs(back_end where, strategy how, element type) {
  return has_code(where) && has_form(where, how, has_every_strategy(type, operation::plus));
}
bool offers_decode(back_end where, strategy how) { return has_code(where) && has_form(where, how, false); }
bool offers_reduce(back_end where, strategy how, element type, operation op) {
  return is_defined(op, type) && has_code(where) && has_form(where, how, has_every_strategy(type, op));
}

void find_runs(place const& on, runs_request const& request) {
  if (!offers_runs(on.where, request.how, request.type))
    throw unavailable(std::string("no ") + name_of(request.how) + " implementation for runs of " + name_of(request.type) +
                      " on the " + name_of(on.where) + " in this build");
  if (run_by_form(&tuned_form::runs, on, request)) return;
  if (on.where == back_end::gpu) runs_gpu(on, request);
  else runs_cpu(on, request);
}

void write_runs(place const& on, decode_request const& request) {
  if (!offers_decode(on.where, request.how))
    throw unavailable(std::string("no ") + name_of(request.how) + " implementation for decoding runs on the " + name_of(on.where) +
                      " in this build");
  if (on.where == back_end::gpu) decode_gpu(on, request);
  else decode_cpu(on, request);
}

void reduce_runs(place const& on, reduce_request const& request) {
  if (!is_defined(request.op, request.type))
    throw invalid_argument(std::string("operator ") + name_of(request.op) + " is not defined for " + name_of(request.type));
  if (!offers_reduce(on.where, request.how, request.type, request.op))
    throw unavailable(std::string("no ") + name_of(request.how) + " implementation for " + name_of(request.type) + " and " +
                      name_of(request.op) + " by keys on the " + name_of(on.where) + " in this build");
  if (run_by_form(&tuned_form::reduce, on, request)) return;
  if (on.where == back_end::gpu) reduce_gpu(on, request);
  else if (is_float(request.type)) reduce_cpu_float(on, request);
  else if (size_of(request.type) < 4) reduce_cpu_narrow(on, request);
  else reduce_cpu_wide(on, request);
}

}  // namespace lookback::dispatch
