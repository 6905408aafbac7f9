// Comparisons that name the first difference instead of printing a million elements.
#pragma once
#include <gtest/gtest.h>

#include <cmath>
#include <cstddef>
#include <lookback/operators.hpp>
#include <type_traits>
#include <vector>

#include "oracle.hpp"

namespace harness {

template <class T>
::testing::AssertionResult same(std::vector<T> const& got, std::vector<T> const& want) {
  if (got.size() != want.size()) return ::testing::AssertionFailure() << got.size() << " elements, not " << want.size();
  for (std::size_t i = 0; i < want.size(); ++i) {
    if (got[i] == want[i]) continue;
    return ::testing::AssertionFailure() << "element " << i << " of " << want.size() << " is " << ::testing::PrintToString(got[i])
                                         << ", not " << ::testing::PrintToString(want[i]);
  }
  return ::testing::AssertionSuccess();
}

template <class T>
::testing::AssertionResult close(std::vector<T> const& got, oracle::float_sums<T> const& sums) {
  if (got.size() != sums.want.size()) return ::testing::AssertionFailure() << got.size() << " elements, not " << sums.want.size();
  for (std::size_t i = 0; i < got.size(); ++i) {
    if (std::abs(double{got[i]} - sums.want[i]) <= sums.bound[i]) continue;
    return ::testing::AssertionFailure() << "element " << i << " of " << got.size() << " is " << got[i] << ", not " << sums.want[i]
                                         << " within " << sums.bound[i];
  }
  return ::testing::AssertionSuccess();
}

/// What the oracle gives, found once and compared with many results: exactly, and sums of floats within their bound.
template <class T, class Op>
class expected {
  static constexpr bool rounds = std::is_floating_point_v<T> && std::is_same_v<Op, lookback::plus<T>>;

 public:
  expected(std::vector<T> const& in, Op op, oracle::form<T> const& how) {
    if constexpr (rounds) want_ = oracle::sums(in, how);
    else want_ = oracle::scan<T>(in, op, how);
  }
  ::testing::AssertionResult operator()(std::vector<T> const& got) const {
    if constexpr (rounds) return close(got, want_);
    else return same(got, want_);
  }

 private:
  std::conditional_t<rounds, oracle::float_sums<T>, std::vector<T>> want_;
};

}  // namespace harness
