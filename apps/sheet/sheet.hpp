// What `lookback report` measures and draws: a section for each question.
#pragma once
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "jobs/comparison.hpp"
#include "measuring.hpp"

namespace lookback::app {

/// A picture, under a title that says what is to be seen in it.
struct picture {
  std::string title;
  std::variant<line_data, bar_data, heat_data> data;
  std::string note = {};
};
struct sheet_section {
  std::string name, about;
  std::vector<picture> pictures;
};

/// Throughput against the number of items, beside a copy and the peers (Merrill & Garland 2016, figure 7).
sheet_section measure_throughput(measuring const& with);
/// Segmented scans: length of segments, and share of tiles with a head (van den Hurk 2022, figures 6 to 9).
sheet_section measure_segments(measuring const& with);
/// Strategies beside each other (Yan, Long & Zhang 2013, figures 10, 12, 13 and 15; a course project of 2023, figure 1).
sheet_section measure_strategies(measuring const& with);
/// Every application beside the fastest peer.
sheet_section measure_applications(measuring const& with);
/// Sparse products against the variation of the lengths of rows.
sheet_section measure_spmv(measuring const& with);
/// The worst cost of an item over the best one, over all that should not matter.
sheet_section measure_flatness(measuring const& with);
/// A scan by other sizes of tiles, as maps (a course project of 2023, figures 2 to 4). Nothing where none were compiled.
sheet_section measure_tunings(measuring const& with);
/// From file to file: what each part takes.
sheet_section measure_files(common_options const& common, bool quick, index_t items);

/// "CPU", "GPU".
std::string page_name(back_end where);

/// What is to be known of the pictures of comparisons.
inline constexpr char const* about_files =
    "Medians of runs that read their files again. Overlapped: reading, running and writing at the same time, as the command does "
    "by itself, with memory of each run's own; in turn memory is kept from run to run. Binary files are mapped: the first access "
    "loads a page, so that the transfer or the kernel pays for it. Most of the time is the file that is written, which differs "
    "from run to run by more than strategies do: compare those by their kernels.";

/// The parts of a comparison as bars, one for each contender on a back end.
picture phases_of(comparison_result const& of, back_end where);
/// The library on each back end and its fastest peer there, beside each other. Empty unless the library ran on both.
std::optional<picture> back_ends_of(comparison_result const& of);

}  // namespace lookback::app
