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

/// The library's by one strategy; null where it has no form.
timed const* found(std::vector<timed> const& all, strategy how) {
  for (auto const& one : all)
    if (one.kind == contender_kind::ours && one.how == how) return &one;
  return nullptr;
}

/// How the default compares with the other strategies in each application.
class costs_of_strategies {
 public:
  void add(std::string const& label, std::vector<timed> const& all) {
    bar_row row{label, {}};
    double const ours = ours_of(all).seconds;
    for (auto const& one : all) {
      if (one.kind != contender_kind::ours || dispatch::is_default(one.how)) continue;
      row.parts.push_back({dispatch::name_of(one.how), one.seconds / ours});
      if (fastest_.empty() || one.seconds / ours < least_)
        least_ = one.seconds / ours, fastest_ = std::string(dispatch::name_of(one.how)) + ", " + label;
    }
    if (!row.parts.empty()) rows_.push_back(std::move(row));
  }
  bool empty() const { return rows_.empty(); }
  picture drawn(index_t n) && {
    return {"In applications of " + items_text(n) + " items the fastest other strategy (" + fastest_ + ") takes " +
                fixed_text(least_, 2) + " times as long as the default",
            bar_data{"Time of a strategy over that of the default", "time over the default's", "", false, std::move(rows_),
                     reference_line{"the default", 1}, "", 4},
            "Longer is slower. A strategy that has no form of an application has no bar."};
  }

 private:
  std::vector<bar_row> rows_;
  double least_ = 0;
  std::string fastest_;
};

/// "1.63 times as fast as A, 1.38 times as fast as B": the default beside those of them that have a form; else empty.
std::string speeds_over(std::vector<timed> const& all, std::initializer_list<std::pair<strategy, char const*>> others) {
  std::string text;
  for (auto const& [how, words] : others)
    if (auto const* const other = found(all, how))
      text += (text.empty() ? "" : ", ") + speed_text(other->seconds / ours_of(all).seconds, words);
  return text;
}

}  // namespace

sheet_section measure_strategies(measuring const& with) {
  growing_lines all_lines, few_lines, speedups;
  std::vector<timed> last;
  for (index_t const n : with.sizes()) {
    last = time_all(with, *plain_job(uniform_values(element::i32, n, 1), operation::plus), takes_strategies);
    for (auto const& one : last) {
      bool const is_ceiling = one.kind == contender_kind::ceiling;
      std::string const name = is_ceiling ? one.name : dispatch::name_of(one.how);
      all_lines.add(name, static_cast<double>(n), one.rate(), is_ceiling);
      if (!is_ceiling && !dispatch::is_default(one.how))
        speedups.add(name, static_cast<double>(n), one.seconds / ours_of(last).seconds);
      if (is_ceiling || is_about_looking_back(one.how)) few_lines.add(name, static_cast<double>(n), one.rate(), is_ceiling);
    }
  }
  auto const fastest = std::min_element(last.begin(), last.end(), [](timed const& a, timed const& b) {
    return (a.kind == contender_kind::ours ? a.seconds : 1e9) < (b.kind == contender_kind::ours ? b.seconds : 1e9);
  });
  index_t const n = with.most() / 4;
  costs_of_strategies costs;
  auto const add = [&](std::string const& label, std::unique_ptr<job> const& of) {
    costs.add(label, time_all(with, *of, is_ours));
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
  std::string const title = us.seconds <= fastest->seconds          ? "The default is the fastest strategy of a scan"
                            : us.seconds <= 1.03 * fastest->seconds ? "The default is within 3 % of the fastest strategy of a scan"
                                                                    : std::string(dispatch::name_of(fastest->how)) + " is " +
                                                                          speed_text(us.seconds / fastest->seconds, "the default");
  axis const items{"items", "", scale::log2}, rate{"read and written", "GB/s", scale::linear};
  made.pictures.push_back({title, line_data{"A prefix sum of i32 by every strategy", items, rate, all_lines.take()}, {}});
  if (auto lines = speedups.take(); !lines.empty()) {
    auto const speeds = speeds_over(last, {{strategy::chained, "chained"},
                                           {strategy::reduce_then_scan, "reduce-then-scan"},
                                           {strategy::scan_then_propagate, "scan-then-propagate"}});
    made.pictures.push_back({speeds.empty() ? "How long the other strategies take beside the default"
                                            : "At " + items_text(with.most()) + " items the default is " + speeds,
                             line_data{"Time of each other strategy over that of the default",
                                       items,
                                       {"time over the default's", "", scale::log2},
                                       std::move(lines)},
                             "Above 1 the default is faster."});
  }
  bool const on_gpu = with.on.where == back_end::gpu;
  auto const looking_back = on_gpu ? speeds_over(last, {{strategy::sequential_look_back, "one tile after the other"},
                                                        {strategy::auxiliary_block, "by an auxiliary block"}})
                                   : speeds_over(last, {{strategy::auxiliary_block, "an auxiliary worker"}});
  std::string const who = on_gpu ? "Looking back in parallel is " : "Where every worker looks back, a scan is ";
  made.pictures.push_back({looking_back.empty() ? "Ways to get a prefix in one pass" : who + looking_back,
                           line_data{"Ways to get a prefix in one pass", items, rate, few_lines.take()},
                           on_gpu ? "By wide-look-back up to four warps read descriptors at once, by the default one."
                                  : "By waiting-look-back a worker waits for one that has lost its core. By the default it does "
                                    "that worker's part."});
  if (!costs.empty()) made.pictures.push_back(std::move(costs).drawn(n));
  return made;
}

}  // namespace lookback::app
