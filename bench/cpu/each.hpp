// What a benchmark does to every item beside what it measures: it makes inputs and checks results.
#pragma once
#include "harness.hpp"

namespace bench {

/// f(0), ..., f(n - 1).
template <class T, class F>
array<T> generated(device const& d, std::size_t n, F f) {
  auto made = d.template empty<T>(n);
  for (std::size_t i = 0; i < n; ++i) made.data()[i] = f(i);
  return made;
}
/// Their sum, which wraps around.
template <class F>
std::uint64_t sum_of(device const&, std::size_t n, F f) {
  std::uint64_t sum = 0;
  for (std::size_t i = 0; i < n; ++i) sum += f(i);
  return sum;
}
/// The least i below n for which f(i) is false, or n.
template <class F>
std::size_t first_failure(device const&, std::size_t n, F f) {
  std::size_t i = 0;
  while (i < n && f(i)) ++i;
  return i;
}

}  // namespace bench
