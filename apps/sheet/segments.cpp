#include <cmath>
#include <lookback/observe.hpp>

#include "generate/generators.hpp"
#include "jobs/demo_jobs.hpp"
#include "report/table.hpp"
#include "sheet.hpp"

namespace lookback::app {

namespace {

constexpr strategy compared[] = {strategy::decoupled_look_back, strategy::lifted, strategy::lifted_reduce_then_scan,
                                 strategy::reduce_then_scan};
bool is_compared_here(contender const& who) {
  return is_ours(who) && std::find(std::begin(compared), std::end(compared), who.how) != std::end(compared);
}

/// Items of a tile of the default's.
double tile_items_of(measuring const& with, job const& of) {
  job_memory memory(with.on, of);
  observation seen;
  phase_times once;
  {
    observing const now(seen);
    memory.run(of, ours(of, with.on.where, strategy::best, false).run, once);
  }
  for (auto const& way : seen.ways)
    if (way.tiles > 0) return static_cast<double>(of.items().n) / static_cast<double>(way.tiles);
  return static_cast<double>(of.items().n);
}

}  // namespace

sheet_section measure_segments(measuring const& with) {
  index_t const n = with.most() / 4;
  growing_lines by_length, by_share;
  auto const plain = time_all(with, *plain_job(uniform_values(element::f32, n, 5), operation::plus),
                              [](contender const& who) { return is_ours(who) && dispatch::is_default(who.how); });
  double ours_short = 0, lifted_short = 0, ours_long = 0, worst = 0;
  for (index_t mean = 1; mean <= std::min<index_t>(n, index_t{1} << 20); mean *= with.quick ? 16 : 4) {
    auto const of = segmented_job(uniform_values(element::f32, n, 5), operation::plus, "heads",
                                  random_segments("flags", element::u8, n, 6, {.mean = static_cast<double>(mean)}));
    double const with_head = 100 * -std::expm1(-tile_items_of(with, *of) / static_cast<double>(mean));
    for (auto const& one : time_all(with, *of, is_compared_here)) {
      by_length.add(one.name, static_cast<double>(mean), 1e3 * one.seconds);
      by_share.add(one.name, with_head, 1e3 * one.seconds);
      if (dispatch::is_default(one.how)) {
        worst = std::max(worst, one.seconds);
        (mean < 1000 ? ours_short : ours_long) = one.seconds;
      }
      if (one.how == strategy::lifted && mean < 1000) lifted_short = one.seconds;
    }
    by_length.add("plain scan", static_cast<double>(mean), 1e3 * ours_of(plain).seconds, true);
  }
  std::string const items = items_text(n) + " f32";
  sheet_section made{
      "Segments",
      "A segmented sum of " + items +
          " by flags of one byte. lookback stops a look-back at a head; the lifted forms scan pairs of value and head, as "
          "van den Hurk (2022) measured his against.",
      {}};
  made.pictures.push_back({worst <= ours_of(plain).seconds
                               ? "However long segments are, a segmented scan takes no longer than a plain one"
                               : "However long segments are, a segmented scan takes at most " +
                                     fixed_text(worst / ours_of(plain).seconds, 2) + " times a plain scan",
                           line_data{"Time against the length of segments",
                                     {"mean length of segments", "items", scale::log2},
                                     {"time", "ms", scale::linear},
                                     by_length.take()},
                           "Flags are read beside the items: five bytes an item where a plain scan reads four."});
  made.pictures.push_back({lifted_short > 0 ? "Where tiles hold heads, one specialised pass is " +
                                                  speed_text(lifted_short / ours_short, "the lifted one")
                                            : "The more tiles hold a head, the sooner a look-back ends",
                           line_data{"Time against the share of tiles with a head",
                                     {"tiles with a head", "%", scale::linear},
                                     {"time", "ms", scale::linear},
                                     by_share.take()},
                           {}});
  return made;
}

}  // namespace lookback::app
