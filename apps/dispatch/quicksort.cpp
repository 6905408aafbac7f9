#include "quicksort.hpp"

#include <string>

#include "quicksort_tables.hpp"
#include "sort_tables.hpp"

namespace lookback::dispatch {

namespace {

void sort_where(place const& on, quicksort_request const& request) {
  using unit = void (*)(place const&, quicksort_request const&);
  constexpr unit cpu[] = {quicksort_cpu_8, quicksort_cpu_16, quicksort_cpu_32, quicksort_cpu_64};
  constexpr unit gpu[] = {quicksort_gpu_8, quicksort_gpu_16, quicksort_gpu_32, quicksort_gpu_64};
  auto const bytes = size_of(request.type);
  auto const width = bytes == 1 ? 0 : bytes == 2 ? 1 : bytes == 4 ? 2 : 3;
  (on.where == back_end::gpu ? gpu : cpu)[width](on, request);
}

}  // namespace

bool offers_quicksort(back_end where, strategy how, bool by_segments) {
  if (how == strategy::decoupled_look_back) return false;  // merges, which look back at nothing
  return offers_sort(where, how, by_segments);
}

void quicksort(place const& on, quicksort_request const& request) {
  if (!offers_quicksort(on.where, request.how, request.offsets.has_value()))
    throw unavailable(std::string("no ") + name_of(request.how) + " implementation for sorts by comparisons on the " +
                      name_of(on.where) + " in this build");
  if (!request.offsets || !request.values) return sort_where(on, request);
  // Segments have kernels for keys alone and for the order, and none for values of any width.
  auto order = request;
  order.keys_out = nullptr, order.values = nullptr, order.value_bytes = 0;
  sort_where(on, order);
  gather_by_order(on, request);
}

}  // namespace lookback::dispatch
