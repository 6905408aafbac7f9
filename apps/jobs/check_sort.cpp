#include "check_sort.hpp"

#include <cmath>

#include "check_order.hpp"

namespace lookback::app {

namespace {

// The words here are those of the documentation, not the library's: nothing is shared with what is checked.

template <class T>
auto bits_of(T x) {
  std::conditional_t<sizeof(T) == 4, std::uint32_t, std::uint64_t> made;
  std::memcpy(&made, &x, sizeof made);
  return made;
}

// The number from 0 to 2^width - 1 that rises with the key; for a falling order the last one is that of the least key.
template <class T>
std::uint64_t risen_number(T x, bool descending, bool nan_first) {
  constexpr int width = 8 * sizeof(T);
  constexpr std::uint64_t half = std::uint64_t{1} << (width - 1), last = half - 1 + half;
  std::uint64_t number = 0;
  if constexpr (std::is_floating_point_v<T>) {
    if (std::isnan(x)) return nan_first ? 0 : last;
    auto const magnitude = bits_of(std::abs(x));
    number = x < 0 ? half - 1 - magnitude : half + magnitude;
  } else if constexpr (std::is_signed_v<T>) {
    number = x < 0 ? half - static_cast<std::uint64_t>(-(std::int64_t{x} + 1)) - 1 : half + static_cast<std::uint64_t>(x);
  } else {
    number = x;
  }
  return descending ? last - number : number;
}

template <class T>
std::uint64_t digits(sort_job const& job, T x) {
  auto const number = risen_number(x, job.descending, job.nan_first) >> job.begin_bit % 64;
  int const width = job.end_bit - job.begin_bit;
  return width == 0 ? 0 : width == 64 ? number : number % (std::uint64_t{1} << width);
}

// Among NaNs that stand alone: without a sign by their bits, then those with one by falling bits.
template <class T>
bool nan_is_before(T a, T b) {
  if (std::signbit(a) != std::signbit(b)) return std::signbit(b);
  return std::signbit(a) ? bits_of(a) > bits_of(b) : bits_of(a) < bits_of(b);
}

template <class T>
bool is_before(sort_job const& job, T a, T b) {
  if (job.by_bits()) return digits(job, a) < digits(job, b);
  if constexpr (std::is_floating_point_v<T>) {
    if (std::isnan(a) != std::isnan(b)) return std::isnan(a) == job.nan_first;
    if (job.descending) std::swap(a, b);
    if (std::isnan(a)) return job.is_alone() && nan_is_before(a, b);
    if (a == b) return job.is_alone() && std::signbit(a) && !std::signbit(b);
    return a < b;
  } else {
    return job.descending ? b < a : a < b;
  }
}

template <class T>
std::vector<index_t> order_for(sort_job const& job) {
  return order_of(job.keys.as<T>(), job.by, [&job](T a, T b) { return is_before(job, a, b); });
}

}  // namespace

std::string difference_of_sort(sort_job const& job, outputs const& out) {
  auto const order = with_type(job.keys.type, [&]<class T>(std::type_identity<T>) { return order_for<T>(job); });
  auto const compare = [&](char const* what, array const& in, int place) {
    return with_type(in.type, [&]<class T>(std::type_identity<T>) {
      return difference_in(what, in, out[static_cast<std::size_t>(place)].as<T>(), order);
    });
  };
  std::string difference;
  if (job.keys_at() >= 0) difference = compare("key", job.keys, job.keys_at());
  if (difference.empty() && job.has_values) difference = compare("value", job.values, job.values_at());
  if (!difference.empty() || !job.finds_order) return difference;
  auto const* const indices = out[static_cast<std::size_t>(job.indices_at())].as<index_t>();
  for (std::size_t k = 0; k < order.size(); ++k)
    if (indices[k] != order[k])
      return "index " + grouped(static_cast<index_t>(k)) + ": found " + grouped(indices[k]) + ", expected " + grouped(order[k]);
  return {};
}

}  // namespace lookback::app
