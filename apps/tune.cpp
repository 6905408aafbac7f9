// lookback tune COMMAND ...: the sizes by which a command is fastest on this machine, kept for later runs.
#include <CLI/CLI.hpp>
#include <algorithm>
#include <cmath>
#include <memory>
#include <optional>

#include "commands.hpp"
#include "io/asked_to_end.hpp"
#include "jobs/attempt.hpp"
#include "jobs/chunked_job.hpp"
#include "report/report.hpp"
#include "report/table.hpp"
#include "tuning/known.hpp"
#include "tuning/tuner.hpp"
#include "tuning/tunings_file.hpp"

namespace lookback::app {

namespace {

struct tune_arguments {
  command_words words;
  common_options common;
  double seconds = 60;
  bool all = false;
  bool maps = false;
  bool dry_run = false;
};

std::string point_text(job_space const& space, tuning_point const& at) { return words_of(space.axes, at, space.start); }

/// Names of results may say what is to be made, such as --rejected: so they are allowed, and nothing is written.
void tell_of_outputs(command_words const& words) {
  for (auto const& path : words.outputs())
    if (!path.empty()) note("tune keeps no result of its runs: " + path + " is not written");
}

/// Every configuration, as a report has measurements.
void add_all(report& json, job const& of, runner const& on, tuner_result const& done, double bytes) {
  for (auto const& [at, seconds] : done.found.measured) {
    if (!std::isfinite(seconds)) continue;
    phase_times times;
    times.kernel = seconds;
    auto one = measurement("tune/" + of.command + "/" + dispatch::name_of(on.where) + "/" + type_name(of) + "/" +
                               text_of(of.items().n) + "/" + words_of(done.space.axes, at, at),
                           1, times, bytes);
    one.add("is_default", at == done.space.start).add("is_best", at == done.found.best);
    if (done.rounds > 0 && (at == done.space.start || at == done.found.best))
      one.add("seconds_in_turn", at == done.space.start ? done.default_seconds : done.tuned_seconds);
    json.add(one);
  }
}

std::string count_text(std::size_t count) { return text_of(count) + (count == 1 ? " configuration" : " configurations"); }

std::string summary_of(tuner_result const& done, known_tuning const& entry, bool all) {
  auto const& space = done.space;
  if (done.found.measured.empty()) return "  stopped before anything was measured";
  std::string text = "  default " + words_of(space.axes, space.start, space.start) + ": " +
                     time_text(done.rounds > 0 ? done.default_seconds : done.found.start_seconds);
  text += "\n  " + count_text(done.found.measured.size());
  if (done.stopped) text += ", stopped";
  else if (done.out_of_time) text += ", until the time was over (--seconds)";
  else if (!all) text += ", until no step along an axis was better";
  if (done.unable > 0) text += "; " + text_of(done.unable) + " of them could not run, the first because " + done.why;
  if (done.found.best == space.start) return text + ": none is faster than the default";
  text += ": the fastest found is " + point_text(space, done.found.best);
  text += "\n  in turn, " + text_of(done.rounds) + " runs each: " + time_text(done.tuned_seconds) + ", the default " +
          time_text(done.default_seconds) + ": " + fixed_text(done.speedup(), 3) + " times as fast";
  if (!done.is_better())
    return text +
           (done.is_too_short() ? "\n  calls of less than 10 us are too short to tell"
            : done.is_faster()  ? "\n  the middle halves of their times overlap, which is noise"
                                : "\n  less than 2 % is noise") +
           ": the default stays";
  if (done.is_kept_as_good()) text += "\n  what was kept before is as fast, " + time_text(done.kept_seconds) + ": it stays";
  if (entry.back_end == "gpu" && entry.threads > 0) text += "\n  in code: on.with(" + gpu_type(entry) + "{})";
  return text;
}

/// The first items of the input, as a job of its own; null where it cannot be cut.
std::unique_ptr<job> first_items(tune_arguments const& a, index_t n, job const& whole) {
  input_reading read{.threads = a.common.threads};
  read.most_items = n;
  std::unique_ptr<job> made;
  auto const why = attempt([&] { made = a.words.read(&read); });
  if (!why.empty() || made->items().n != n || made->manner() != whole.manner()) return nullptr;
  made->load();
  return made;
}

std::string maps_of(tune_arguments const& a, job const& of, runner const& on, tuner_result const& done, tuner_request const& with) {
  auto const& space = done.space;
  if (space.axes[space.sizes].values.size() < 2) return "  no maps: " + space.why_few + "\n";
  // By what the library has on the other axes: only there every cell was compiled.
  auto at = space.start;
  if (done.is_better()) at[space.threads] = done.found.best[space.threads], at[space.sizes] = done.found.best[space.sizes];
  if (!space.has(at)) at = space.start;
  std::string text = "\n" + text_of(map_of(of, on, space, at, space.threads, space.sizes, with));
  std::vector<std::unique_ptr<job>> held;
  for (index_t n = of.items().n / 4; n >= index_t{1} << 14; n /= 4) {
    auto one = first_items(a, n, of);
    if (!one) break;
    held.insert(held.begin(), std::move(one));
  }
  if (held.empty()) return text + "  no maps over the number of items: this input cannot be cut\n";
  std::vector<job const*> jobs;
  for (auto const& one : held) jobs.push_back(one.get());
  jobs.push_back(&of);
  text += "\n" + text_of(map_of_sizes(jobs, on, space, at, space.threads, with));
  return text + "\n" + text_of(map_of_sizes(jobs, on, space, at, space.sizes, with));
}

/// Where the tuning is kept, and who takes it.
std::string kept_text(job const& of, runner const& on, known_tuning const& entry, std::string const& path) {
  std::string text = "\n  kept in " + path + ", for runs of half to twice as many items in one piece: with --repeat, in compare, " +
                     (on.where == back_end::gpu ? "and by its type in code"
                      : entry.strategy.empty()  ? "and calls of the library (lookback/tunings.hpp)"
                                                : "and, since its strategy is a type, by find() in the library") +
                     "; --no-tuning passes it over";
  if (of.in_chunks(on.where, false)) text += "\n  a run by chunks, from file to file, is limited by the files and takes no tuning";
  return text;
}

void run(tune_arguments const& a) {
  auto const& common = a.common;
  tell_of_outputs(a.words);
  std::optional<tunings_file> file;
  if (!a.dry_run) file.emplace();
  report json(common.json);
  json.expect_apart_from(a.words.inputs());
  json.expect_apart_from({tunings::path_of_this_user()});
  input_reading read{.threads = common.threads};
  auto const made = a.words.read(&read);
  job const& of = *made;
  auto const on = choose_runner(
      common, strategy::best, [&](back_end where, strategy one) { return of.offers(where, one); },
      of.title + " of " + type_name(of));
  if (of.items().n == 0) throw usage_error(of.items().from + ": found no items, expected some to measure");
  of.load();
  asked_to_end const end;
  auto const stop = [&] { return end.signal() != 0; };
  tuner_request with{.threads = common.threads, .seconds = a.seconds, .all = a.all, .validate = common.validate, .stop = stop};
  if (auto const known = known_for(of, on, common)) with.kept = known->by;
  auto const done = tune(of, on, with);

  // Who tunes for threads that were asked for tunes for such calls alone.
  auto const entry_for = [&](tuned_choice const& by) {
    auto entry = entry_of(by, on, of);
    if (on.where == back_end::cpu && common.threads > 0) entry.call.threads = common.threads, entry.threads = 0;
    entry.default_seconds = done.default_seconds, entry.tuned_seconds = done.tuned_seconds;
    entry.configurations = static_cast<std::int64_t>(done.found.measured.size());
    return entry;
  };
  auto const by = done.space.choice(done.found.best);
  auto const entry = entry_for(by);
  job_memory memory(on, of);
  phase_times checked;
  memory.run(of, tuned_contender(of, on.where, by).run, checked);
  if (done.is_better()) expect_valid(of, memory.results(), of.command + " by " + words_of(entry));
  std::string text =
      "tune " + of.command + ": " + grouped(of.items().n) + " x " + type_name(of) + ", " + of.title + "; " + on.text();
  if (!done.space.why_few.empty()) text += "\n  " + done.space.why_few;
  text += "\n" + summary_of(done, entry, a.all);
  bool const is_new = done.is_better() && !done.is_kept_as_good();
  if (is_new) text += file ? kept_text(of, on, entry, file->path()) : "\n  not kept (--dry-run)";
  say(common, text);
  // A search that came to its end says so of the default, too; one that was stopped says nothing of it.
  if (file && is_new) file->keep(entry);
  else if (file && done.found.ended && !done.is_better()) file->keep(entry_for({}));
  add_all(json, of, on, done, of.moved_bytes(memory.results()));
  json.write();
  if (a.maps && !stop()) say(common, maps_of(a, of, on, done, with));
  end.end_by_it();
}

void add_tuning(CLI::App& tune, char const* name, char const* what, declare_function declare) {
  auto* const command = tune.add_subcommand(name, what);
  auto const a = std::make_shared<tune_arguments>();
  a->words = declare(*command, true);
  // It would name the one result that every command has, and no result is kept.
  if (auto* const output = command->get_option_no_throw("--output")) command->remove_option(output);
  command
      ->add_option("--seconds", a->seconds,
                   "End the search after so many seconds; reading, the runs in turn behind it and maps come on top")
      ->type_name("S")
      ->check(CLI::Range(0.0, 1e6))
      ->capture_default_str();
  command->add_flag("--all", a->all, "Measure every configuration there is, not along one axis after the other: seconds on a GPU");
  command->add_flag("--maps", a->maps,
                    "After the search, show maps of the throughput: threads by sizes, and each of them by numbers of items");
  command->add_flag("--validate", a->common.validate, "Check the result of every configuration, not of the fastest alone");
  command->add_flag("--dry-run", a->dry_run, "Keep nothing: the file of tunings stays as it is");
  add_place_options(*command, a->common);
  add_json_option(*command, a->common);
  add_quiet_option(*command, a->common);
  command->callback([a] { run(*a); });
}

}  // namespace

void add_tune(CLI::App& program) {
  auto* const tune = program.add_subcommand(
      "tune",
      "Find the sizes and the strategy by which a command is fastest on this machine, and keep them for later runs, in "
      "$LOOKBACK_TUNINGS or ~/.config/lookback/tunings.ini");
  tune->footer(
      "On a CPU inputs are warm in the caches where they fit, on a GPU caches are cold. Sums of floats may round differently by "
      "other\n"
      "sizes. Sizes for a GPU are compiled ahead: cmake --build BUILD --target lookback_tunings.");
  tune->require_subcommand(1);
  each_command(*tune, add_tuning);
}

}  // namespace lookback::app
