#include "perform.hpp"

#include <algorithm>

#include "chunked_job.hpp"
#include "explanation.hpp"
#include "io/numbers.hpp"
#include "io/write_parts.hpp"
#include "report/clock.hpp"
#include "report/machine.hpp"
#include "report/report.hpp"
#include "report/table.hpp"
#include "run_chunks.hpp"
#include "run_moved.hpp"
#include "tuning/known.hpp"

namespace lookback::app {

namespace {

std::string summary_of(job const& of, outputs const& made, runner const& on, strategy how, phase_times const& times, bool stored,
                       common_options const& common, std::optional<applied_tuning> const& tuned) {
  std::string text =
      of.command + ": " + grouped(of.items().n) + " x " + type_name(of) + ", " + of.title + "; " + on.text() + " (" + on.why + ")";
  if (how != strategy::best) text += std::string(", ") + dispatch::name_of(how);
  if (common.reproducible) text += ", reproducible";
  if (tuned) text += "\n  tuned: " + words_of(tuned->entry);
  if (auto const finding = of.finding(made); !finding.empty()) text += "\n  " + finding;
  text += "\n  load " + time_text(times.load) + ", parse " + time_text(times.parse);
  if (on.where == back_end::gpu && !times.parts && times.chunks == 0) text += ", transfer in " + time_text(times.transfer_in);
  else if (on.where == back_end::cpu && of.in_place()) text += ", copy " + time_text(times.transfer_in);
  std::string const counted = of.moved_text();
  auto const kernel = [&](double seconds) {
    return "kernel " + time_text(seconds) + " (" + rate_text(of.moved_bytes(made), seconds) +
           (counted.empty() ? "" : ": " + counted) + ")";
  };
  if (times.parts) {
    auto const &in = times.bringing, &out = times.taking;
    text += "; read " + time_text(in.fill) + ", transfer in " + time_text(in.work) + ", at the same time in " +
            time_text(in.total) + ", " + kernel(times.kernel) + ", transfer out " + time_text(out.work) + ", store " +
            time_text(out.drain) + ", at the same time in " + time_text(out.total);
  } else if (times.chunks > 0) {
    auto const& all = times.overlapped;
    // Enqueuing does not wait: the time of the GPU and of the copies is that of the stage that brings results back.
    if (on.where == back_end::gpu) text += ", memory on both sides and what all chunks read " + time_text(times.transfer_in);
    text += "; " + grouped(times.chunks) + (times.chunks == 1 ? " chunk: read " : " chunks: read ") + time_text(all.fill) + ", " +
            (on.where == back_end::gpu ? "transfers and kernels " + time_text(all.work + all.fetch) : kernel(all.work)) +
            ", store " + time_text(all.drain) + ", at the same time in " + time_text(all.total) + ", limited by " +
            text_of(all.limit());
  } else {
    text += ", " + kernel(times.kernel);
    if (on.where == back_end::gpu) text += ", transfer out " + time_text(times.transfer_out);
    if (stored) text += ", store " + time_text(times.store);
  }
  text += ", total " + time_text(times.total());
  if (common.repeat == 1) text += "\n  a single run, the first; --repeat N reports the median of N";
  if (common.repeat > 1) text += "\n  median of " + text_of(common.repeat) + " runs";
  if (common.validate) text += "\n  validated against " + of.reference() + ": " + of.tolerance();
  return text;
}

// What an explanation needs of runs in memory.
struct looked_at {
  observation seen;
  double seconds;
};

// All of it at once: `repeat` times in memory, and then to the files. Explained, it runs some times more.
outputs run_whole(job const& of, runner const& on, strategy how, common_options const& common, std::vector<output_file>& files,
                  phase_times& times, std::optional<looked_at>& looked) {
  stopwatch clock;
  of.load();
  double const load = times.load + clock.lap(), parse = times.parse;
  job_memory memory(on, of);
  auto const us = ours(of, on.where, how, common.reproducible);
  std::vector<phase_times> runs(static_cast<std::size_t>(common.repeat));
  for (auto& one : runs) memory.run(of, us.run, one);
  times = median_of(runs);
  times.load = load, times.parse = parse;
  if (common.explain) {
    runs.erase(runs.begin());  // the first one, which finds nothing in its place
    double const seconds =
        runs.empty() || on.where == back_end::gpu ? kernel_seconds(us, of, memory, 3, 9) : median_of(runs).kernel;
    looked = {look_at(of, us.run, memory), seconds};
  }
  if (common.validate) expect_valid(of, memory.results(), of.command);
  clock.lap();
  write_results(files, of, memory.results(), common.threads);
  times.store = clock.lap();
  return std::move(memory).results();
}

bool can_be_cut(job const& of, std::vector<output_file> const& files) {
  return of.items().n > 0 && !files.empty() && std::all_of(files.begin(), files.end(), takes_parts);
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

std::unique_ptr<chunked_job> chunks_of(job const& of, std::vector<output_file> const& files, back_end where, bool reproducible) {
  return can_be_cut(of, files) ? of.in_chunks(where, reproducible) : nullptr;
}

std::unique_ptr<chunked_job> chunks_by_peer(job const& of, std::vector<output_file> const& files, back_end where) {
  return can_be_cut(of, files) ? of.in_chunks_by_peer(where) : nullptr;
}

void expect_valid_files(job const& of, chunked_job const& chunks, std::vector<output_file> const& files) {
  auto const expected = chunks.results();
  std::vector<array> written;
  outputs made;
  for (std::size_t k = 0; k < files.size(); ++k) {
    auto const& file = written.emplace_back(read_parts(files[k], expected[k].type));
    auto const n = expected[k].count();
    if (file.n != n || file.type != expected[k].type)
      throw mismatch(of.command + ": " + files[k].path() + ": found " + grouped(file.n) + " x " + dispatch::name_of(file.type) +
                     " in the file that was written, expected " + grouped(n) + " x " + dispatch::name_of(expected[k].type));
    made.push_back(host_memory::view(file.data, file.bytes()));
  }
  for (auto& counts : chunks.counts()) made.push_back(std::move(counts));
  expect_valid(of, made, of.command);
}

void write_results(std::vector<output_file>& files, job const& of, outputs const& made, int threads) {
  if (files.empty()) return;
  if (of.write_text(made, files[0], threads)) return files[0].finish();
  auto const results = of.results(made);
  for (std::size_t k = 0; k < files.size(); ++k) write_array(files[k], results[k], threads);
}

void perform(command_words const& words, common_options const& common) {
  auto const how = strategy_named(common.strategy, words.has_textbook_form());
  std::size_t const memory = common.memory.empty() ? 0 : static_cast<std::size_t>(parse_count(common.memory, "--memory"));
  auto files = open_outputs(words.outputs());
  if (words.kept)
    for (auto const& file : files)
      if (file.is_same_file(words.kept()))
        throw usage_error(file.path() + ": is the matrix, which the result would replace, expected another name");
  report json(common.json);
  json.expect_apart_from(words.inputs());
  json.expect_apart_from(words.outputs());
  input_reading read{.threads = common.threads};
  auto const made = words.read(&read);
  job const& of = *made;
  auto on = choose_runner(
      common, how, [&](back_end where, strategy one) { return of.offers(where, one); }, of.title + " of " + type_name(of));

  phase_times times;
  times.load = read.load, times.parse = read.parse;
  bool const once = how == strategy::best && common.repeat == 1 && !common.explain;
  auto const chunks = once ? chunks_of(of, files, on.where, common.reproducible) : nullptr;
  bool const moved =
      !chunks && on.where == back_end::gpu && common.repeat == 1 && !common.validate && !common.explain && can_be_moved(of, files);
  if (memory > 0 && !chunks && !moved) note("--memory has no effect: this run is in one piece");
  std::optional<looked_at> looked;
  // Files limit a run by chunks, which are cut where the library's own tiles end.
  auto const tuned = chunks ? std::nullopt : known_for(of, on, common);
  strategy const by = tuned ? tuned->by.how : how;
  if (tuned) on.tuned = tuned->by;
  if (on.tuned.threads > 0) on.threads = on.tuned.threads;
  auto const results = chunks  ? run_chunks(of, *chunks, on, files, memory, times)
                       : moved ? run_moved(of, on, ours(of, on.where, by, common.reproducible).run, files, memory, times)
                               : run_whole(of, on, by, common, files, times, looked);
  if (chunks && common.validate) expect_valid_files(of, *chunks, files);
  auto measured = measurement(of.command + "/" + dispatch::name_of(on.where) + "/" + dispatch::name_of(by) + "/" + type_name(of) +
                                  "/" + text_of(of.items().n),
                              common.repeat, times, of.moved_bytes(results));
  if (!common.json.empty())
    for (auto const& [name, figure] : of.facts(results)) measured.add(name, figure);
  if (tuned) measured.add("tuned", words_of(tuned->entry));
  std::optional<explanation> explained;
  if (looked) {
    auto const least = of.moved(results);
    on.tuned = {}, on.threads = worker_threads(common.threads);  // of the copy
    explained = explanation_of(of, on.where, std::move(looked->seen), least, looked->seconds, measure_copy(on, least.all()));
    add_to(measured, *explained);
  }
  json.add(measured);
  json.write();
  for (auto& file : files) file.commit();
  if (!common.quiet) say(common, summary_of(of, results, on, by, times, !files.empty(), common, tuned));
  if (explained)
    say(common, text_of(*explained, "explained: " + on.text() + (on.where == back_end::cpu ? ", " + simd_name() : "")));
  if (auto const falls_short = of.shortcoming(results); !falls_short.empty()) throw mismatch(of.command + ": " + falls_short);
}

}  // namespace lookback::app
