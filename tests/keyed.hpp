// Keys in runs, and an equality that is not ==.
#pragma once
#include <algorithm>
#include <vector>

#include "random.hpp"
#include "shapes.hpp"
#include "types.hpp"

namespace harness {

/// Items that change where h begins a segment, and there only.
template <class T>
std::vector<T> items_of(heads const& h) {
  generator random(h.size());
  std::vector<T> items(h.size());
  T now{};
  for (std::size_t i = 0; i < h.size(); ++i) {
    if (i > 0 && h[i] != 0) {
      T const before = now;
      while (now == before) now = random_values<T>(1, random.next())[0];
    }
    items[i] = now;
  }
  return items;
}

/// Two keys are equal if they agree in the low byte, or `ends` in the tens of sixteen: those that count as equal may differ.
struct same_low_byte {
  template <class T>
  LOOKBACK_FN bool operator()(T const& a, T const& b) const {
    if constexpr (std::is_same_v<T, ends>) return (a.first & 0xf0) == (b.first & 0xf0);
    else return (a & 0xff) == (b & 0xff);
  }
};

/// Where runs of `in` begin, and its length.
template <class T, class Equal>
std::vector<std::size_t> starts_of_runs(std::vector<T> const& in, Equal equal) {
  std::vector<std::size_t> starts;
  for (std::size_t i = 0; i < in.size(); ++i)
    if (i == 0 || !equal(in[i - 1], in[i])) starts.push_back(i);
  starts.push_back(in.size());
  return starts;
}

/// First keys of runs, and what a plain loop makes of their values.
template <class Key, class T>
struct reduced_runs {
  std::vector<Key> keys;
  std::vector<T> results;
};
template <class Key, class T, class Op, class Equal>
reduced_runs<Key, T> reduced_by_key(std::vector<Key> const& keys, std::vector<T> const& values, Op op, Equal equal) {
  auto const starts = starts_of_runs(keys, equal);
  reduced_runs<Key, T> want;
  for (std::size_t r = 0; r + 1 < starts.size(); ++r) {
    want.keys.push_back(keys[starts[r]]);
    T total = values[starts[r]];
    for (std::size_t i = starts[r] + 1; i < starts[r + 1]; ++i) total = op(total, values[i]);
    want.results.push_back(total);
  }
  return want;
}

}  // namespace harness
