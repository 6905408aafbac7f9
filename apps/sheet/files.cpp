#include <algorithm>

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

bool is_shown(compared const& one) { return one.kind != contender_kind::ceiling && one.skipped.empty(); }

/// What each part took, or all of them together where they overlap.
bar_row row_of(std::string label, compared const& one) {
  auto const& t = one.warm;
  bar_row row{std::move(label), {}};
  if (one.has_phases)
    row.parts = {{"load", 1e3 * t.load},
                 {"parse", 1e3 * t.parse},
                 {"transfer in", 1e3 * t.transfer_in},
                 {"kernel", 1e3 * t.kernel},
                 {"transfer out", 1e3 * t.transfer_out},
                 {"store", 1e3 * t.store}};
  else row.parts = {{"overlapped", 1e3 * t.total()}};
  std::erase_if(row.parts, [](bar_part const& p) { return p.value == 0; });
  return row;
}

/// The first contender on a back end that `is_one` accepts; null if there is none.
template <class IsOne>
compared const* first_of(comparison_result const& of, back_end where, IsOne const& is_one) {
  for (auto const& one : of.results)
    if (one.where == where && is_shown(one) && is_one(one)) return &one;
  return nullptr;
}
compared const* ours_in_turn(comparison_result const& of, back_end where) {
  return first_of(of, where, [](compared const& one) { return one.kind == contender_kind::ours && one.has_phases; });
}
/// The command as it runs by itself.
compared const* ours_overlapped(comparison_result const& of, back_end where) {
  return first_of(of, where, [](compared const& one) { return one.kind == contender_kind::ours && !one.has_phases; });
}
compared const* fastest_peer(comparison_result const& of, back_end where) {
  compared const* best = nullptr;
  for (auto const& one : of.results)
    if (one.where == where && is_shown(one) && one.kind == contender_kind::peer)
      if (!best || one.warm.total() < best->warm.total()) best = &one;
  return best;
}

constexpr char const* about_gpu_times =
    " Kernels of a GPU are timed by the device: the host's way there is in the overlapped bars alone.";

}  // namespace

std::string page_name(back_end where) { return where == back_end::cpu ? "CPU" : "GPU"; }

picture phases_of(comparison_result const& of, back_end where) {
  auto const* const peer = fastest_peer(of, where);
  std::vector<bar_row> rows;
  for (auto const& one : of.results) {
    if (one.where != where || !is_shown(one)) continue;
    rows.push_back(row_of(one.name, one));
    if (peer) rows.back().remark = ratio_text(peer->warm.total(), one.warm.total());
  }
  std::string title = of.reference->command + " from file to file on the " + page_name(where), note;
  auto const *const us = ours_in_turn(of, where), *const overlapped = ours_overlapped(of, where);
  if (us) {
    double const share = 100 * us->warm.kernel / us->warm.total();
    std::string const kernel = "the kernel is " + (share < 1 ? "less than 1" : fixed_text(share, 0)) + " % of the time";
    if (peer) {
      title += ": " + speed_text(peer->warm.total() / us->warm.total(), peer->name);
      if (overlapped) title += ", and " + fixed_text(peer->warm.total() / overlapped->warm.total(), 2) + " times where it overlaps";
      note = "Of " + us->name + " in turn " + kernel + ". ";
    } else title += ": " + kernel;
  }
  if (peer) note += "Behind the bars: time of the fastest peer over that of the bar.";
  if (where == back_end::gpu) note += about_gpu_times;
  return {
      title,
      bar_data{
          of.reference->title + " of " + type_name(*of.reference), "time", "ms", true, std::move(rows), {}, peer ? "speedup" : ""},
      note};
}

std::optional<picture> back_ends_of(comparison_result const& of) {
  std::vector<compared const*> listed;
  double ours[2] = {0, 0};  // by the way that is faster
  for (back_end const where : {back_end::cpu, back_end::gpu})
    for (auto const* const one : {ours_in_turn(of, where), ours_overlapped(of, where), fastest_peer(of, where)}) {
      if (!one) continue;
      listed.push_back(one);
      auto& best = ours[where == back_end::gpu];
      if (one->kind == contender_kind::ours) best = best > 0 ? std::min(best, one->warm.total()) : one->warm.total();
    }
  auto const [on_cpu, on_gpu] = ours;
  if (on_cpu == 0 || on_gpu == 0) return {};
  std::vector<bar_row> rows;
  for (auto const* const one : listed) {
    rows.push_back(row_of(one->name + ", " + page_name(one->where), *one));
    rows.back().remark = ratio_text(on_cpu, one->warm.total());
  }
  return picture{
      of.reference->command + " from file to file: the GPU is " + speed_text(on_cpu / on_gpu, "the CPU"),
      bar_data{of.reference->title + " of " + type_name(*of.reference), "time", "ms", true, std::move(rows), {}, "speedup"},
      std::string("Behind the bars: time of lookback's faster way on the CPU over that of the bar.") + about_gpu_times};
}

sheet_section measure_files(common_options const& common, bool quick, index_t items) {
  sheet_section made{
      "From file to file",
      std::string("What a user waits for: load, transfer to and from the GPU where there is one, the kernel, and the file that is "
                  "written. ") +
          about_files,
      {}};
  index_t const n = items > 0 ? items : index_t{1} << (quick ? 22 : 25);
  common_options options = common;
  options.repeat = quick ? 3 : 5;
  auto const add = [&](comparison_request const& request) {
    auto const done = compare(request);
    if (auto both = back_ends_of(done)) made.pictures.push_back(std::move(*both));
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
