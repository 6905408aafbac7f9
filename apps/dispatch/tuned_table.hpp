// What the library of compiled configurations exports, and what tells that it was compiled for this program.
#pragma once
#include "tuned_form.hpp"

namespace lookback::dispatch {

/// The sizes of all that crosses the border: of a library that is older than the headers some differ.
struct border_sizes {
  std::size_t places = sizeof(place), scans = sizeof(scan_request), selections = sizeof(select_request),
              runs = sizeof(runs_request), reductions = sizeof(reduce_request), forms = sizeof(tuned_form),
              lists = sizeof(tuned_forms);
  bool operator==(border_sizes const&) const = default;
};

/// Only that of the program's own version and commit is taken.
struct tuned_table {
  border_sizes sizes;
  char const* version;
  char const* commit;
  tuned_forms const* commands;
  std::size_t count;
  void (*use_device)(int);  // of the calling thread, before the first run
};
using tuned_table_function = tuned_table const* (*)();

}  // namespace lookback::dispatch
