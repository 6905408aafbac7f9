// Enters what a user would write instead of a sort by comparisons into a contest, by the same function.
#pragma once
#include "../compared.hpp"
#include "sort_peers.hpp"

namespace bench {

template <class T>
void enter_quicksort_peers(contest& c, device& d, T const* in, T* out, std::size_t n) {
  auto const put_back = [=, &d] { d.put_back(in, out, n * sizeof(T)); };
  enter_std_sorts(c, d, put_back, out, n, asked_less{}, true);
  if constexpr (!std::is_same_v<T, record>)
    if (has_ips4o()) c.enter("ips4o", d.timed_after(put_back, [=] { ips4o_sort(out, n, settings().threads); }));
}

/// Of structs that hold a key and its value.
inline void enter_quicksort_pairs_peers(contest& c, device& d, std::uint32_t const* in, std::uint32_t const* values, std::uint32_t*,
                                        std::uint32_t*, std::size_t n) {
  using pair = valued_key<std::uint32_t>;
  auto const pairs = std::make_shared<array<pair>>(d.empty<pair>(n));
  auto* const data = pairs->data();
  auto const put_back = [=] {
    for (std::size_t i = 0; i < n; ++i) pairs->data()[i] = {values[i], in[i]};
  };
  enter_std_sorts(c, d, put_back, data, n, asked_less{}, true);
}

}  // namespace bench
