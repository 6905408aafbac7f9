// lookback compare scan IN: the same scan by every strategy, back end and peer that is present, from file to file.
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <limits>
#include <map>
#include <memory>

#include "commands.hpp"
#include "common/check_scan.hpp"
#include "common/clock.hpp"
#include "common/contenders.hpp"
#include "common/machine.hpp"
#include "common/progress.hpp"
#include "common/report.hpp"
#include "common/table.hpp"
#include "common/write_array.hpp"

namespace lookback::app {

namespace {

struct compare_arguments {
  scan_options scan;
  std::string out;
  bool pinned = false;
  common_options common;
};

struct result {
  contender who;
  phase_times cold, warm;
  std::string check;
};

// Where results go that nobody asked to keep: beside the output and of its kind, so that storing takes as long.
struct scratch_file {
  std::string path;
  unfinished_file removed_on_signals;
  explicit scratch_file(std::filesystem::path const& like) {
    auto const folder = like.empty() ? std::filesystem::temp_directory_path() : like.parent_path();
    auto const ending = like.empty() ? ".npy" : like.extension().string();
    path = (folder / ("lookback-compare-" + text_of(getpid()) + ending)).string();
    removed_on_signals = unfinished_file(path);
  }
  ~scratch_file() { unlink(path.c_str()); }
  scratch_file(scratch_file const&) = delete;
};

// What lives from one run of a contender to the next; making it is what makes the first run cold.
struct kept_memory {
  explicit kept_memory(runner made) : on{std::move(made)} {}
  runner on;
  std::optional<scan_memory> memory;
  host_memory out, values, description;  // the last two only where host memory is pinned: files are then read into them
  std::vector<dispatch::pinned> locks;   // destroyed before what they lock
};

// Reads `from` into pinned memory, as a program would that wants fast transfers.
void stage(host_memory const& to, std::byte const*& from, std::size_t bytes) {
  std::memcpy(to.data(), from, bytes);
  from = to.data();
}

void make_room(kept_memory& kept, contender const& who, compare_arguments const& a, scan_job const& job) {
  bool const on_gpu = who.where == back_end::gpu;
  if (on_gpu) kept.on = make_runner(back_end::gpu, a.common);
  kept.memory.emplace(kept.on, job);
  kept.out = host_memory(job.values.bytes());
  if (!on_gpu || !a.pinned) return;
  kept.values = host_memory(job.values.bytes());
  kept.description = host_memory(job.description_bytes());
  for (auto const* const memory : {&kept.out, &kept.values, &kept.description})
    kept.locks.emplace_back(memory->data(), memory->bytes());
}

// One run from file to file.
void run_once(contender const& who, compare_arguments const& a, std::string const& path, kept_memory& kept, phase_times& times) {
  read_times read;
  output_file file(path);
  auto job = read_scan_job(a.scan, &read);
  times.load += read.load, times.parse += read.parse;
  stopwatch clock;
  if (!kept.memory) {
    make_room(kept, who, a, job);
    // Contexts, device memory and page locks are there for the transfer's sake.
    if (who.where == back_end::gpu) times.transfer_in += clock.lap();
  }
  if (!kept.locks.empty()) {
    stage(kept.values, job.values.data, job.values.bytes());
    if (job.description_bytes() > 0) {
      stage(kept.description, job.description.data, job.description_bytes());
      job.heads->data = job.description.data;
    }
    times.load += clock.lap();
  }
  bool const reproducible = a.common.reproducible && who.how == strategy::decoupled_look_back;
  kept.memory->run(job, who.run, who.how, reproducible, kept.out.data(), times);
  clock.lap();
  write_array(file, {job.values.type, job.values.shape, kept.out.data(), job.values.column});
  file.commit();
  times.store += clock.lap();
}

result measure(contender const& who, compare_arguments const& a, std::string const& path, scan_job const& reference) {
  result made{who, {}, {}, {}};
  kept_memory kept(make_runner(back_end::cpu, a.common));
  run_once(who, a, path, kept, made.cold);
  std::vector<phase_times> warm(static_cast<std::size_t>(a.common.repeat));
  for (auto& times : warm) run_once(who, a, path, kept, times);
  made.warm = median_of(warm);
  // A float sum that is off by more is no wrong algorithm in a peer, only a longer chain of roundings.
  std::string const differs = tolerance_of(reference) == "exact" ? "differs" : "> " + tolerance_of(reference);
  if (who.kind == contender_kind::ceiling) made.check = "-";
  else made.check = !a.common.validate ? "" : first_difference(reference, kept.out.data()).empty() ? "ok" : differs;
  if (made.check == differs && who.kind == contender_kind::ours) expect_valid(reference, kept.out.data(), who.name);
  return made;
}

std::string ratio(double best, double mine) {
  return best > 0 && mine > 0 && std::isfinite(best) ? fixed_text(best / mine, 2) + "x" : "-";
}

std::string rows_of_results(std::vector<result> const& results, scan_job const& job, bool validated) {
  auto const none = std::numeric_limits<double>::infinity();
  std::map<back_end, std::pair<double, double>> best;  // of the peers: kernel, total
  for (auto const& one : results) {
    auto& [kernel, total] = best.try_emplace(one.who.where, none, none).first->second;
    if (one.who.kind == contender_kind::peer) kernel = std::min(kernel, one.warm.kernel), total = std::min(total, one.warm.total());
  }
  std::vector<std::string> head{"contender", "",      "run",   "load",        "parse",           "in",   "kernel",
                                "out",       "store", "total", "kernel GB/s", "speedup: kernel", "total"};
  if (validated) head.emplace_back("check");
  table rows(head, 3);
  auto const add = [&](result const& one, bool cold) {
    auto const& t = cold ? one.cold : one.warm;
    auto const& [kernel, total] = best.at(one.who.where);
    std::vector<std::string> row{cold ? one.who.name : "", cold ? dispatch::name_of(one.who.where) : "", cold ? "cold" : "warm"};
    for (double const seconds : {t.load, t.parse, t.transfer_in, t.kernel, t.transfer_out, t.store, t.total()})
      row.push_back(milliseconds_text(seconds));
    double const moved =
        one.who.kind == contender_kind::ceiling ? 2.0 * static_cast<double>(job.values.bytes()) : job.moved_bytes();
    row.push_back(cold ? "" : fixed_text(moved / t.kernel / 1e9, 1));
    row.push_back(cold || one.who.kind == contender_kind::ceiling ? "" : ratio(kernel, t.kernel));
    row.push_back(cold || one.who.kind == contender_kind::ceiling ? "" : ratio(total, t.total()));
    if (validated) row.push_back(cold ? "" : one.check);
    rows.add(row);
  };
  for (std::size_t i = 0; i < results.size(); ++i) {
    if (i > 0 && results[i].who.kind != results[i - 1].who.kind) rows.rule();
    add(results[i], true);
    add(results[i], false);
  }
  return rows.text();
}

void run(compare_arguments const& a) {
  auto const& common = a.common;
  auto const how = strategy_named(common.strategy);
  auto const survey = survey_for(common);
  scratch_file const scratch(a.out);
  { output_file const writable(a.out.empty() ? scratch.path : a.out); }
  report json(common.json);
  auto const job = read_scan_job(a.scan);
  std::vector<contender> list;
  if (common.on != "gpu") list = contenders_for(job, back_end::cpu, how);
  if (common.on == "gpu" && survey.devices.empty()) throw dispatch::unavailable("--on gpu: " + survey.why_none);
  if (common.on != "cpu" && !survey.devices.empty())
    for (auto& one : contenders_for(job, back_end::gpu, how)) list.push_back(std::move(one));
  if (list.empty() || list[0].kind != contender_kind::ours)
    throw dispatch::unavailable("--strategy " + common.strategy + ": not for " + dispatch::name_of(job.values.type) + " and " +
                                dispatch::name_of(job.op) + " in this build");

  // Whoever comes first would pay for what the system keeps of the files: both are there before anybody is timed.
  for (auto const& path : {a.out, scratch.path})
    if (!path.empty()) {
      output_file file(path);
      write_array(file, {job.values.type, job.values.shape, job.values.data, job.values.column});
      if (path == scratch.path) file.commit();
    }
  // Others of ours cannot keep bits, and are not compared as if they did.
  if (common.reproducible && dispatch::is_float(job.values.type))
    std::erase_if(list, [](contender const& who) {
      return who.kind == contender_kind::ours && who.how != strategy::best && who.how != strategy::decoupled_look_back;
    });

  progress line("comparing", static_cast<double>(list.size()));
  std::vector<result> results;
  for (auto const& who : list) {
    line.at(static_cast<double>(results.size()));
    results.push_back(measure(who, a, a.out.empty() || who.kind != contender_kind::ours ? scratch.path : a.out, job));
    auto const name = std::string("compare_scan/") + dispatch::name_of(who.where) + "/" + who.name + "/" +
                      dispatch::name_of(job.values.type) + "/" + text_of(job.values.n);
    json.add(measurement(name + "/cold", 1, results.back().cold, job.moved_bytes()));
    json.add(measurement(name + "/warm", common.repeat, results.back().warm, job.moved_bytes()));
  }
  json.write();
  std::string text = "compare scan: " + a.scan.in + ", " + grouped(job.values.n) + " x " + dispatch::name_of(job.values.type) +
                     ", " + job.title + (common.reproducible ? ", ours reproducible" : "") + "\n";
  text += "cpu: " + cpu_name() + ", " + text_of(worker_threads(common.threads)) + " threads; gpu: " +
          (survey.devices.empty() ? survey.why_none : survey.devices[static_cast<std::size_t>(common.device.value_or(0))].name) +
          (a.pinned ? ", pinned host memory" : ", pageable host memory") + "\n";
  text +=
      "Times in ms: cold is the first run (contexts and allocations with it), warm the median of " + text_of(common.repeat) + ".\n";
  text += "Speedups of kernel and total: best peer of the same back end / this one, both warm.\n";
  if (common.validate && tolerance_of(job) != "exact")
    text += "> " + tolerance_of(job) + ": a longer chain of roundings than ours, in a peer no error.\n";
  text += "\n";
  say(common, text + rows_of_results(results, job, common.validate));
}

}  // namespace

void add_compare(CLI::App& program) {
  auto* const compare = program.add_subcommand("compare", "End-to-end and kernel-only times of every strategy, back end and peer");
  compare->require_subcommand(1);
  auto const a = std::make_shared<compare_arguments>();
  auto* const command = compare->add_subcommand("scan", "Compare scans; the options are those of scan");
  a->common.repeat = 5;
  add_scan_options(*command, a->scan);
  command->add_option("-o,--output", a->out, "Where each run stores its result; a temporary .npy unless said")->type_name("OUT");
  command->add_flag("--pinned", a->pinned, "Page-lock host memory for transfers");
  add_common_options(*command, a->common);
  command->callback([a] { run(*a); });
}

}  // namespace lookback::app
