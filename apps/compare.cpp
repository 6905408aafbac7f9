// lookback compare COMMAND ...: the same by every strategy, back end and peer that is present, from file to file.
#include <CLI/CLI.hpp>
#include <algorithm>
#include <limits>
#include <map>
#include <memory>

#include "commands.hpp"
#include "jobs/comparison.hpp"
#include "report/machine.hpp"
#include "report/report.hpp"
#include "report/table.hpp"
#include "sheet/sheet_page.hpp"

namespace lookback::app {

namespace {

std::string rows_of_results(std::vector<compared> const& results, bool validated) {
  auto const none = std::numeric_limits<double>::infinity();
  std::map<back_end, std::pair<double, double>> best;  // of the peers: kernel, total
  for (auto const& one : results) {
    auto& [kernel, total] = best.try_emplace(one.where, none, none).first->second;
    if (one.kind != contender_kind::peer || !one.skipped.empty()) continue;
    if (one.has_phases) kernel = std::min(kernel, one.warm.kernel);
    total = std::min(total, one.warm.total());
  }
  std::vector<std::string> head{"contender", "",      "run",         "load",      "parse",           "in",   "kernel", "out",
                                "store",     "total", "kernel GB/s", "of a copy", "speedup: kernel", "total"};
  if (validated) head.emplace_back("check");
  table rows(head, 3);
  auto const add = [&](compared const& one, bool cold) {
    auto const& t = cold ? one.cold : one.warm;
    auto const& [kernel, total] = best.at(one.where);
    std::vector<std::string> row{cold ? one.name : "", cold ? dispatch::name_of(one.where) : "", cold ? "cold" : "warm"};
    if (!one.has_phases) {
      row.insert(row.end(), 6, "");
      row.insert(row.end(), {milliseconds_text(t.total()), "", "", "", cold ? "" : ratio_text(total, t.total())});
      if (validated) row.push_back(cold ? "" : one.check);
      return rows.add(row);
    }
    for (double const seconds : {t.load, t.parse, t.transfer_in, t.kernel, t.transfer_out, t.store, t.total()})
      row.push_back(milliseconds_text(seconds));
    row.push_back(cold ? "" : fixed_text(one.moved / t.kernel / 1e9, 1));
    row.push_back(cold || !one.explained ? "" : fixed_text(100 * one.explained->share_of_copy(), 0) + " %");
    row.push_back(cold || one.kind == contender_kind::ceiling ? "" : ratio_text(kernel, t.kernel));
    row.push_back(cold || one.kind == contender_kind::ceiling ? "" : ratio_text(total, t.total()));
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

void expect_page_apart(output_file const& page, comparison_request const& a) {
  for (auto const& paths : {a.words.inputs(), a.words.outputs(), std::vector<std::string>{a.common.json}})
    for (auto const& other : paths)
      if (!other.empty() && page.is_same_file(other))
        throw usage_error("--html: found '" + a.html + "', which the command reads or writes, expected another file");
}

void run(comparison_request const& a) {
  auto const& common = a.common;
  report json(common.json);
  json.expect_apart_from(a.words.inputs());
  json.expect_apart_from(a.words.outputs());
  std::vector<output_file> pages;
  if (!a.html.empty()) pages.emplace_back(a.html);
  for (auto const& page : pages) expect_page_apart(page, a);
  auto const done = compare(a);
  job const& of = *done.reference;
  for (auto const& one : done.results) {
    if (!one.skipped.empty()) continue;
    auto const name = "compare_" + of.command + "/" + dispatch::name_of(one.where) + "/" + one.name + "/" + type_name(of) + "/" +
                      text_of(of.items().n);
    json.add(measurement(name + "/cold", 1, one.cold, one.moved));
    auto warm = measurement(name + "/warm", common.repeat, one.warm, one.moved);
    if (one.explained) add_to(warm, *one.explained);
    json.add(warm);
  }
  json.write();
  for (auto& page : pages) {
    page.write(page_of(done, common));
    page.finish();
    page.commit();
  }
  std::string text = "compare " + of.command + ": " + of.items().from + ", " + grouped(of.items().n) + " x " + type_name(of) +
                     ", " + of.title + (common.reproducible ? ", lookback reproducible" : "") + "\n";
  text += "cpu: " + cpu_name() + ", " + text_of(worker_threads(common.threads)) + " threads; gpu: " +
          (done.survey.devices.empty() ? done.survey.why_none
                                       : done.survey.devices[static_cast<std::size_t>(common.device.value_or(0))].name +
                                             (a.pinned ? ", pinned host memory" : ", pageable host memory")) +
          "\n";
  text +=
      "Times in ms. cold: the first run, which also creates contexts and allocates memory; warm: the median of further runs "
      "(--repeat " +
      text_of(common.repeat) +
      ").\n"
      "Every run reads its files again, warm runs too. Consecutive library calls are faster, most of all with small inputs.\n";
  text += "Speedups of kernel and total: time of the best peer on the same back end / time of this contender, both warm.\n";
  text +=
      "Of a copy: time of a copy of as many bytes as the command must read and write, measured once / time of the kernel, both "
      "warm.\n";
  for (back_end const where : {back_end::cpu, back_end::gpu}) {
    auto const known = std::find_if(done.results.begin(), done.results.end(), [&](compared const& one) {
      return one.where == where && one.explained && one.explained->copy.bytes_per_second > 0;
    });
    if (known != done.results.end())
      text += std::string("That copy runs at ") + fixed_text(known->explained->copy.bytes_per_second / 1e9, 1) + " GB/s on the " +
              (where == back_end::cpu ? "CPU: the faster of memcpy and of streaming stores" : "GPU") + ".\n";
  }
  if (done.has(back_end::gpu))
    text +=
        "On a GPU the kernel of a warm run is timed by the device, behind cold caches: the host's way there and its wait are in no "
        "warm total.\n";
  if (of.in_place())
    text += "In place: every contender works on a copy of the input; the column \"in\" includes making the copy.\n";
  for (back_end const where : {back_end::cpu, back_end::gpu})
    if (done.has(where))
      text += of.about_prepared(where) + of.about_peers(where) +
              (done.how == strategy::best ? left_out_of(of, where, common.reproducible) : "");
  if (auto const counted = of.moved_text(); !counted.empty())
    text += "GB/s of lookback and its peers count these bytes: " + counted + ".\n";
  if (std::any_of(done.results.begin(), done.results.end(), [](compared const& one) { return one.check.starts_with('>'); }))
    text += "> " + of.tolerance() + ": the peer accumulates more rounding errors than lookback, which is no error of the peer.\n";
  for (auto const& one : done.results) text += one.skipped + one.about;
  for (auto const& one : done.results)
    if (one.explained && one.explained->is_ours)
      text += one.name + " on the " + dispatch::name_of(one.where) + ": " + summary_of(*one.explained) + ".\n";
  text += "\n";
  say(common, text + rows_of_results(done.results, common.validate));
}

void add_comparison(CLI::App& compare, char const* name, char const* what, declare_function declare) {
  auto* const command = compare.add_subcommand(name, what);
  auto const a = std::make_shared<comparison_request>();
  a->common.repeat = 5;
  a->words = declare(*command, true);
  command->add_flag("--pinned", a->pinned, "Use page-locked host memory for transfers to and from the GPU");
  command->add_option("--html", a->html, "Write a page of pictures to FILE: parts of the time, and the kernels beside a copy")
      ->type_name("FILE");
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
