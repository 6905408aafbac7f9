#include "records.hpp"

#include <string>

#include "sort_tables.hpp"

namespace lookback::dispatch {

namespace {

// One stable step: the records that stand in `order`, by one column.
void sort_by_numbers(place const& on, records_request const& r, record_column const& column) {
  auto const gather = on.where == back_end::gpu ? gather_on_gpu : gather_on_cpu;
  gather(on, {column.numbers, r.numbers, size_of(column.type), r.order, r.n});
  sort_request by;
  by.keys = by.keys_out = r.numbers;
  by.n = r.n;
  by.type = column.type;
  by.values = by.values_out = r.order;
  by.value_bytes = sizeof(index_t);
  by.how = r.how;
  by.descending = r.descending;
  sort(on, by);
}

void sort_by_texts(place const& on, records_request const& r, record_column const& column) {
  auto const sort = on.where == back_end::gpu ? sort_by_texts_on_gpu : sort_by_texts_on_cpu;
  sort(on, r, column);
}

}  // namespace

bool offers_records(back_end where, strategy how) { return how != strategy::textbook && offers_sort(where, how); }

void sort_records(place const& on, records_request const& request) {
  if (!offers_records(on.where, request.how))
    throw unavailable(std::string("no ") + name_of(request.how) + " implementation for sorting records on the " +
                      name_of(on.where) + " in this build");
  if (request.n == 0) return;
  place one = on;
  if (on.where == back_end::cpu && request.how == strategy::sequential) one.threads = 1;
  auto const number = on.where == back_end::gpu ? number_on_gpu : number_on_cpu;
  number(one, request.order, request.n);
  for (auto column = request.columns.rbegin(); column != request.columns.rend(); ++column) {
    if (column->is_text) sort_by_texts(one, request, *column);
    else sort_by_numbers(one, request, *column);
  }
}

}  // namespace lookback::dispatch
