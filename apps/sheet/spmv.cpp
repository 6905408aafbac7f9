#include <algorithm>

#include "generate/matrix_generators.hpp"
#include "jobs/attempt.hpp"
#include "jobs/spmv_job.hpp"
#include "report/table.hpp"
#include "sheet.hpp"
#include "spread.hpp"

namespace lookback::app {

sheet_section measure_spmv(measuring const& with) {
  index_t const nonzeros = with.most() / 8;
  double const mean = 16;
  growing_lines lines;
  spread costs;
  double least = 1e9, most = 0;  // speedups over the fastest peer
  for (double const variation : {0.0, 0.25, 0.5, 1.0, 2.0, 4.0, 8.0, 16.0}) {
    auto const rows = static_cast<index_t>(static_cast<double>(nonzeros) / mean);
    std::unique_ptr<spmv_job> of;
    auto const make = [&] {
      of = make_spmv_job(varied_rows({.nonzeros = nonzeros, .mean = mean, .variation = variation},
                                     {.columns = rows, .reach = 1 << 14}, {.type = element::f32}));
    };
    if (!attempt(make).empty()) continue;  // few rows cannot vary that much
    auto const all = time_all(with, *of);
    for (auto const& one : all)
      lines.add(one.name, variation, one.seconds * 1e12 / static_cast<double>(nonzeros), one.kind == contender_kind::ceiling);
    costs.add(all);
    if (auto const* const peer = best_peer_of(all)) {
      double const speedup = peer->seconds / ours_of(all).seconds;
      least = std::min(least, speedup), most = std::max(most, speedup);
    }
  }
  sheet_section made{"Sparse products",
                     "y = A x in f32, rows of " + fixed_text(mean, 0) + " nonzeros on average, " + items_text(nonzeros) +
                         " in all, whose lengths vary more and more. Columns lie within 16,384 of the diagonal.",
                     {}};
  std::string title =
      "However much row lengths vary, the cost of a nonzero differs by up to " + fixed_text(costs.ours().value, 2) + " times";
  if (auto const peer = costs.best_peer(); !peer.name.empty())
    title += ", that of " + peer.name + " by " + fixed_text(peer.value, 2) + " times";
  std::string const note = most > 0 ? "lookback is " + fixed_text(least, 2) + " to " + fixed_text(most, 2) +
                                          " times as fast as the peer that is fastest at each variation."
                                    : "";
  made.pictures.push_back({title,
                           line_data{"Time of a nonzero against the variation of row lengths",
                                     {"coefficient of variation of row lengths", "", scale::linear},
                                     {"time of a nonzero", "ps", scale::linear},
                                     lines.take()},
                           note});
  return made;
}

}  // namespace lookback::app
