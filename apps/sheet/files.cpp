#include "generate/generators.hpp"
#include "io/scratch_file.hpp"
#include "io/write_array.hpp"
#include "jobs/perform.hpp"
#include "jobs/scan_job.hpp"
#include "jobs/select_job.hpp"
#include "jobs/sort_job.hpp"
#include "report/table.hpp"
#include "sheet.hpp"

namespace lookback::app {

namespace {

scratch_file file_with(array const& values) {
  scratch_file made;
  auto files = open_outputs({made.path});
  write_array(files[0], {values.type, values.shape, values.data, values.column});
  files[0].commit();
  return made;
}

template <class Options, class Read>
comparison_request request_of(Options options, Read const& read, common_options const& common) {
  comparison_request made{.words = {}, .pinned = false, .html = {}, .common = common};
  made.words.read = [options, read](input_reading* times) -> std::unique_ptr<job> { return read(options, times); };
  made.words.outputs = [] { return std::vector<std::string>{""}; };
  made.words.inputs = [in = options.in] { return std::vector<std::string>{in}; };
  return made;
}

}  // namespace

picture phases_of(comparison_result const& of, back_end where) {
  std::vector<bar_row> rows;
  double ours = 0, ours_kernel = 0;
  for (auto const& one : of.results) {
    if (one.where != where || one.kind == contender_kind::ceiling || !one.skipped.empty()) continue;
    auto const& t = one.warm;
    bar_row row{one.name, {}};
    if (one.has_phases)
      row.parts = {{"load", 1e3 * t.load},
                   {"parse", 1e3 * t.parse},
                   {"transfer in", 1e3 * t.transfer_in},
                   {"kernel", 1e3 * t.kernel},
                   {"transfer out", 1e3 * t.transfer_out},
                   {"store", 1e3 * t.store}};
    else row.parts = {{"overlapped", 1e3 * t.total()}};
    std::erase_if(row.parts, [](bar_part const& p) { return p.value == 0; });
    if (one.kind == contender_kind::ours && ours == 0 && one.has_phases) ours = t.total(), ours_kernel = t.kernel;
    rows.push_back(std::move(row));
  }
  std::string const title = of.reference->command + " from file to file on the " + (where == back_end::cpu ? "CPU" : "GPU") +
                            ": the kernel is " +
                            (100 * ours_kernel < ours ? "less than 1" : fixed_text(100 * ours_kernel / ours, 0)) + " % of the time";
  return {title, bar_data{of.reference->title + " of " + type_name(*of.reference), "time", "ms", true, rows, {}},
          "Medians of runs that read their files again. Overlapped: reading, running and writing at the same time."};
}

sheet_section measure_files(common_options const& common, bool quick, index_t items) {
  sheet_section made{
      "From file to file",
      "What a user waits for: load, transfer to and from the GPU where there is one, the kernel, and the file that is written.",
      {}};
  index_t const n = items > 0 ? items : index_t{1} << (quick ? 22 : 25);
  common_options options = common;
  options.repeat = quick ? 3 : 5;
  auto const add = [&](comparison_request const& request) {
    auto const done = compare(request);
    for (back_end const where : {back_end::cpu, back_end::gpu})
      if (done.has(where)) made.pictures.push_back(phases_of(done, where));
  };
  auto const input = file_with(uniform_values(element::i32, n, 1));
  scan_options scan;
  scan.in = input.path;
  add(request_of(
      scan, [](scan_options const& o, input_reading* t) { return read_scan_job(o, t); }, options));
  select_options select;
  select.in = input.path, select.below = "0";
  add(request_of(
      select, [](select_options const& o, input_reading* t) { return read_select_job(o, t); }, options));
  sort_options sort;
  sort.in = input.path;
  add(request_of(
      sort, [](sort_options const& o, input_reading* t) { return read_sort_job(o, t); }, options));
  return made;
}

}  // namespace lookback::app
