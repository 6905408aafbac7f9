// Enters the standard library's stable sorts of string views into a contest.
#pragma once
#include <lookback/fn.hpp>
#include <memory>
#include <string_view>

#include "sort_peers.hpp"

namespace bench {

inline void enter_sort_strings_peers(contest& c, device& d, char const* characters, lookback::index_t const* begins,
                                     std::size_t n) {
  auto const views = std::make_shared<std::vector<std::string_view>>(n);
  auto const put_back = [=] {
    for (std::size_t i = 0; i < n; ++i) (*views)[i] = {characters + begins[i], static_cast<std::size_t>(begins[i + 1] - begins[i])};
  };
  enter_std_sorts(c, d, put_back, views->data(), n, std::less<>{}, false);
}

}  // namespace bench
