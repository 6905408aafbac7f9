// lookback report: the whole sheet of measurements as one page.
#include <CLI/CLI.hpp>
#include <filesystem>
#include <memory>

#include "commands.hpp"
#include "io/numbers.hpp"
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

/// "GPU, NVIDIA H200".
std::string on_page(runner const& on) {
  return page_name(on.where) + on.text().substr(std::string(dispatch::name_of(on.where)).size());
}

constexpr index_t least_items = 4096;

void run(report_arguments const& a) {
  stopwatch clock;
  index_t const items = a.items.empty() ? 0 : parse_count(a.items, "--n");
  if (!a.items.empty() && items < least_items)
    throw usage_error("--n: found '" + a.items + "', expected at least " + text_of(least_items));
  auto const survey = survey_for(a.common);
  std::vector<measuring> places;
  if (a.common.on != "gpu") places.push_back({make_runner(back_end::cpu, a.common), a.quick, items});
  if (a.common.on == "gpu" || (a.common.on == "auto" && !survey.devices.empty()))
    places.push_back({make_runner(back_end::gpu, a.common), a.quick, items});
  std::error_code code;
  std::filesystem::create_directories(a.folder, code);
  if (!std::filesystem::is_directory(a.folder)) throw io_error(a.folder + ": cannot be created, expected a folder for the report");
  auto const path = (std::filesystem::path(a.folder) / "report.html").string();
  output_file file(path);

  sheet_page page(survey, a.common, a.quick);
  constexpr std::pair<char const*, decltype(&measure_throughput)> sections[] = {{"throughput", measure_throughput},
                                                                                {"segments", measure_segments},
                                                                                {"strategies", measure_strategies},
                                                                                {"applications", measure_applications},
                                                                                {"spmv", measure_spmv},
                                                                                {"flatness", measure_flatness},
                                                                                {"tunings", measure_tunings}};
  // What one section lacks, such as memory, leaves the others as they are: they are written, and the command fails.
  std::string left_out;
  auto const add = [&](std::string const& name, auto const& one) {
    if (auto const reason = attempt(one); !reason.empty()) left_out += (left_out.empty() ? "" : "; ") + name + ": " + reason;
  };
  progress line("measuring", static_cast<double>(places.size() * std::size(sections) + 1));
  double done = 0;
  line.at(done++);
  add("files", [&] { page.add(measure_files(a.common, a.quick, items), ""); });
  for (auto const& with : places)
    for (auto const& [name, section] : sections) {
      line.at(done++);
      add(name, [&] { page.add(section(with), on_page(with.on)); });
    }
  file.write(page.text());
  file.finish();
  file.commit();
  say(a.common, path + ": written in " + time_text(clock.lap()) + (survey.devices.empty() ? "; no GPU: " + survey.why_none : ""));
  if (!left_out.empty()) throw mismatch(path + ": is written without a section, " + left_out);
}

}  // namespace

void add_report(CLI::App& program) {
  auto const a = std::make_shared<report_arguments>();
  auto* const command = program.add_subcommand("report",
                                               "Measure everything on this machine beside its peers, and write a page of pictures: "
                                               "FOLDER/report.html, in the place of an older one");
  command->add_option("-o,--output", a->folder, "Folder of the report")->type_name("FOLDER")->capture_default_str();
  command->add_flag("--quick", a->quick, "Smaller inputs and fewer runs: minutes on two cores");
  command
      ->add_option("--n", a->items, "Items of the largest inputs (default: 2^26 on a CPU, 2^28 on a GPU; with --quick 2^22, 2^26)")
      ->type_name("COUNT");
  add_place_options(*command, a->common);
  add_quiet_option(*command, a->common);
  command->callback([a] { run(*a); });
}

}  // namespace lookback::app
