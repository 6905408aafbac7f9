// What a user would call instead: other libraries' scans behind the same request, to be compared with.
#pragma once
#include <vector>

#include "scan.hpp"

namespace lookback::dispatch {

struct peer {
  char const* name;
  back_end where;
  bool is_ceiling;  // moves the same items without scanning them: nobody can be faster
  /// Has it a form for this request, compiled here? (i32, i64, f32, f64 with plus, min, max.)
  bool (*takes)(scan_request const&);
  /// Runs it; on the GPU only enqueues it.
  void (*run)(place const&, scan_request const&);
};

/// All that this build has, the CPU's first.
std::vector<peer> const& peers();

}  // namespace lookback::dispatch
