#include "lines.hpp"

#include <string>

#include "sort_tables.hpp"

namespace lookback::dispatch {

bool offers_lines(back_end where, strategy how) {
  if (how == strategy::decoupled_look_back) return false;  // many scans and sorts, none of which is the whole
  return how != strategy::textbook && offers_sort(where, how);
}

void sort_lines(place const& on, lines_request const& request) {
  if (!offers_lines(on.where, request.how))
    throw unavailable(std::string("no ") + name_of(request.how) + " implementation for sorting lines on the " + name_of(on.where) +
                      " in this build");
  if (on.where == back_end::gpu) sort_lines_on_gpu(on, request);
  else sort_lines_on_cpu(on, request);
}

}  // namespace lookback::dispatch
