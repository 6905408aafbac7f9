#include "kmers.hpp"

#include <string>

#include "sort_tables.hpp"

namespace lookback::dispatch {

bool offers_kmers(back_end where, strategy how) { return how != strategy::textbook && offers_sort(where, how); }

void count_kmers(place const& on, kmers_request const& request) {
  if (!offers_kmers(on.where, request.how))
    throw unavailable(std::string("no ") + name_of(request.how) + " implementation for counting words on the " + name_of(on.where) +
                      " in this build");
  if (on.where == back_end::gpu) count_kmers_on_gpu(on, request);
  else count_kmers_on_cpu(on, request);
}

}  // namespace lookback::dispatch
