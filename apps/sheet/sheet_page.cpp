#include "sheet_page.hpp"

#include <algorithm>

#include "io/numbers.hpp"
#include "report/clock.hpp"
#include "report/machine.hpp"
#include "report/report.hpp"
#include "report/table.hpp"

namespace lookback::app {

origin origin_here(dispatch::gpu_survey const& survey, common_options const& common) {
  std::string machine = cpu_name() + ", " + text_of(worker_threads(common.threads)) + " threads, " + simd_name();
  if (!survey.devices.empty()) machine += "; " + survey.devices[static_cast<std::size_t>(common.device.value_or(0))].name;
  if (!survey.devices.empty() && !survey.versions.empty()) machine += ", CUDA " + survey.versions;
  if (auto const version = gpu_driver_version(); !survey.devices.empty() && !version.empty()) machine += " (" + version + ")";
  return {machine, "lookback " + build().version + (build().commit.empty() ? "" : ", " + build().commit), command_line, utc_text()};
}

figure figure_of(picture const& of) {
  auto made = std::visit([&](auto const& data) { return figure_of(data, of.note); }, of.data);
  made.title = of.title;
  return made;
}

namespace {

/// The kernels alone, as bars of GB/s, with the copy as the reference.
picture kernels_of(comparison_result const& of, back_end where) {
  std::vector<bar_row> rows;
  double copy = 0;  // the one that the table's shares are of: of as many bytes as the command must move
  for (auto const& one : of.results)
    if (one.where == where && one.skipped.empty() && one.has_phases && one.kind != contender_kind::ceiling) {
      rows.push_back({one.name, {{"kernel", one.moved / one.warm.kernel / 1e9}}});
      if (one.explained) copy = std::max(copy, one.explained->copy.bytes_per_second / 1e9);
    }
  auto const first = rows.empty() ? 0 : rows[0].parts[0].value;
  bar_data data{"Speed of the kernels", "read and written", "GB/s", false, std::move(rows), {}};
  std::string title = "The kernel alone on the " + page_name(where);
  if (copy > 0) {
    data.reference = reference_line{"a copy", copy};
    title += ": " + fixed_text(100 * first / copy, 0) + " % of the speed of a copy";
  }
  return {title, std::move(data), {}};
}

}  // namespace

std::string page_of(comparison_result const& of, common_options const& common) {
  auto const& job = *of.reference;
  page made("lookback compare " + job.command, origin_here(of.survey, common),
            job.items().from + ", " + grouped(job.items().n) + " x " + type_name(job) + ", " + job.title + ". Medians of " +
                text_of(common.repeat) + " runs, after one that is not counted.");
  auto const both = back_ends_of(of);
  if (both) made.section("CPU and GPU", about_files).add(figure_of(*both));
  for (back_end const where : {back_end::cpu, back_end::gpu})
    if (of.has(where)) {
      made.section(page_name(where), both ? "" : about_files);
      made.add(figure_of(phases_of(of, where))).add(figure_of(kernels_of(of, where)));
    }
  return made.text();
}

sheet_page::sheet_page(dispatch::gpu_survey const& survey, common_options const& common, bool quick)
    : page_("Scans, and what is made of them, beside their peers", origin_here(survey, common),
            std::string("Every figure was measured in one run, on the machine below") +
                (quick ? ", with small inputs and few runs: for a look, not for a claim." : ".") +
                (survey.devices.empty() ? " It has no GPU: " + survey.why_none + "." : "")) {}

void sheet_page::add(sheet_section const& section, std::string const& where) {
  if (section.pictures.empty()) return;
  std::vector<figure> figures;  // first: what cannot be drawn leaves no heading
  for (auto const& one : section.pictures) figures.push_back(figure_of(one));
  page_.section(section.name + (where.empty() ? "" : ", " + where), section.about);
  for (auto const& one : figures) page_.add(one);
}

}  // namespace lookback::app
