#include "perform.hpp"

#include <algorithm>

#include "contenders.hpp"
#include "io/numbers.hpp"
#include "report/clock.hpp"
#include "report/report.hpp"
#include "report/table.hpp"

namespace lookback::app {

namespace {

std::string summary_of(job const& of, outputs const& made, runner const& on, strategy how, phase_times const& times, bool stored,
                       common_options const& common) {
  std::string text =
      of.command + ": " + grouped(of.items().n) + " x " + type_name(of) + ", " + of.title + "; " + on.text() + " (" + on.why + ")";
  if (how != strategy::best) text += std::string(", ") + dispatch::name_of(how);
  if (common.reproducible) text += ", reproducible";
  if (auto const finding = of.finding(made); !finding.empty()) text += "\n  " + finding;
  text += "\n  load " + time_text(times.load) + ", parse " + time_text(times.parse);
  if (on.where == back_end::gpu) text += ", transfer in " + time_text(times.transfer_in);
  else if (of.in_place()) text += ", copy " + time_text(times.transfer_in);
  std::string const counted = of.moved_text();
  text += ", kernel " + time_text(times.kernel) + " (" + rate_text(of.moved_bytes(made), times.kernel) +
          (counted.empty() ? "" : ": " + counted) + ")";
  if (on.where == back_end::gpu) text += ", transfer out " + time_text(times.transfer_out);
  if (stored) text += ", store " + time_text(times.store);
  text += ", total " + time_text(times.total());
  if (common.repeat == 1) text += "\n  a single run, the first; --repeat N reports the median of N";
  if (common.repeat > 1) text += "\n  median of " + text_of(common.repeat) + " runs";
  if (common.validate) text += "\n  validated against " + of.reference() + ": " + of.tolerance();
  return text;
}

}  // namespace

std::vector<output_file> open_outputs(std::vector<std::string> const& paths) {
  std::vector<output_file> files;
  for (auto const& path : paths) {
    expect_array_name(path);
    for (auto const& other : files)
      if (other.is_same_file(path)) throw usage_error(path + ": is the name of two outputs, expected a different file for each");
    files.emplace_back(path);
  }
  return files;
}

void write_results(std::vector<output_file>& files, job const& of, outputs const& made) {
  if (files.empty()) return;
  if (of.write_text(made, files[0])) return files[0].finish();
  auto const results = of.results(made);
  for (std::size_t k = 0; k < files.size(); ++k) write_array(files[k], results[k]);
}

void perform(command_words const& words, common_options const& common) {
  auto const how = strategy_named(common.strategy, words.has_textbook_form());
  auto files = open_outputs(words.outputs());
  if (words.kept)
    for (auto const& file : files)
      if (file.is_same_file(words.kept()))
        throw usage_error(file.path() + ": is the matrix, which the result would replace, expected another name");
  report json(common.json);
  json.expect_apart_from(words.inputs());
  json.expect_apart_from(words.outputs());
  read_times read;
  auto const made = words.read(&read);
  job const& of = *made;
  auto const on = choose_runner(
      common, how, [&](back_end where, strategy one) { return of.offers(where, one); }, of.title + " of " + type_name(of));

  job_memory memory(on, of);
  auto const us = ours(of, on.where, how, common.reproducible);
  std::vector<phase_times> runs(static_cast<std::size_t>(common.repeat));
  for (auto& times : runs) memory.run(of, us.run, times);
  auto times = median_of(runs);
  times.load = read.load, times.parse = read.parse;
  if (common.validate) expect_valid(of, memory.results(), of.command);

  stopwatch clock;
  write_results(files, of, memory.results());
  times.store = clock.lap();
  auto measured = measurement(of.command + "/" + dispatch::name_of(on.where) + "/" + dispatch::name_of(how) + "/" + type_name(of) +
                                  "/" + text_of(of.items().n),
                              common.repeat, times, of.moved_bytes(memory.results()));
  if (!common.json.empty())
    for (auto const& [name, figure] : of.facts(memory.results())) measured.add(name, figure);
  json.add(measured);
  json.write();
  for (auto& file : files) file.commit();
  if (!common.quiet) say(common, summary_of(of, memory.results(), on, how, times, !files.empty(), common));
  if (auto const falls_short = of.shortcoming(memory.results()); !falls_short.empty())
    throw mismatch(of.command + ": " + falls_short);
}

}  // namespace lookback::app
