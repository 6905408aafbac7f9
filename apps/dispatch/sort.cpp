#include "sort.hpp"

#include <string>

#include "sort_tables.hpp"

namespace lookback::dispatch {

namespace {

void sort_where(place const& on, sort_request const& request) {
  if (on.where == back_end::gpu) sort_on_gpu(on, request);
  else sort_on_cpu(on, request);
}

/// Keys and the places that they had, which are values then.
void sort_with_places(place const& on, sort_request request) {
  if (on.where == back_end::gpu) number_on_gpu(on, request.indices, request.n);
  else number_on_cpu(on, request.indices, request.n);
  request.values = request.values_out = request.indices;
  request.value_bytes = sizeof(index_t);
  sort_where(on, request);
}

/// Keys alone, or the order, and by it the rest: kernels for either, and none for values of any width.
void sort_segments(place const& on, sort_request const& request) {
  if (!request.indices) return sort_where(on, request);
  auto order = request;
  order.keys_out = nullptr, order.values = nullptr;
  sort_where(on, order);
  gather_by_order(on, request);
}

}  // namespace

void gather_by_order(place const& on, sort_arrays const& arrays) {
  auto const gather = on.where == back_end::gpu ? gather_on_gpu : gather_on_cpu;
  if (arrays.keys_out) gather(on, {arrays.keys, arrays.keys_out, size_of(arrays.type), arrays.indices, arrays.n});
  if (arrays.values) gather(on, {arrays.values, arrays.values_out, arrays.value_bytes, arrays.indices, arrays.n});
}

bool offers_sort(back_end where, strategy how, bool by_segments) {
  if (by_segments && how == strategy::textbook) return false;
  return where == back_end::gpu ? offers_sort_on_gpu(how) : is_sort_strategy(how);
}

void sort(place const& on, sort_request const& request) {
  if (!offers_sort(on.where, request.how, request.offsets.has_value()))
    throw unavailable(std::string("no ") + name_of(request.how) + " implementation for sorts on the " + name_of(on.where) +
                      " in this build");
  if (request.offsets) return sort_segments(on, request);
  if (!request.indices || !request.keys_out) return sort_where(on, request);
  if (!request.values) return sort_with_places(on, request);
  sort_where(on, request);
  auto places = request;
  places.keys_out = nullptr;
  sort_where(on, places);
}

}  // namespace lookback::dispatch
