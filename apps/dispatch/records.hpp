// Sorting the records of a delimited text by columns of them, by run-time values: what `sort-table` of the program calls.
#pragma once
#include <vector>

#include "lines.hpp"

namespace lookback::dispatch {

/// A column of n records: n numbers of `type`, which is i64, u64 or f64; or texts, one behind another.
///   begins  n + 1 places: text i is characters [begins[i], begins[i + 1])
struct record_column {
  bool is_text = false;
  element type = element::i64;
  void const* numbers = nullptr;
  char const* characters = nullptr;
  index_t const* begins = nullptr;
};

/// All memory is readable where the call runs, but for the list of columns itself.
///   columns  the first one decides first. NaNs come last in both directions; texts compare by their bytes, as lines do
///   order    room for n places: those of the records in order; equal ones as they were
///   numbers  room for n numbers of 8 bytes, if a column has numbers
///   lines    room for n lines, and `count` for one number, if a column has texts
struct records_request {
  std::vector<record_column> columns{};
  index_t n = 0;
  index_t* order = nullptr;
  void* numbers = nullptr;
  text_line* lines = nullptr;
  index_t* count = nullptr;
  bool descending = false;
  strategy how = strategy::best;
};

/// Was it compiled for this back end?
bool offers_records(back_end where, strategy how);

/// Runs it; on the GPU only enqueues it. Throws unavailable if `offers_records` says no; what the library throws.
void sort_records(place const& on, records_request const& request);

}  // namespace lookback::dispatch
