// The reference of every sparse product: Eigen's on the same arrays, or where it cannot take the indices a plain loop's.
#pragma once
#include <string>

#include "dispatch/spmv.hpp"
#include "io/memory.hpp"

namespace lookback::app {

/// Compares y with what the reference makes of the request, whose y holds what beta scales. Integers must be equal. Row i of floats
/// may be off by
///
///   c (length of row i + 1 + log2 tiles) eps (|alpha| |A| |x| + |beta y|)_i       c = 2, of complex numbers 6
///
/// which is what two sums of these products may differ by: in each every product passes at most as many roundings as the row has
/// nonzeros and the tree over tiles has levels, and those of alpha and beta. NaN equals NaN; where sums of finite numbers may leave
/// the range, anything may be. Returns nothing if all is well, else which rows differ, the first ones with what they are.
std::string first_difference(dispatch::spmv_request const& request, void const* y);

/// Which of the two it is, for people.
char const* spmv_reference(dispatch::spmv_request const& request);

/// That bound, for people: of the terms that this request has.
std::string spmv_tolerance(dispatch::spmv_request const& request);

}  // namespace lookback::app
