#include "tuner.hpp"

#include <algorithm>
#include <cmath>

#include "io/numbers.hpp"
#include "jobs/attempt.hpp"
#include "report/clock.hpp"
#include "report/progress.hpp"
#include "report/table.hpp"

namespace lookback::app {

namespace {

/// "0:07": minutes and seconds.
std::string clock_text(double seconds) {
  auto const whole = static_cast<long>(std::ceil(seconds));
  std::string const part = text_of(whole % 60);
  return text_of(whole / 60) + ":" + (part.size() < 2 ? "0" : "") + part;
}

/// Medians of runs in turn, now the one first and now the other, so that what disturbs the machine, and what each leaves in the
/// caches, is the same for both.
void confirm(job const& of, runner const& on, job_memory& memory, tuner_request const& with, tuner_result& made) {
  constexpr double most_seconds = 20;
  auto const own = tuned_contender(of, on.where, made.space.choice(made.space.start));
  auto const best = tuned_contender(of, on.where, made.space.choice(made.found.best));
  int const calls = calls_of_sample(on, made.found.best_seconds);
  auto const sample = [&](contender const& who) { return sample_of(of, on, who, memory, calls); };
  std::optional<contender> kept;
  if (with.kept) kept = tuned_contender(of, on.where, *with.kept);
  sample(own), sample(best);
  std::vector<double> of_own, of_best, of_kept;
  progress line("tuning " + of.command + ": the fastest and the default in turn", with.rounds);
  double spent = 0;
  for (int round = 0; round < with.rounds; ++round) {
    bool const enough = round >= tuner_result::least_rounds;
    if (enough && (with.stop() || spent > most_seconds)) break;
    line.at(round);
    bool const own_first = round % 2 == 0;
    if (own_first) of_own.push_back(sample(own));
    of_best.push_back(sample(best));
    if (kept) of_kept.push_back(sample(*kept));
    if (!own_first) of_own.push_back(sample(own));
    spent += (of_own.back() + of_best.back()) * calls;
  }
  made.rounds = static_cast<int>(of_own.size());
  made.kept_seconds = median(std::move(of_kept));
  made.apart = quantile(of_best, 0.75) < quantile(of_own, 0.25);
  made.default_seconds = median(std::move(of_own)), made.tuned_seconds = median(std::move(of_best));
}

/// The space of a job whose call no compiled form takes, such as of another operator, is that of strategies.
void leave_out_forms(job const& of, runner const& on, job_memory& memory, job_space& space) {
  if (on.where == back_end::cpu) return;
  for (std::size_t value = 0; value < space.axes[space.sizes].values.size(); ++value) {
    auto at = space.start;
    at[space.sizes] = value;
    if (!space.has(at) || !space.choice(at).form) continue;
    auto const why = attempt([&] { memory.again(of, tuned_contender(of, on.where, space.choice(at)).run); });
    if (!why.empty()) space = gpu_space(of, on.device_number, why);
    return;
  }
}

/// Inputs where the job runs, and its results by the library's own sizes. Throws what the job throws.
void run_first(job const& of, runner const& on, job_space const& space, job_memory& memory) {
  phase_times first;
  memory.run(of, tuned_contender(of, on.where, space.choice(space.start)).run, first);
}

/// Of what it stored when it ran first.
void check(job const& of, job_memory const& memory, job_space const& space, tuning_point const& at) {
  expect_valid(of, memory.results(), of.command + " by " + words_of(space.axes, at, at));
}

double rate_of(job const& of, runner const& on, job_space const& space, tuning_point const& at, job_memory& memory,
               tuner_request const& with) {
  if (with.stop() || !space.has(at)) return NAN;
  double const seconds = time_of(of, on, space.choice(at), memory, INFINITY, with.validate).seconds;
  if (with.validate && std::isfinite(seconds)) check(of, memory, space, at);
  return std::isfinite(seconds) && seconds > 0 ? of.moved_bytes(memory.results()) / seconds / 1e9 : NAN;
}

/// A map is measured twice, one whole after the other: what disturbs the machine meanwhile does not stay in it.
constexpr std::size_t sweeps = 2;
void keep_faster(double& known, double now) {
  if (std::isnan(known) || now > known) known = now;
}

axis axis_of(tuning_axis const& one) { return {one.name}; }

double highest_of(heat_data const& map) {
  double best = 0;
  for (auto const& row : map.values)
    for (double const value : row)
      if (value > best) best = value;
  return best;
}

}  // namespace

tuner_result tune(job const& of, runner const& on, tuner_request const& with) {
  tuner_result made;
  made.space = space_of(of, on, with.threads);
  job_memory memory(on, of);
  run_first(of, on, made.space, memory);
  leave_out_forms(of, on, memory, made.space);
  // Who is measured first finds a machine that has slept.
  if (!with.stop()) time_of(of, on, made.space.choice(made.space.start), memory, INFINITY, false);
  progress line("tuning " + of.command, 1);
  stopwatch clock;
  double spent = 0;
  search_request request;
  request.axes = made.space.axes, request.start = made.space.start, request.has = made.space.has;
  request.all = with.all;
  request.seconds = [&](tuning_point const& at, double best) {
    auto const timed = time_of(of, on, made.space.choice(at), memory, best, with.validate);
    if (!timed.why.empty() && made.unable++ == 0) made.why = timed.why;
    if (with.validate && timed.why.empty()) check(of, memory, made.space, at);
    return timed.seconds;
  };
  request.go_on = [&](search_progress const& at) {
    spent += clock.lap();
    made.stopped = with.stop();
    made.out_of_time = !made.stopped && spent >= with.seconds && at.measured > 0;
    double const each = at.measured > 0 ? spent / static_cast<double>(at.measured) : 0;
    double const left = std::min(each * static_cast<double>(at.left), std::max(0.0, with.seconds - spent));
    line.at(static_cast<double>(at.measured) / static_cast<double>(at.measured + std::max<std::size_t>(at.left, 1)),
            ": " + at.axis + ", " + text_of(at.measured) + " configurations, at most " + clock_text(left) + " left,");
    return !made.stopped && !made.out_of_time;
  };
  made.found = search(request);
  if (made.found.best != made.space.start) confirm(of, on, memory, with, made);
  else made.default_seconds = made.tuned_seconds = made.found.start_seconds;
  return made;
}

heat_data map_of(job const& of, runner const& on, job_space const& space, tuning_point const& at, std::size_t rows,
                 std::size_t columns, tuner_request const& with) {
  job_memory memory(on, of);
  run_first(of, on, space, memory);
  heat_data made{"",
                 "throughput",
                 "GB/s",
                 axis_of(space.axes[columns]),
                 axis_of(space.axes[rows]),
                 space.axes[columns].values,
                 space.axes[rows].values,
                 {},
                 outlined::highest};
  made.values.assign(made.y_labels.size(), std::vector<double>(made.x_labels.size(), NAN));
  progress line("mapping " + of.command, static_cast<double>(sweeps * made.x_labels.size() * made.y_labels.size()));
  double done = 0;
  for (std::size_t sweep = 0; sweep < sweeps; ++sweep)
    for (std::size_t row = 0; row < made.y_labels.size(); ++row)
      for (std::size_t column = 0; column < made.x_labels.size(); ++column) {
        auto here = at;
        here[rows] = row, here[columns] = column;
        line.at(done++);
        keep_faster(made.values[row][column], rate_of(of, on, space, here, memory, with));
      }
  made.title = "The default of " + of.command + " (" + made.y.quantity + " " + made.y_labels[at[rows]] + ", " + made.x.quantity +
               " " + made.x_labels[at[columns]] + ") reaches " +
               fixed_text(100 * made.values[at[rows]][at[columns]] / highest_of(made), 0) + " % of the best cell";
  return made;
}

heat_data map_of_sizes(std::vector<job const*> const& jobs, runner const& on, job_space const& space, tuning_point const& at,
                       std::size_t rows, tuner_request const& with) {
  heat_data made{"", "of the fastest at that size", "%", {"items"},        axis_of(space.axes[rows]),
                 {}, space.axes[rows].values,       {},  outlined::highest};
  made.values.resize(made.y_labels.size());
  for (auto const* const of : jobs) {
    job_memory memory(on, *of);
    run_first(*of, on, space, memory);
    made.x_labels.push_back(grouped(of->items().n));
    for (auto& row : made.values) row.push_back(NAN);
    for (std::size_t sweep = 0; sweep < sweeps; ++sweep)
      for (std::size_t row = 0; row < made.y_labels.size(); ++row) {
        auto here = at;
        here[rows] = row;
        keep_faster(made.values[row].back(), rate_of(*of, on, space, here, memory, with));
      }
  }
  double own = 100;
  for (std::size_t column = 0; column < made.x_labels.size(); ++column) {
    double best = 0;
    for (auto const& row : made.values) best = std::max(best, std::isnan(row[column]) ? 0 : row[column]);
    for (auto& row : made.values) row[column] = row[column] == best ? 100 : 100 * row[column] / best;
    own = std::min(own, made.values[at[rows]][column]);
  }
  made.title = "The default of " + jobs.front()->command + " (" + made.y.quantity + " " + made.y_labels[at[rows]] +
               ") is never below " + fixed_text(own, 0) + " % of the best, at any number of items";
  return made;
}

std::string text_of(heat_data const& map) {
  constexpr char const* shades[] = {" ", "\u2591", "\u2592", "\u2593", "\u2588"};
  double low = INFINITY, high = -INFINITY;
  for (auto const& row : map.values)
    for (double const value : row)
      if (!std::isnan(value)) low = std::min(low, value), high = std::max(high, value);
  // The shades are one column wide, however many bytes they have: so the columns are made here.
  std::size_t labels = map.y.quantity.size(), width = 7;
  for (auto const& one : map.y_labels) labels = std::max(labels, one.size());
  for (auto const& one : map.x_labels) width = std::max(width, one.size() + 2);
  auto const right = [](std::string const& text, std::size_t columns) {
    return std::string(columns - std::min(columns, text.size()), ' ') + text;
  };
  std::string text = map.quantity + ", " + map.unit + ", by " + map.y.quantity + " (down) and " + map.x.quantity + " (across)" +
                     "; fuller is faster, * the fastest\n";
  text += right("", labels);
  for (auto const& one : map.x_labels) text += right(one, width);
  text += "\n";
  for (std::size_t row = 0; row < map.values.size(); ++row) {
    text += right(map.y_labels[row], labels);
    for (double const value : map.values[row]) {
      if (std::isnan(value)) {
        text += right("-", width);
        continue;
      }
      auto const part = high > low ? (value - low) / (high - low) : 1.0;
      auto const number = (value == high ? "*" : "") + fixed_text(value, value < 100 ? 1 : 0);
      text += right("", width - std::min(width, number.size() + 1)) + shades[static_cast<int>(part * 4.999)] + number;
    }
    text += "\n";
  }
  return text;
}

}  // namespace lookback::app
