// lookback report: the whole sheet of measurements as one page.
#include <CLI/CLI.hpp>
#include <filesystem>
#include <memory>

#include "commands.hpp"
#include "jobs/attempt.hpp"
#include "jobs/back_end.hpp"
#include "report/clock.hpp"
#include "report/progress.hpp"
#include "report/table.hpp"
#include "sheet/sheet_page.hpp"

namespace lookback::app {

namespace {

struct report_arguments {
  std::string folder = "lookback-report";
  bool quick = false;
  std::string items;
  common_options common;
};

void run(report_arguments const& a) {
  stopwatch clock;
  index_t const items = a.items.empty() ? 0 : parse_count(a.items, "--n");
  if (!a.items.empty() && items < 1024) throw usage_error("--n: found '" + a.items + "', expected at least 1024");
  std::error_code code;
  std::filesystem::create_directories(a.folder, code);
  if (!std::filesystem::is_directory(a.folder)) throw io_error(a.folder + ": cannot be created, expected a folder for the report");
  auto const path = (std::filesystem::path(a.folder) / "report.html").string();
  auto file = output_file(path);
  std::vector<back_end> places;
  auto const survey = survey_for(a.common);
  if (a.common.on != "gpu") places.push_back(back_end::cpu);
  if (a.common.on == "gpu" && survey.devices.empty()) throw dispatch::unavailable("--on gpu: " + survey.why_none);
  if (a.common.on != "cpu" && !survey.devices.empty()) places.push_back(back_end::gpu);

  sheet_page page(survey, a.common, a.quick);
  constexpr decltype(&measure_throughput) sections[] = {measure_throughput,   measure_segments, measure_strategies,
                                                        measure_applications, measure_spmv,     measure_flatness};
  // What one section lacks, such as memory, is told, and leaves the others as they are.
  auto const add = [&](auto const& one) {
    if (auto const reason = attempt(one); !reason.empty()) note("report: a section is left out: " + reason);
  };
  progress line("measuring", static_cast<double>(places.size() * std::size(sections) + 1));
  double done = 0;
  for (auto const where : places) {
    measuring const with{make_runner(where, a.common), a.quick, items};
    for (auto const section : sections) {
      line.at(done++);
      add([&] { page.add(section(with), with.on.text()); });
    }
  }
  line.at(done);
  add([&] { page.add(measure_files(a.common, a.quick, items), ""); });
  file.write(page.text());
  file.finish();
  file.commit();
  say(a.common, path + ": written in " + time_text(clock.lap()) + (survey.devices.empty() ? "; no GPU: " + survey.why_none : ""));
}

}  // namespace

void add_report(CLI::App& program) {
  auto const a = std::make_shared<report_arguments>();
  auto* const command = program.add_subcommand(
      "report", "Measure everything on this machine beside its peers, and write a page of pictures: FOLDER/report.html");
  command->add_option("-o,--output", a->folder, "Folder of the report")->type_name("FOLDER")->capture_default_str();
  command->add_flag("--quick", a->quick, "Smaller inputs and fewer runs: minutes on two cores");
  command
      ->add_option("--n", a->items, "Items of the largest inputs (default: 2^26 on a CPU, 2^28 on a GPU; with --quick 2^22, 2^26)")
      ->type_name("COUNT");
  add_common_options(*command, a->common);
  command->callback([a] { run(*a); });
}

}  // namespace lookback::app
