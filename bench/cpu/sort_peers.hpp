// Enters what a user would write instead of a sort by digits into a contest. All of them sort in place: a copy of the input is made
// before each of their calls, and not timed.
#pragma once
#include <tbb/parallel_sort.h>

#include <algorithm>
#include <execution>
#include <memory>
#include <numeric>
#include <type_traits>

#include "harness.hpp"
#include "sort_libraries.hpp"

namespace bench {

/// One thread of std takes many seconds for more.
inline constexpr std::size_t most_of_one_thread = std::size_t{1} << 24;

/// `data` of n is put back by put_back() before each call. Stable ones alone where the others would say too little.
template <class T, class PutBack, class Less>
void enter_std_sorts(contest& c, device& d, PutBack put_back, T* data, std::size_t n, Less less, bool unstable_too) {
  if (n <= most_of_one_thread) {
    if (unstable_too) c.enter("std", d.timed_after(put_back, [=] { std::sort(data, data + n, less); }));
    c.enter("std_stable", d.timed_after(put_back, [=] { std::stable_sort(data, data + n, less); }));
  }
  if (unstable_too) {
    c.enter("std_par", d.timed_after(put_back, [=] { std::sort(std::execution::par, data, data + n, less); }));
    c.enter("tbb", d.timed_after(put_back, [=] { tbb::parallel_sort(data, data + n, less); }));
  }
  c.enter("std_stable_par", d.timed_after(put_back, [=] { std::stable_sort(std::execution::par, data, data + n, less); }));
}

template <class T, class PutBack>
void enter_sort_libraries(contest& c, device& d, PutBack put_back, T* data, std::size_t n) {
  if constexpr (!std::is_same_v<T, valued_key<std::uint64_t>>)
    if (has_vqsort()) c.enter("vqsort", d.timed_after(put_back, [=] { vqsort(data, n); }));
  if (has_ips4o()) c.enter("ips4o", d.timed_after(put_back, [=] { ips4o_sort(data, n, settings().threads); }));
}

template <class Key>
void enter_sort_peers(contest& c, device& d, Key const* in, Key* out, std::size_t n) {
  auto const put_back = [=, &d] { d.put_back(in, out, n * sizeof(Key)); };
  enter_std_sorts(c, d, put_back, out, n, std::less<>{}, true);
  enter_sort_libraries(c, d, put_back, out, n);
}

/// Of structs that hold a key and its value: putting those together and apart again is not timed.
template <class Key>
void enter_sort_pairs_peers(contest& c, device& d, Key const* in, std::uint32_t const* values, Key*, std::uint32_t*,
                            std::size_t n) {
  auto const pairs = std::make_shared<array<valued_key<Key>>>(d.empty<valued_key<Key>>(n));
  auto* const data = pairs->data();
  auto const put_back = [=] {
    for (std::size_t i = 0; i < n; ++i) pairs->data()[i] = {values[i], in[i]};
  };
  enter_std_sorts(c, d, put_back, data, n, std::less<>{}, true);
  enter_sort_libraries(c, d, put_back, data, n);
}

/// Of places, by the keys there.
inline void enter_argsort_peers(contest& c, device& d, std::uint32_t const* in, std::uint32_t* indices, std::size_t n) {
  auto const put_back = [=] { std::iota(indices, indices + n, 0u); };
  enter_std_sorts(
      c, d, put_back, indices, n, [in](std::uint32_t a, std::uint32_t b) { return in[a] < in[b]; }, false);
}

}  // namespace bench
