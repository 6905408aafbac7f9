// The CPU's peers of sorting lines: the standard library's sorts by the same order.
#include <algorithm>
#include <execution>

#include "lines_order.hpp"
#include "peer_tables.hpp"

namespace lookback::dispatch {

namespace {

template <class Sort>
void run_std(lines_request const& r, Sort sort) {
  for (index_t i = 0; i < r.lines; ++i) r.sorted[i] = line_of(r.characters, r.begins[i], r.begins[i + 1] - 1);
  auto* const end = r.sorted + r.lines;
  sort(r.sorted, end, lines_before{r.characters});
  r.counts[0] = r.lines;
  if (!r.counts_equal) return;
  index_t found = 0;
  for (auto const* at = r.sorted; at != end;) {
    auto const* const next = std::find_if(at + 1, static_cast<text_line const*>(end),
                                          [&](text_line const& line) { return !lines_equal{r.characters}(*at, line); });
    r.firsts[found] = *at, r.lengths[found++] = next - at;
    at = next;
  }
  r.counts[0] = found;
}

}  // namespace

std::vector<peer_of<lines_request>> lines_peers_on_cpu() {
  auto const any = [](lines_request const&) { return true; };
  auto const add = [&](char const* name, auto run) { return peer_of<lines_request>{name, back_end::cpu, false, any, run}; };
  return {add("std::stable_sort",
              [](place const&, lines_request const& r) {
                run_std(r, [](auto* first, auto* last, auto less) { std::stable_sort(first, last, less); });
              }),
          add("std::stable_sort par", [](place const&, lines_request const& r) {
            run_std(r, [](auto* first, auto* last, auto less) { std::stable_sort(std::execution::par, first, last, less); });
          })};
}

}  // namespace lookback::dispatch
