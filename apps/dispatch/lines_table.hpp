// Sorting lines, on any back end: a sort by a function, then runs of equal ones.
#pragma once
#include <lookback/quicksort.hpp>
#include <lookback/run_length_encode.hpp>
#include <lookback/select_if.hpp>

#include "lines_order.hpp"
#include "sort_tables.hpp"

namespace lookback::dispatch {

struct line_at {
  char const* characters;
  index_t const* begins;
  LOOKBACK_FN text_line operator()(index_t i) const { return line_of(characters, begins[i], begins[i + 1] - 1); }
};
struct every_line {
  LOOKBACK_FN bool operator()(text_line const&) const { return true; }
};

template <class On>
void sort_lines_of(On const& on, lines_request const& r) {
  auto const sorted = room_at<text_line>(r.sorted, r.lines);
  select_if_async(on, generate(r.lines, line_at{r.characters, r.begins}), sorted, every_line{}, r.counts);
  quicksort_async(on, sorted, lines_before{r.characters});
  if (r.counts_equal)
    run_length_encode_async(on, sorted, room_at<text_line>(r.firsts, r.lines), room_at<index_t>(r.lengths, r.lines), r.counts,
                            lines_equal{r.characters});
}

}  // namespace lookback::dispatch
