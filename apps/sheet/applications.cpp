#include "generate/generators.hpp"
#include "generate/matrix_generators.hpp"
#include "jobs/demo_jobs.hpp"
#include "report/table.hpp"
#include "sheet.hpp"

namespace lookback::app {

sheet_section measure_applications(measuring const& with) {
  index_t const n = with.most() / 4;
  std::vector<bar_row> rows, shares;
  std::string worst, best, peers, alone, without_copy;
  double least = 1e9, most = 0;
  auto const add = [&](std::string const& label, std::unique_ptr<job> const& of) {
    auto const all = time_all(with, *of);
    auto const& us = ours_of(all);
    if (auto const* const copy = ceiling_of(all)) shares.push_back({label, {{"of a copy", 100 * us.rate() / copy->rate()}}});
    else without_copy += (without_copy.empty() ? "" : ", ") + label;
    auto const* const peer = best_peer_of(all);
    if (!peer) {
      alone += (alone.empty() ? " Without a peer here: " : "; ") + label + ", " + fixed_text(us.rate(), 1) + " GB/s";
      return;
    }
    double const speedup = peer->seconds / us.seconds;
    rows.push_back({label, {{"speedup", speedup}}});
    peers += (peers.empty() ? "The fastest peers: " : "; ") + label + ": " + peer->name;
    if (speedup < least) least = speedup, worst = label;
    if (speedup > most) most = speedup, best = label;
  };
  auto const i32 = [&](std::uint64_t seed) { return uniform_values(element::i32, n, seed); };
  auto const f32 = [&](std::uint64_t seed) { return uniform_values(element::f32, n, seed); };
  auto const runs = [&](element type, std::uint64_t seed) { return run_values(type, n, seed, {.mean = 10}); };
  add("scan i32", plain_job(i32(1), operation::plus));
  add("scan f64", plain_job(uniform_values(element::f64, n / 2, 1), operation::plus));
  add("segmented scan f32",
      segmented_job(f32(2), operation::plus, "heads", random_segments("flags", element::u8, n, 3, {.mean = 1000})));
  add("select, half", make_select_job(i32(4), condition::below, {}, scalar_of(std::int32_t{0})));
  add("unique", make_unique_job(runs(element::i32, 5), false));
  add("rle encode", make_encode_job(runs(element::i32, 6)));
  add("rle decode",
      make_decode_job(uniform_values(element::i32, n / 10, 7),
                      uniform_values(element::i32, n / 10, 8, scalar_of(std::int32_t{0}), scalar_of(std::int32_t{21}))));
  add("reduce-by-key f32", make_reduce_job(runs(element::i32, 9), f32(10), operation::plus));
  add("sort u32", sorted_job(uniform_values(element::u32, n, 11), false));
  add("sort f64", sorted_job(uniform_values(element::f64, n / 2, 12), false));
  add("order of u32", sorted_job(uniform_values(element::u32, n, 13), true));
  add("quicksort by magnitude", by_magnitude_job(uniform_values(element::f32, n, 14, scalar_of(-1.0f), scalar_of(1.0f))));
  add("spmv f32, grid", make_spmv_job(poisson_2d(with.quick ? 700 : 2000, {.type = element::f32})));
  sheet_section made{
      "Applications",
      "What is built on scans, with " + items_text(n) +
          " items (of eight bytes half as many), the kernel alone, beside the fastest other implementation on the same back end. "
          "Commands that read texts and tables (kmers, sort-lines, sort-table) and pagerank are not here: lookback demo has them.",
      {}};
  if (!rows.empty())
    made.pictures.push_back(
        {"Beside its fastest peer, " + best + " is " + fixed_text(most, 2) + " times as fast" +
             (rows.size() > 1 ? ", and " + worst + " " + fixed_text(least, 2) + " times" : ""),
         bar_data{"Speedups over the fastest peer", "speedup", "", false, rows, reference_line{"the fastest peer", 1}},
         peers + "." + (alone.empty() ? "" : alone + ".")});
  if (!shares.empty())
    made.pictures.push_back(
        {"How much of a copy's speed each command reaches",
         bar_data{"Share of the speed of a copy", "of a copy", "%", false, shares, reference_line{"a copy", 100}},
         "Bytes that must be read and written, over the time. A sort reads and writes its items several times." +
             (without_copy.empty() ? "" : " No copy runs beside " + without_copy + ".")});
  return made;
}

}  // namespace lookback::app
