// One step of sorting records, by a column of texts, on any back end.
#pragma once
#include <lookback/quicksort.hpp>
#include <lookback/select_if.hpp>

#include "lines_order.hpp"
#include "sort_tables.hpp"

namespace lookback::dispatch {

struct text_of_record {
  char const* characters;
  index_t const* begins;
  index_t const* order;
  LOOKBACK_FN text_line operator()(index_t i) const { return line_of(characters, begins[order[i]], begins[order[i] + 1]); }
};
struct every_text {
  LOOKBACK_FN bool operator()(text_line const&) const { return true; }
};

/// The direction is a run-time value, so that a back end has one sort.
struct texts_before {
  lines_before ascending;
  bool descending;
  LOOKBACK_FN bool operator()(text_line const& a, text_line const& b) const {
    return descending ? ascending(b, a) : ascending(a, b);
  }
};

template <class On>
void sort_by_texts_of(On const& on, records_request const& r, record_column const& column) {
  auto const lines = room_at<text_line>(r.lines, r.n);
  auto const texts = generate(r.n, text_of_record{column.characters, column.begins, r.order});
  select_if_async(on, texts, lines, every_text{}, r.count);
  quicksort_async(on, lines, room_at<index_t>(r.order, r.n), texts_before{{column.characters}, r.descending});
}

}  // namespace lookback::dispatch
