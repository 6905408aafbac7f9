// What checks of sorts share: the order that std::stable_sort gives, and what was moved by it.
#pragma once
#include <algorithm>
#include <cstring>
#include <numeric>
#include <optional>

#include "io/array.hpp"
#include "io/numbers.hpp"

namespace lookback::app {

/// f(begin, end) for the whole of n items, or for every segment.
template <class F>
void each_sorted_part(index_t n, std::optional<segments> const& by, F const& f) {
  if (!by) f(index_t{0}, n);
  for (index_t s = 0; by && s + 1 < by->count; ++s) f(offset_at(*by, s), offset_at(*by, s + 1));
}

/// The places of the keys, in order.
template <class T, class Before>
std::vector<index_t> order_of(std::span<T const> keys, std::optional<segments> const& by, Before const& before) {
  std::vector<index_t> order(keys.size());
  std::iota(order.begin(), order.end(), index_t{0});
  each_sorted_part(std::ssize(keys), by, [&](index_t begin, index_t end) {
    std::stable_sort(order.begin() + begin, order.begin() + end, [&](index_t a, index_t b) {
      return before(keys[static_cast<std::size_t>(a)], keys[static_cast<std::size_t>(b)]);
    });
  });
  return order;
}

/// One array that moved by an order: nothing, or where the first difference is. Bytes are compared.
template <class T>
std::string difference_in(char const* what, array const& in, T const* got, std::vector<index_t> const& order) {
  for (std::size_t k = 0; k < order.size(); ++k) {
    T const wanted = in.as<T>()[static_cast<std::size_t>(order[k])];
    if (std::memcmp(got + k, &wanted, sizeof wanted) != 0)
      return std::string(what) + " " + grouped(static_cast<index_t>(k)) + ": found " + text_of(got[k]) + ", expected " +
             text_of(wanted) + ", item " + grouped(order[k]) + " of the input";
  }
  return {};
}

}  // namespace lookback::app
