// lookback compare COMMAND ...: the same by every strategy, back end and peer that is present, from file to file.
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <limits>
#include <map>
#include <memory>

#include "commands.hpp"
#include "dispatch/peers.hpp"
#include "jobs/chunked_job.hpp"
#include "jobs/contenders.hpp"
#include "jobs/outside.hpp"
#include "jobs/perform.hpp"
#include "jobs/run_chunks.hpp"
#include "report/clock.hpp"
#include "report/machine.hpp"
#include "report/progress.hpp"
#include "report/report.hpp"
#include "report/table.hpp"

namespace lookback::app {

namespace {

struct compare_arguments {
  command_words words;
  bool pinned = false;
  common_options common;
};

struct result {
  std::string name;
  back_end where;
  contender_kind kind;
  phase_times cold, warm;
  double moved = 0;
  std::string check;
  bool has_phases = true;  // else only a total is known, which is all of its times together
  std::string skipped;     // why it did not run
  std::string about;       // a line below the head; may be empty
};

// Where results go that nobody asked to keep: beside the output and of its kind, so that storing takes as long.
struct scratch_file {
  std::string path;
  unfinished_file removed_on_signals;
  explicit scratch_file(std::filesystem::path const& like) {
    auto const folder = like.empty() ? std::filesystem::temp_directory_path() : like.parent_path();
    auto const ending = like.empty() ? ".npy" : like.extension().string();
    path = (folder / ("lookback-compare-XXXXXX" + ending)).string();
    int const made = mkstemps(path.data(), static_cast<int>(ending.size()));
    if (made < 0) throw io_error(path + ": cannot be created: " + std::strerror(errno));
    close(made);
    removed_on_signals = unfinished_file(path);
  }
  ~scratch_file() {
    if (!path.empty()) unlink(path.c_str());
  }
  scratch_file(scratch_file&& other) noexcept
      : path{std::exchange(other.path, {})}, removed_on_signals{std::move(other.removed_on_signals)} {}
};

// What lives from one run of a contender to the next; making it is what makes the first run cold.
struct kept_memory {
  kept_memory(runner made, std::vector<std::size_t> sizes_of_all) : on{std::move(made)}, sizes{std::move(sizes_of_all)} {}
  runner on;
  std::optional<job_memory> memory;
  std::vector<std::size_t> sizes;  // of the inputs and outputs that it was made for
};

std::vector<std::size_t> sizes_of(job const& of) {
  std::vector<std::size_t> sizes = of.room();
  for (auto const& input : of.inputs()) sizes.push_back(input.size());
  return sizes;
}

// One run from file to file.
void run_once(contender const& who, compare_arguments const& a, std::vector<std::string> const& paths, kept_memory& kept,
              phase_times& times) {
  input_reading read{.threads = a.common.threads};
  auto files = open_outputs(paths);
  auto const made = a.words.read(&read);
  stopwatch clock;
  made->load();
  times.load += read.load + clock.lap(), times.parse += read.parse;
  if (sizes_of(*made) != kept.sizes)
    throw bad_data(made->items().from + ": the input changed during the comparison, expected the same sizes in every run");
  if (!kept.memory) {
    if (who.where == back_end::gpu) kept.on = make_runner(back_end::gpu, a.common);
    kept.memory.emplace(kept.on, *made, a.pinned);
    // Contexts, device memory and page locks are there for the transfer's sake.
    if (who.where == back_end::gpu) times.transfer_in += clock.lap();
  }
  kept.memory->run(*made, who.run, times);
  clock.lap();
  write_results(files, *made, kept.memory->results(), a.common.threads);
  for (auto& file : files) file.commit();
  times.store += clock.lap();
}

// Takes what it runs: what that prepared leaves the device before its queue does.
result measure(contender& listed, compare_arguments const& a, std::vector<std::string> const& paths, job const& reference) {
  result made{listed.name, listed.where, listed.kind, {}, {}, 0, {}, true, {}, {}};
  kept_memory kept(make_runner(back_end::cpu, a.common), sizes_of(reference));
  contender const who{listed.name, listed.where, listed.kind, listed.how, std::exchange(listed.run, nullptr)};
  run_once(who, a, paths, kept, made.cold);
  std::vector<phase_times> warm(static_cast<std::size_t>(a.common.repeat));
  for (auto& times : warm) run_once(who, a, paths, kept, times);
  dispatch::end_peer_threads();
  made.warm = median_of(warm);
  auto const& results = kept.memory->results();
  bool const is_ceiling = who.kind == contender_kind::ceiling;
  made.moved = is_ceiling ? 2.0 * static_cast<double>(reference.items().bytes()) : reference.moved_bytes(results);
  // A float sum that is off by more is no wrong algorithm in a peer, only a longer chain of roundings.
  std::string const differs = reference.tolerance() == "exact" ? "differs" : "> " + reference.tolerance();
  if (is_ceiling) made.check = "-";
  else made.check = !a.common.validate ? "" : reference.first_difference(results).empty() ? "ok" : differs;
  if (made.check == differs && who.kind == contender_kind::ours) expect_valid(reference, results, who.name);
  return made;
}

// The same files are there, byte for byte?
bool same_bytes(std::string const& one, std::string const& other) {
  input_file const a(one), b(other);
  return a.text() == b.text();
}

// The command as it runs by itself, where it reads, runs and writes at the same time, or with the kernels of a peer in it; `ours`
// is what the library wrote before.
std::optional<result> measure_overlapped(job const& reference, back_end where, bool by_peer, compare_arguments const& a,
                                         std::vector<std::string> const& paths, std::vector<std::string> const& ours) {
  auto const cut = [&](job const& of, std::vector<output_file> const& files) {
    return by_peer ? chunks_by_peer(of, files, where) : chunks_of(of, files, where, a.common.reproducible);
  };
  result made{{}, where, contender_kind::ours, {}, {}, 0, {}, false, {}, {}};
  if (auto const chunks = cut(reference, open_outputs(paths))) made.name = chunks->kernels_of() + " overlapped";
  else return {};
  auto const on = make_runner(where, a.common);
  std::string const near = reference.tolerance(), differs = near == "exact" ? "differs" : "> " + near;
  auto const run = [&](phase_times& times) {
    input_reading read{.threads = a.common.threads};
    auto files = open_outputs(paths);
    auto const once = a.words.read(&read);
    auto const chunks = cut(*once, files);
    if (!chunks || sizes_of(*once) != sizes_of(reference))
      throw bad_data(once->items().from + ": the input changed during the comparison, expected the same sizes in every run");
    times.load = read.load, times.parse = read.parse;
    made.moved = once->moved_bytes(run_chunks(*once, *chunks, on, files, 0, times));
    if (a.common.validate && &times == &made.cold) try {
        expect_valid_files(*once, *chunks, files);
        made.check = "ok";
      } catch (mismatch const&) {
        if (!by_peer) throw;
        made.check = differs;
      }
    stopwatch clock;
    for (auto& file : files) file.commit();
    times.store = clock.lap();
  };
  run(made.cold);
  std::vector<phase_times> warm(static_cast<std::size_t>(a.common.repeat));
  for (auto& times : warm) run(times);
  auto const middle = warm.begin() + std::ssize(warm) / 2;
  std::nth_element(warm.begin(), middle, warm.end(), [](auto const& p, auto const& q) { return p.total() < q.total(); });
  made.warm = *middle;
  made.about = made.name +
               (by_peer ? " is that command with kernels of the peer in the place of ours, limited by "
                        : " is the command as it runs by itself: it reads, runs and writes at the same time, limited by ") +
               text_of(made.warm.overlapped.limit()) + ".\n";
  // Floats that a GPU associates in another way are near, and other bits.
  if (!a.common.validate || by_peer || (where == back_end::gpu && near != "exact")) return made;
  for (std::size_t k = 0; k < paths.size(); ++k) {
    if (!std::filesystem::is_regular_file(ours[k])) continue;  // what went to a pipe cannot be read again
    if (!same_bytes(paths[k], ours[k])) throw mismatch(made.name + ": its output is not that of a run in one piece");
  }
  return made;
}

// Another program from file to file; `ours` is what the library wrote.
result measure_outside(outside_program const& what, compare_arguments const& a, std::string const& theirs,
                       std::string const& ours) {
  result made{what.name, back_end::cpu, contender_kind::peer, {}, {}, 0, {}, false, {}, {}};
  if (!is_installed(what.program)) {
    made.skipped = what.name + " is SKIPPED: there is no program " + what.program + ".\n";
    return made;
  }
  made.cold.load = run_outside(what);
  std::vector<phase_times> warm(static_cast<std::size_t>(a.common.repeat));
  for (auto& times : warm) times.load = run_outside(what);
  made.warm = median_of(warm);
  made.about = what.name + " is a program of its own: its total is that of the process.\n";
  bool const is_there = std::filesystem::is_regular_file(ours);  // what went to a pipe cannot be read again
  made.check = !a.common.validate || !is_there ? "" : same_bytes(theirs, ours) ? "ok" : "differs";
  return made;
}

std::string ratio(double best, double mine) {
  return best > 0 && mine > 0 && std::isfinite(best) ? fixed_text(best / mine, 2) + "x" : "-";
}

std::string rows_of_results(std::vector<result> const& results, bool validated) {
  auto const none = std::numeric_limits<double>::infinity();
  std::map<back_end, std::pair<double, double>> best;  // of the peers: kernel, total
  for (auto const& one : results) {
    auto& [kernel, total] = best.try_emplace(one.where, none, none).first->second;
    if (one.kind != contender_kind::peer || !one.skipped.empty()) continue;
    if (one.has_phases) kernel = std::min(kernel, one.warm.kernel);
    total = std::min(total, one.warm.total());
  }
  std::vector<std::string> head{"contender", "",      "run",   "load",        "parse",           "in",   "kernel",
                                "out",       "store", "total", "kernel GB/s", "speedup: kernel", "total"};
  if (validated) head.emplace_back("check");
  table rows(head, 3);
  auto const add = [&](result const& one, bool cold) {
    auto const& t = cold ? one.cold : one.warm;
    auto const& [kernel, total] = best.at(one.where);
    std::vector<std::string> row{cold ? one.name : "", cold ? dispatch::name_of(one.where) : "", cold ? "cold" : "warm"};
    if (!one.has_phases) {
      row.insert(row.end(), 6, "");
      row.insert(row.end(), {milliseconds_text(t.total()), "", "", cold ? "" : ratio(total, t.total())});
      if (validated) row.push_back(cold ? "" : one.check);
      return rows.add(row);
    }
    for (double const seconds : {t.load, t.parse, t.transfer_in, t.kernel, t.transfer_out, t.store, t.total()})
      row.push_back(milliseconds_text(seconds));
    row.push_back(cold ? "" : fixed_text(one.moved / t.kernel / 1e9, 1));
    row.push_back(cold || one.kind == contender_kind::ceiling ? "" : ratio(kernel, t.kernel));
    row.push_back(cold || one.kind == contender_kind::ceiling ? "" : ratio(total, t.total()));
    if (validated) row.push_back(cold ? "" : one.check);
    rows.add(row);
  };
  for (std::size_t i = 0; i < results.size(); ++i) {
    if (i > 0 && results[i].kind != results[i - 1].kind) rows.rule();
    if (!results[i].skipped.empty()) {
      std::vector<std::string> row(head.size());
      row[0] = results[i].name, row[1] = dispatch::name_of(results[i].where), row[2] = "SKIPPED";
      rows.add(row);
      continue;
    }
    add(results[i], true);
    add(results[i], false);
  }
  return rows.text();
}

void run(compare_arguments const& a) {
  auto const& common = a.common;
  auto const how = strategy_named(common.strategy, a.words.has_textbook_form());
  expect_one_meaning(common, how);
  auto const survey = survey_for(common);
  auto const asked = a.words.outputs();
  std::vector<scratch_file> scratch;
  std::vector<std::string> ours_to = asked, others_to;
  for (std::size_t k = 0; k < asked.size(); ++k) {
    others_to.push_back(scratch.emplace_back(asked[k]).path);
    if (asked[k].empty()) ours_to[k] = scratch.emplace_back(asked[k]).path;
  }
  for (auto const& file : open_outputs(ours_to))
    for (auto const& input : a.words.inputs())
      if (file.is_same_file(input))
        throw usage_error(input + ": every run reads this input again, so it cannot be an output as well");
  report json(common.json);
  json.expect_apart_from(a.words.inputs());
  json.expect_apart_from(asked);
  auto const reference = a.words.read(nullptr);
  job const& of = *reference;
  std::vector<contender> list;
  if (common.on != "gpu") list = contenders_for(of, back_end::cpu, how, common.reproducible);
  auto const what = of.title + " of " + type_name(of);
  if (common.on == "gpu")
    decide_back_end(
        common, how, survey, [&](back_end where, strategy one) { return of.offers(where, one); }, what);
  if (common.on != "cpu" && !survey.devices.empty())
    for (auto& one : contenders_for(of, back_end::gpu, how, common.reproducible)) list.push_back(std::move(one));
  if (list.empty() || list[0].kind != contender_kind::ours)
    throw dispatch::unavailable("this build has no implementation" +
                                (common.strategy.empty() ? std::string() : " by --strategy " + common.strategy) +
                                (common.reproducible ? " that is reproducible" : "") + " for " + what);

  // Whoever comes first would pay for what the system keeps of the files: all are there before anybody is timed. What is not asked
  // to be kept, that is: an output of the user's is replaced by a result, or not at all.
  for (auto const& paths : {ours_to, others_to}) {
    auto files = open_outputs(paths);
    auto const& like = of.items();
    for (std::size_t k = 0; k < files.size(); ++k) {
      write_array(files[k], {like.type, like.shape, like.data, like.column});
      if (paths[k] != asked[k]) files[k].commit();
    }
  }
  progress line("comparing", static_cast<double>(list.size()));
  std::vector<result> results;
  for (auto& who : list) {
    line.at(static_cast<double>(results.size()));
    results.push_back(measure(who, a, who.kind == contender_kind::ours ? ours_to : others_to, of));
    bool const is_first = results.size() == 1 || results[results.size() - 2].where != who.where;
    if (!is_first || who.kind != contender_kind::ours || how != strategy::best) continue;
    for (bool const by_peer : {false, true})
      if (auto overlapped = measure_overlapped(of, who.where, by_peer, a, others_to, ours_to))
        results.push_back(std::move(*overlapped));
  }
  if (auto const outside = of.outside(worker_threads(common.threads), others_to[0]); outside && common.on != "gpu") {
    auto const first_on_gpu =
        std::find_if(results.begin(), results.end(), [](result const& one) { return one.where == back_end::gpu; });
    results.insert(first_on_gpu, measure_outside(*outside, a, others_to[0], ours_to[0]));
  }
  for (auto const& done : results) {
    if (!done.skipped.empty()) continue;
    auto const name = "compare_" + of.command + "/" + dispatch::name_of(done.where) + "/" + done.name + "/" + type_name(of) + "/" +
                      text_of(of.items().n);
    json.add(measurement(name + "/cold", 1, done.cold, done.moved));
    json.add(measurement(name + "/warm", common.repeat, done.warm, done.moved));
  }
  json.write();
  std::string text = "compare " + of.command + ": " + of.items().from + ", " + grouped(of.items().n) + " x " + type_name(of) +
                     ", " + of.title + (common.reproducible ? ", lookback reproducible" : "") + "\n";
  text += "cpu: " + cpu_name() + ", " + text_of(worker_threads(common.threads)) + " threads; gpu: " +
          (survey.devices.empty() ? survey.why_none
                                  : survey.devices[static_cast<std::size_t>(common.device.value_or(0))].name +
                                        (a.pinned ? ", pinned host memory" : ", pageable host memory")) +
          "\n";
  text +=
      "Times in ms. cold: the first run, which also creates contexts and allocates memory; warm: the median of further runs "
      "(--repeat " +
      text_of(common.repeat) +
      ").\n"
      "Every run reads its files again, warm runs too. Consecutive library calls are faster, most of all with small inputs.\n";
  text += "Speedups of kernel and total: time of the best peer on the same back end / time of this contender, both warm.\n";
  if (of.in_place())
    text += "In place: every contender works on a copy of the input; the column \"in\" includes making the copy.\n";
  for (back_end const where : {back_end::cpu, back_end::gpu})
    if (std::any_of(list.begin(), list.end(), [&](contender const& who) { return who.where == where; }))
      text += of.about_prepared(where) + of.about_peers(where) +
              (how == strategy::best ? left_out_of(of, where, common.reproducible) : "");
  if (auto const counted = of.moved_text(); !counted.empty())
    text += "GB/s of lookback and its peers count these bytes: " + counted + ".\n";
  if (std::any_of(results.begin(), results.end(), [](result const& one) { return one.check.starts_with('>'); }))
    text += "> " + of.tolerance() + ": the peer accumulates more rounding errors than lookback, which is no error of the peer.\n";
  for (auto const& one : results) text += one.skipped + one.about;
  text += "\n";
  say(common, text + rows_of_results(results, common.validate));
}

void add_comparison(CLI::App& compare, char const* name, char const* what, declare_function declare) {
  auto* const command = compare.add_subcommand(name, what);
  auto const a = std::make_shared<compare_arguments>();
  a->common.repeat = 5;
  a->words = declare(*command, true);
  command->add_flag("--pinned", a->pinned, "Use page-locked host memory for transfers to and from the GPU");
  add_common_options(*command, a->common);
  command->callback([a] { run(*a); });
}

}  // namespace

void add_compare(CLI::App& program) {
  auto* const compare = program.add_subcommand(
      "compare", "Measure a command with every strategy, back end and peer: kernel time, and total time from file to file");
  compare->require_subcommand(1);
  each_command(*compare, add_comparison);
}

}  // namespace lookback::app
