// The CPU's peers of sorting lines: the standard library's sorts by the same order.
#include <algorithm>
#include <execution>
#include <vector>

#include "lines_peer.hpp"
#include "peer_tables.hpp"

namespace lookback::dispatch {

namespace {

template <class Sort>
void run_std(lines_request const& r, Sort sort) {
  std::vector<numbered_line> lines(static_cast<std::size_t>(r.lines));
  for (index_t i = 0; i < r.lines; ++i) lines[static_cast<std::size_t>(i)] = numbered_line_at{r}(i);
  sort(lines.begin(), lines.end(), numbered_before{{r.characters}});
  auto const is_equal = [&](numbered_line const& a, numbered_line const& b) {
    return a.line.length == b.line.length && begin_equally(r.characters + a.line.begin, r.characters + b.line.begin, a.line.length);
  };
  index_t found = 0;
  for (std::size_t k = 0; k < lines.size(); ++k) {
    r.order[k] = lines[k].number;
    if (!r.counts_equal) continue;
    if (k > 0 && is_equal(lines[k - 1], lines[k])) ++r.lengths[found - 1];
    else r.firsts[found] = lines[k].number, r.lengths[found++] = 1;
  }
  r.counts[0] = found;
}

}  // namespace

std::vector<peer_of<lines_request>> lines_peers_on_cpu() {
  auto const any = [](lines_request const&) { return true; };
  auto const add = [&](char const* name, auto run) { return peer_of<lines_request>{name, back_end::cpu, false, any, run}; };
  return {add("std::stable_sort",
              [](place const&, lines_request const& r) {
                run_std(r, [](auto first, auto last, auto less) { std::stable_sort(first, last, less); });
              }),
          add("std::stable_sort par", [](place const&, lines_request const& r) {
            run_std(r, [](auto first, auto last, auto less) { std::stable_sort(std::execution::par, first, last, less); });
          })};
}

}  // namespace lookback::dispatch
