// lookback scan IN -o OUT: prefix sums and their relatives, plain or by segments.
#include <CLI/CLI.hpp>
#include <memory>

#include "commands.hpp"
#include "common/check_scan.hpp"
#include "common/clock.hpp"
#include "common/report.hpp"
#include "common/run_scan.hpp"
#include "common/table.hpp"
#include "common/write_array.hpp"

namespace lookback::app {

namespace {

struct scan_arguments {
  scan_options scan;
  std::string out;
  common_options common;
};

void summarize(scan_job const& job, runner const& on, strategy how, phase_times const& times, scan_arguments const& arguments) {
  std::string text = "scan: " + grouped(job.values.n) + " x " + dispatch::name_of(job.values.type) + ", " + job.title + "; " +
                     on.text() + " (" + on.why + ")";
  if (how != strategy::best) text += std::string(", ") + dispatch::name_of(how);
  if (arguments.common.reproducible) text += ", reproducible";
  text += "\n  load " + time_text(times.load) + ", parse " + time_text(times.parse);
  if (on.where == back_end::gpu) text += ", transfer in " + time_text(times.transfer_in);
  text += ", kernel " + time_text(times.kernel) + " (" + rate_text(job.moved_bytes(), times.kernel) + ")";
  if (on.where == back_end::gpu) text += ", transfer out " + time_text(times.transfer_out);
  text += ", store " + time_text(times.store) + ", total " + time_text(times.total());
  if (arguments.common.repeat == 1) text += "\n  one run, the first; --repeat N gives the median of N";
  if (arguments.common.repeat > 1) text += "\n  median of " + text_of(arguments.common.repeat) + " runs";
  if (arguments.common.validate) text += "\n  validated against a plain loop: " + tolerance_of(job);
  say(arguments.common, text);
}

void run(scan_arguments const& arguments) {
  auto const& common = arguments.common;
  auto const how = strategy_named(common.strategy);
  output_file out(arguments.out);
  report json(common.json);
  read_times read;
  auto const job = read_scan_job(arguments.scan, &read);
  auto const on = choose_runner(common, how, job.values.type, job.op);

  host_memory const result(job.values.bytes());
  scan_memory memory(on, job);
  std::vector<phase_times> runs(static_cast<std::size_t>(common.repeat));
  for (auto& times : runs) memory.run(job, dispatch::scan, how, common.reproducible, result.data(), times);
  auto times = median_of(runs);
  times.load = read.load, times.parse = read.parse;
  if (common.validate) expect_valid(job, result.data(), "scan");

  stopwatch clock;
  write_array(out, {job.values.type, job.values.shape, result.data(), job.values.column});
  times.store = clock.lap();
  json.add(measurement(std::string("scan/") + dispatch::name_of(on.where) + "/" + dispatch::name_of(how) + "/" +
                           dispatch::name_of(job.values.type) + "/" + text_of(job.values.n),
                       common.repeat, times, job.moved_bytes()));
  json.write();
  out.commit();
  summarize(job, on, how, times, arguments);
}

}  // namespace

void add_scan(CLI::App& program) {
  auto const arguments = std::make_shared<scan_arguments>();
  auto* const command = program.add_subcommand("scan", "Prefix sums and their relatives, plain or by segments");
  add_scan_options(*command, arguments->scan);
  command->add_option("-o,--output", arguments->out, "Output: .npy, .csv, .tsv, any other name raw")->type_name("OUT")->required();
  add_common_options(*command, arguments->common);
  command->callback([arguments] { run(*arguments); });
}

}  // namespace lookback::app
