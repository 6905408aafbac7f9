// Sorting by comparisons, by run-time values: what `quicksort` of the program calls instead of the templates.
#pragma once
#include <lookback/sort_options.hpp>
#include <vector>

#include "key_rank.hpp"
#include "sort.hpp"

namespace lookback::dispatch {

/// One sort that asks a function how two keys compare. With offsets and values it needs `indices`, by which all is gathered.
struct quicksort_request : sort_arrays {
  key_order order = key_order::ascending;
  bool unstable = false;                      // equal keys may change places
  std::vector<round_left>* rounds = nullptr;  // where the textbook's form writes what each of its rounds left, or null

  /// Is every order of equal keys the same result?
  bool has_one_result() const {
    bool const equal_is_same = !is_float(type) && (order != key_order::by_magnitude || !is_signed_integer(type));
    return !values && equal_is_same;
  }
};

/// Was it compiled for this back end?
bool offers_quicksort(back_end where, strategy how, bool by_segments);

/// Runs it; on the GPU only enqueues it, but the textbook's form waits. Throws unavailable if `offers_quicksort` says no; what the
/// library throws.
void quicksort(place const& on, quicksort_request const& request);

}  // namespace lookback::dispatch
