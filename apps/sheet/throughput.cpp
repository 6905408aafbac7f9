#include "generate/generators.hpp"
#include "jobs/demo_jobs.hpp"
#include "report/table.hpp"
#include "sheet.hpp"

namespace lookback::app {

namespace {

using job_of_size = std::function<std::unique_ptr<job>(index_t)>;

/// GB/s of what the job must read and write, for every size.
picture throughput_of(measuring const& with, std::string const& what, job_of_size const& make, scale rates = scale::linear) {
  growing_lines lines;
  std::vector<timed> last;
  for (index_t const n : with.sizes()) {
    auto const of = make(n);
    last = time_all(with, *of);
    for (auto const& one : last) lines.add(one.name, static_cast<double>(n), one.rate(), one.kind == contender_kind::ceiling);
  }
  auto const& us = ours_of(last);
  std::string title = what + " at " + items_text(with.most()) + " items";
  if (auto const* const copy = ceiling_of(last))
    title += " runs at " + fixed_text(100 * us.rate() / copy->rate(), 0) + " % of the speed of a copy";
  if (auto const* const peer = best_peer_of(last)) {
    title += title.ends_with("items") ? " runs " : ", ";
    title += speed_text(peer->seconds / us.seconds, peer->name);
  }
  return {title, line_data{what, {"items", "", scale::log2}, {"read and written", "GB/s", rates}, lines.take()}, {}};
}

scalar middle_of_i32() { return scalar_of(std::int32_t{0}); }

}  // namespace

sheet_section measure_throughput(measuring const& with) {
  sheet_section made{
      "Throughput",
      "Bytes that a command must read and write, over the time of its kernel alone, with the input in memory. The copy is what "
      "the machine can do at best.",
      {}};
  made.pictures.push_back(throughput_of(with, "A prefix sum of i32",
                                        [](index_t n) { return plain_job(uniform_values(element::i32, n, 1), operation::plus); }));
  made.pictures.push_back(throughput_of(with, "Selecting half of the items", [](index_t n) {
    return make_select_job(uniform_values(element::i32, n, 2), condition::below, {}, middle_of_i32());
  }));
  made.pictures.push_back(throughput_of(with, "Run-length encoding of runs of ten, to lengths of eight bytes,",
                                        [](index_t n) { return make_encode_job(run_values(element::i32, n, 3, {.mean = 10})); }));
  made.pictures.push_back(throughput_of(
      with, "Sorting u32", [](index_t n) { return sorted_job(uniform_values(element::u32, n, 4), false); }, scale::log10));
  return made;
}

}  // namespace lookback::app
