// From a request to the library's templates: shared by the tables of both back ends.
#pragma once
#include <lookback/scan.hpp>
#include <lookback/segmented_scan.hpp>
#include <span>

#include "scan.hpp"

namespace lookback::dispatch {

/// The one instantiation per (policy, T, Op): inclusive or exclusive, direction and kind of segments are run-time values.
template <class T, class Op, class On>
void call_scan(On const& policy, scan_request const& request) {
  auto const on = policy.with(request.reverse ? right_to_left : left_to_right);
  auto const n = static_cast<std::size_t>(request.n);
  std::span<T const> const in(static_cast<T const*>(request.in), n);
  std::span<T> const out(static_cast<T*>(request.out), n);
  T const* const initial = static_cast<T const*>(request.initial);
  if (request.heads) {
    if (request.exclusive) exclusive_segmented_scan(on, in, *request.heads, out, Op{}, initial ? *initial : Op::identity());
    else if (initial) inclusive_segmented_scan(on, in, *request.heads, out, Op{}, *initial);
    else inclusive_segmented_scan(on, in, *request.heads, out, Op{});
  } else {
    if (request.exclusive) exclusive_scan(on, in, out, Op{}, initial ? *initial : Op::identity());
    else if (initial) inclusive_scan(on, in, out, Op{}, *initial);
    else inclusive_scan(on, in, out, Op{});
  }
}

}  // namespace lookback::dispatch
