#include <algorithm>

#include "generate/generators.hpp"
#include "jobs/demo_jobs.hpp"
#include "report/table.hpp"
#include "sheet.hpp"

namespace lookback::app {

namespace {

bool takes_strategies(contender const& who) { return is_ours(who) || who.kind == contender_kind::ceiling; }
bool is_about_looking_back(strategy how) {
  return how == strategy::decoupled_look_back || how == strategy::sequential_look_back || how == strategy::auxiliary_block ||
         how == strategy::wide_look_back || how == strategy::waiting_look_back;
}

/// How many times as long as the default each other strategy takes.
bar_row times_of(std::string const& label, std::vector<timed> const& all) {
  bar_row row{label, {}};
  double const ours = ours_of(all).seconds;
  for (auto const& one : all)
    if (one.kind == contender_kind::ours && !dispatch::is_default(one.how))
      row.parts.push_back({dispatch::name_of(one.how), one.seconds / ours});
  return row;
}

}  // namespace

sheet_section measure_strategies(measuring const& with) {
  growing_lines all_lines, few_lines;
  std::vector<timed> last;
  for (index_t const n : with.sizes()) {
    last = time_all(with, *plain_job(uniform_values(element::i32, n, 1), operation::plus), takes_strategies);
    for (auto const& one : last) {
      bool const is_ceiling = one.kind == contender_kind::ceiling;
      std::string const name = is_ceiling ? one.name : dispatch::name_of(one.how);
      all_lines.add(name, static_cast<double>(n), one.rate(), is_ceiling);
      if (is_ceiling || is_about_looking_back(one.how)) few_lines.add(name, static_cast<double>(n), one.rate(), is_ceiling);
    }
  }
  auto const fastest = std::min_element(last.begin(), last.end(), [](timed const& a, timed const& b) {
    return (a.kind == contender_kind::ours ? a.seconds : 1e9) < (b.kind == contender_kind::ours ? b.seconds : 1e9);
  });
  auto const slowest = std::max_element(last.begin(), last.end(), [](timed const& a, timed const& b) {
    return (a.kind == contender_kind::ours ? a.seconds : 0) < (b.kind == contender_kind::ours ? b.seconds : 0);
  });
  index_t const n = with.most() / 4;
  std::vector<bar_row> rows;
  auto const add = [&](std::string const& label, std::unique_ptr<job> const& of) {
    auto row = times_of(label, time_all(with, *of, is_ours));
    if (!row.parts.empty()) rows.push_back(std::move(row));
  };
  add("scan", plain_job(uniform_values(element::i32, n, 1), operation::plus));
  add("segmented scan", segmented_job(uniform_values(element::f32, n, 1), operation::plus, "heads",
                                      random_segments("flags", element::u8, n, 2, {.mean = 1000})));
  add("select", make_select_job(uniform_values(element::i32, n, 3), condition::below, {}, scalar_of(std::int32_t{0})));
  add("rle encode", make_encode_job(run_values(element::i32, n, 4, {.mean = 10})));
  add("reduce-by-key",
      make_reduce_job(run_values(element::i32, n, 5, {.mean = 10}), uniform_values(element::f32, n, 6), operation::plus));
  sheet_section made{
      "Strategies",
      "How tiles learn what comes before them. Each strategy runs the same tiles, sources and sinks; only the exchange of "
      "prefixes differs.",
      {}};
  auto const& us = ours_of(last);
  std::string title = us.seconds <= fastest->seconds          ? "The default is the fastest strategy of a scan"
                      : us.seconds <= 1.03 * fastest->seconds ? "The default is within 3 % of the fastest strategy of a scan"
                                                              : std::string(dispatch::name_of(fastest->how)) + " is " +
                                                                    speed_text(us.seconds / fastest->seconds, "the default");
  if (!dispatch::is_default(slowest->how))
    title += std::string("; ") + dispatch::name_of(slowest->how) + " takes " + fixed_text(slowest->seconds / us.seconds, 2) +
             " times as long as the default";
  axis const items{"items", "", scale::log2}, rate{"read and written", "GB/s", scale::linear};
  made.pictures.push_back({title, line_data{"A prefix sum of i32 by every strategy", items, rate, all_lines.take()}, {}});
  made.pictures.push_back({"Looking back in parallel, one after the other, and by an auxiliary worker",
                           line_data{"Three ways to get a prefix in one pass", items, rate, few_lines.take()},
                           {}});
  made.pictures.push_back({"What every other strategy costs in each application, of " + items_text(n) + " items",
                           bar_data{"Time of a strategy over that of the default", "time over the default's", "", false, rows,
                                    reference_line{"the default", 1}},
                           "Longer is slower. A strategy that has no form of an application has no bar."});
  return made;
}

}  // namespace lookback::app
