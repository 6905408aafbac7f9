// One scan, under every policy, against the oracle: what most tests come down to.
#pragma once
#include <cstddef>
#include <lookback/scan.hpp>
#include <lookback/segmented_scan.hpp>
#include <sstream>
#include <string>
#include <vector>

#include "array.hpp"
#include "compare.hpp"
#include "fixture.hpp"
#include "oracle.hpp"

namespace harness {

inline std::string describe(std::size_t n, bool exclusive, bool initial, lookback::direction from) {
  std::ostringstream text;
  text << "n = " << n << (exclusive ? ", exclusive" : ", inclusive") << (initial ? ", initial" : "")
       << (from == lookback::right_to_left ? ", right to left" : "");
  return text.str();
}

/// Calls the form of the public function that `how` names.
template <class On, class In, class Out, class Op, class T>
void scan_as(On const& on, In const& in, Out&& out, Op op, oracle::form<T> const& how) {
  if (how.exclusive && how.initial) lookback::exclusive_scan(on, in, out, op, *how.initial);
  else if (how.initial) lookback::inclusive_scan(on, in, out, op, *how.initial);
  else if (!how.exclusive) lookback::inclusive_scan(on, in, out, op);
  else if constexpr (lookback::has_identity<Op>) lookback::exclusive_scan(on, in, out, op);
}
template <class On, class In, class Segments, class Out, class Op, class T>
void scan_as(On const& on, In const& in, Segments const& segments, Out&& out, Op op, oracle::form<T> const& how) {
  if (how.exclusive && how.initial) lookback::exclusive_segmented_scan(on, in, segments, out, op, *how.initial);
  else if (how.initial) lookback::inclusive_segmented_scan(on, in, segments, out, op, *how.initial);
  else if (!how.exclusive) lookback::inclusive_segmented_scan(on, in, segments, out, op);
  else if constexpr (lookback::has_identity<Op>) lookback::exclusive_segmented_scan(on, in, segments, out, op);
}

/// The forms of a scan: inclusive and exclusive, with and without an initial value, from both sides. Without identity() and
/// initial value there is no exclusive scan.
template <class Op, class T, class Body>
void each_form(Op, T const& initial, Body body) {
  for (auto const from : {lookback::left_to_right, lookback::right_to_left})
    for (bool const exclusive : {false, true})
      for (bool const starts : {false, true}) {
        oracle::form<T> how{{}, exclusive, from, {}};
        if (starts) how.initial = initial;
        if (exclusive && !starts && !lookback::has_identity<Op>) continue;
        body(how);
      }
}

/// The oracle speaks only of initial values: an exclusive scan without one begins with the identity.
template <class T, class Op>
oracle::form<T> with_identity(Op, oracle::form<T> how) {
  if constexpr (lookback::has_identity<Op>)
    if (how.exclusive && !how.initial) how.initial = Op::identity();
  return how;
}

/// Scans `in`, `misaligned` elements off alignment on both sides, out of place or in place, and checks every element, the
/// sentinels around them and that the input is untouched.
template <class T, class Op>
void check_scan(std::vector<T> const& in, Op op, oracle::form<T> const& how, std::size_t misaligned = 0, bool in_place = false) {
  SCOPED_TRACE(describe(in.size(), how.exclusive, how.initial.has_value(), how.from));
  expected<T, Op> const right(in, op, with_identity(op, how));
  each_policy([&](auto const& policy) {
    auto const on = policy.with(how.from);
    array<T> source(in, misaligned);
    if (in_place) {
      scan_as(on, source, source, op, how);
      EXPECT_TRUE(right(source.host())) << "in place";
    } else {
      array<T> out(in.size(), misaligned);
      scan_as(on, source, out, op, how);
      EXPECT_TRUE(right(out.host()));
      EXPECT_TRUE(out.intact()) << "written outside out";
    }
    EXPECT_TRUE(source.intact()) << "written outside in";
  });
}

}  // namespace harness
