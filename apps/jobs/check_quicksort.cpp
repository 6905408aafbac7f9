#include "check_quicksort.hpp"

#include <cmath>

#include "check_order.hpp"

namespace lookback::app {

namespace {

// The words here are those of the documentation, not the program's: nothing is shared with what is checked.

template <class T>
auto magnitude_of(T x) {
  if constexpr (std::is_floating_point_v<T>) return std::abs(x);
  else return x < 0 ? std::uint64_t{0} - static_cast<std::uint64_t>(x) : static_cast<std::uint64_t>(x);
}

template <class T>
bool is_before(quicksort_job const& job, T a, T b) {
  if constexpr (std::is_floating_point_v<T>)
    if (std::isnan(a) || std::isnan(b)) return !std::isnan(a);
  if (job.order == dispatch::key_order::by_magnitude) return magnitude_of(a) < magnitude_of(b);
  return job.order == dispatch::key_order::descending ? b < a : a < b;
}

// Keys that compare as equal to those that belong there, in any order.
template <class T>
std::string difference_in_order(quicksort_job const& job, T const* got, std::vector<index_t> const& order) {
  for (std::size_t k = 0; k < order.size(); ++k) {
    T const wanted = job.keys.as<T>()[static_cast<std::size_t>(order[k])];
    if (is_before(job, got[k], wanted) || is_before(job, wanted, got[k]))
      return "key " + grouped(static_cast<index_t>(k)) + ": found " + text_of(got[k]) + ", expected one that is equal to " +
             text_of(wanted);
  }
  return {};
}

// A key and its value, as numbers that any order will do for.
using item = std::pair<std::uint64_t, std::uint64_t>;

item item_at(quicksort_job const& job, std::byte const* keys, std::byte const* values, index_t i) {
  auto const bits_at = [i](std::byte const* from, std::size_t bytes) {
    std::uint64_t bits = 0;
    std::memcpy(&bits, from + static_cast<std::size_t>(i) * bytes, bytes);
    return bits;
  };
  return {bits_at(keys, dispatch::size_of(job.keys.type)), values ? bits_at(values, dispatch::size_of(job.values.type)) : 0};
}

// Does a part hold the keys that it held, each with a value that was its own?
std::string difference_in_items(quicksort_job const& job, std::byte const* keys, std::byte const* values) {
  std::string difference;
  each_sorted_part(job.keys.n, job.by, [&](index_t begin, index_t end) {
    std::vector<item> before, after;
    for (index_t i = begin; i < end; ++i) {
      before.push_back(item_at(job, job.keys.data, job.has_values ? job.values.data : nullptr, i));
      after.push_back(item_at(job, keys, values, i));
    }
    std::sort(before.begin(), before.end()), std::sort(after.begin(), after.end());
    if (before != after && difference.empty())
      difference = "items " + grouped(begin) + " to below " + grouped(end) + ": found others than those of the input";
  });
  return difference;
}

template <class T>
std::string difference_of_keys(quicksort_job const& job, outputs const& out) {
  auto const order = order_of(job.keys.as<T>(), job.by, [&job](T a, T b) { return is_before(job, a, b); });
  if (job.unstable) {
    auto const difference = difference_in_order(job, out[0].as<T>(), order);
    if (!difference.empty()) return difference;
    return difference_in_items(job, out[0].as<std::byte>(), job.has_values ? out[1].as<std::byte>() : nullptr);
  }
  auto const difference = difference_in("key", job.keys, out[0].as<T>(), order);
  if (!difference.empty() || !job.has_values) return difference;
  return with_type(job.values.type,
                   [&]<class V>(std::type_identity<V>) { return difference_in("value", job.values, out[1].as<V>(), order); });
}

}  // namespace

std::string difference_of_quicksort(quicksort_job const& job, outputs const& out) {
  return with_type(job.keys.type, [&]<class T>(std::type_identity<T>) { return difference_of_keys<T>(job, out); });
}

}  // namespace lookback::app
