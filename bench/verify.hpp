// What was timed must be right: the first items of a result against a plain loop. So many that workers have had several tiles.
#pragma once
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <lookback/operators.hpp>
#include <span>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <vector>

namespace bench {

inline constexpr std::size_t verified_items = std::size_t{1} << 24;

/// Throws unless got[i] is the sum of in[0] to in[i] (without in[i] if exclusive), begun anew at every position of `starts`.
/// Floats: within 16 eps of the sum of magnitudes.
template <class T>
void expect_sums(std::vector<T> const& in, std::vector<T> const& got, bool exclusive, std::span<std::int32_t const> starts = {}) {
  using sum = std::conditional_t<std::is_floating_point_v<T>, long double, T>;
  sum run{};
  sum magnitude{};
  std::size_t next = 0;
  for (std::size_t i = 0; i < got.size(); ++i) {
    if (next < starts.size() && static_cast<std::size_t>(starts[next]) == i) run = sum{}, magnitude = sum{}, ++next;
    sum const before = run;
    if constexpr (std::is_floating_point_v<T>) run += in[i];
    else run = lookback::plus<T>{}(run, in[i]);
    sum const want = exclusive ? before : run;
    bool right = false;
    if constexpr (std::is_floating_point_v<T>) {
      magnitude += std::abs(sum{in[i]});
      right = std::abs(got[i] - want) <= 16 * std::numeric_limits<T>::epsilon() * magnitude;
    } else {
      right = got[i] == want;
    }
    if (!right) throw std::runtime_error("wrong result at item " + std::to_string(i));
  }
}

}  // namespace bench
