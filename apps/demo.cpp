// lookback demo: every command on real files and on seeded inputs, each result checked, and a table at the end.
#include <CLI/CLI.hpp>
#include <filesystem>
#include <memory>
#include <set>

#include "commands.hpp"
#include "jobs/attempt.hpp"
#include "jobs/contenders.hpp"
#include "jobs/demo_inputs.hpp"
#include "report/clock.hpp"
#include "report/machine.hpp"
#include "report/progress.hpp"
#include "report/report.hpp"
#include "report/table.hpp"

namespace lookback::app {

namespace {

struct demo_arguments {
  std::string folder;
  common_options common;
};

struct outcome {
  std::string command, type, on, check, bound, difference, best_peer;
  index_t n = 0;
  double seconds = 0, peer_seconds = 0, bytes = 0;
};

outcome run_case(demo_case const& one, demo_arguments const& a, strategy how) {
  auto const reference = one.make();
  job const& of = *reference;
  auto const on = choose_runner(
      a.common, how, [&](back_end where, strategy with) { return of.offers(where, with); }, of.title + " of " + type_name(of));
  job_memory memory(on, of);
  // A few runs where a run is long, more where it is short.
  int const least = std::max(a.common.repeat, 3);
  int const most = of.items().bytes() > (std::size_t{1} << 22) ? least : std::max(least, 15);
  outcome made{of.command, type_name(of), dispatch::name_of(on.where), {}, {}, {}, {}, of.items().n, 0, 0, 0};
  made.seconds = kernel_seconds(ours(of, on.where, how, a.common.reproducible), of, memory, least, most);
  made.bytes = of.moved_bytes(memory.results());
  made.difference = of.first_difference(memory.results());
  if (of.tolerance() != "exact") made.bound = of.command + ": " + of.tolerance();
  made.check = !made.difference.empty() ? "DIFFERS" : made.bound.empty() ? "exact" : "within";
  for (auto const& who : contenders_for(of, on.where, strategy::best, false))
    if (who.kind == contender_kind::peer)
      if (double const seconds = kernel_seconds(who, of, memory, least, most);
          made.best_peer.empty() || seconds < made.peer_seconds)
        made.best_peer = who.name, made.peer_seconds = seconds;
  return made;
}

void run(demo_arguments const& a) {
  auto const& common = a.common;
  auto const how = strategy_named(common.strategy);
  report json(common.json);
  stopwatch clock;
  demo_inputs inputs;
  std::string const folder = a.folder.empty() ? find_data_folder() : a.folder;
  if (!folder.empty()) add_files(inputs, folder);
  if (a.folder.empty()) {
    add_system_files(inputs);
    add_generated(inputs);
  }
  if (!folder.empty())
    for (auto const& one :
         std::filesystem::recursive_directory_iterator(folder, std::filesystem::directory_options::skip_permission_denied))
      json.expect_apart_from({one.path().string()});
  if (inputs.cases.empty() && inputs.skipped.empty())
    throw no_input(folder + ": found no file that a command reads, expected arrays, tables, matrices or other files");
  auto const on = choose_runner(
      common, how, [](back_end where, strategy one) { return dispatch::offers(where, one, element::i32, operation::plus); }, "i32");
  say(common, "lookback demo on " + on.text() + " (" + on.why + "), " + cpu_name() +
                  (folder.empty() ? "; no folder data/ found" : "; files from " + folder) + "\n");

  table rows({"command", "input", "what", "items", "type", "on", "time", "rate", "best peer", "its time", "speedup", "check"}, 3);
  progress line("running", static_cast<double>(inputs.cases.size()));
  std::size_t wrong = 0, finished = 0;
  std::string differences;
  std::set<std::string> bounds;
  for (std::size_t i = 0; i < inputs.cases.size(); ++i) {
    auto const& one = inputs.cases[i];
    line.at(static_cast<double>(i));
    outcome done;
    if (auto const reason = attempt([&] { done = run_case(one, a, how); }); !reason.empty()) {
      inputs.skipped.push_back(one.input + " (" + one.meaning + "): " + reason);
      continue;
    }
    ++finished;
    if (!done.bound.empty()) bounds.insert(done.bound);
    if (!done.difference.empty())
      differences += "differs: " + one.input + " (" + one.meaning + "): " + done.difference + "\n", ++wrong;
    rows.add({done.command, one.input, one.meaning, grouped(done.n), done.type, done.on, time_text(done.seconds),
              rate_text(done.bytes, done.seconds), done.best_peer.empty() ? "-" : done.best_peer,
              done.best_peer.empty() ? "-" : time_text(done.peer_seconds),
              done.best_peer.empty() ? "-" : fixed_text(done.peer_seconds / done.seconds, 2) + "x", done.check});
    phase_times times;
    times.kernel = done.seconds;
    json.add(measurement("demo/" + one.input + "/" + one.meaning, 1, times, done.bytes));
  }
  json.write();
  std::string text = rows.text() + differences;
  for (auto const& reason : inputs.skipped) text += "skipped: " + reason + "\n";
  text +=
      "\n" + text_of(finished - wrong) + " of " + text_of(finished) +
      " results equal their reference: Eigen for matrix products, std::stable_sort for sorts, a plain loop for everything else.\n";
  text +=
      "time: the kernel alone, with the input in memory, median of several runs; rate: bytes read and written / time.\n"
      "best peer: the fastest other implementation. std: the algorithm of the C++ library (inclusive_scan, copy_if, remove_if,\n"
      "unique_copy); std par: the same with std::execution::par; tbb: tbb::parallel_scan; loop: a hand-written loop;\n"
      "Eigen OpenMP: Eigen's product on all threads; vqsort: the sort of Highway; ips4o: a parallel sample sort; CUB, Thrust and\n"
      "cuSPARSE: NVIDIA's libraries.\n"
      "speedup: time of the best peer / time of lookback; below 1x lookback is slower. A few thousand items take about a\n"
      "microsecond with either; lookback is made for a million items and more.\n"
      "check: exact, or within a bound on the rounding error of floats";
  text += bounds.empty() ? "." : ":";
  for (auto const& bound : bounds) text += "\n  " + bound;
  text += "\nThe demo took " + time_text(clock.lap()) + ".";
  say(common, text);
  if (wrong > 0) throw mismatch(text_of(wrong) + " results differ from their reference");
}

}  // namespace

void add_demo(CLI::App& program) {
  auto const a = std::make_shared<demo_arguments>();
  auto* const command = program.add_subcommand(
      "demo", "Run every command on the files of data/ or of your folder, check the results and show speedups");
  command
      ->add_option("--data", a->folder,
                   "Folder of input files (default: data/ and generated input). A file of an unknown format is read as bytes")
      ->type_name("DIR");
  add_common_options(*command, a->common);
  command->callback([a] { run(*a); });
}

}  // namespace lookback::app
