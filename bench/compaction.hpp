// What the benchmarks of compacting algorithms share: inputs of which a known part is kept, and how a result is checked.
#pragma once
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <harness.hpp>
#include <limits>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <vector>

#include "case.hpp"
#include "inputs.hpp"
#include "predicates.hpp"
#include "verify.hpp"

namespace bench {

/// Values of which below<T>{limit} holds of `per_cent` in 100: each by itself, or in runs of `run` items.
template <class T>
struct kept_input {
  std::vector<T> values;
  below<T> keep;
};
template <class T>
kept_input<T> input_kept(std::size_t n, double per_cent, std::size_t run) {
  using limits = std::numeric_limits<T>;
  kept_input<T> in{uniform<T>(n), {}};
  if constexpr (std::is_floating_point_v<T>) in.keep.limit = static_cast<T>(per_cent / 100);
  else if (per_cent >= 100) in.keep.limit = limits::max();
  else in.keep.limit = static_cast<T>(per_cent / 100 * (static_cast<double>(limits::max()) + 1));
  if (per_cent >= 100)
    for (T& x : in.values) x = std::min(x, static_cast<T>(limits::max() - 1));
  for (std::size_t i = 0; run > 0 && i < n; ++i)
    in.values[i] = static_cast<T>(i / run % 2 == 0 ? i % 1000 : limits::max() - i % 1000);
  return in;
}

/// Runs of equal neighbours.
struct run_case {
  std::size_t n;
  double mean_run;
  bool in_place = false;
  timing how = timing::single;
  std::vector<bar> bars{};
};

/// Throws unless `got` begins with what a plain loop keeps of the first items of `in`, and `count` is what it keeps of all.
template <class T, class Kept>
void expect_kept(std::vector<T> const& in, std::vector<T> const& got, std::int64_t count, Kept kept) {
  std::size_t at = 0;
  std::int64_t number = 0;
  for (std::size_t i = 0; i < in.size(); ++i) {
    if (!kept(i)) continue;
    ++number;
    if (at < got.size() && i < verified_items && got[at++] != in[i])
      throw std::runtime_error("wrong result at item " + std::to_string(at - 1));
  }
  if (number != count) throw std::runtime_error(std::to_string(count) + " kept, not " + std::to_string(number));
}

}  // namespace bench
