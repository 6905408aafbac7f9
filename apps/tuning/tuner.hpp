// Finds the sizes by which a job is fastest on the machine at hand, and draws maps of them.
#pragma once
#include <optional>

#include "job_space.hpp"
#include "report/chart.hpp"

namespace lookback::app {

struct tuner_request {
  int threads = 0;                        // of the user; 0: an axis of the search
  double seconds = 60;                    // the search ends after so many
  bool all = false;                       // every configuration, not along axes
  bool validate = false;                  // every configuration, against the job's reference
  std::optional<tuned_choice> kept = {};  // that later runs take today
  int rounds = 21;                        // in turn, of the best and the default, before the one is called faster
  std::function<bool()> stop = [] { return false; };
};

struct tuner_result {
  job_space space;
  search_result found;
  double default_seconds = 0, tuned_seconds = 0;  // medians of runs in turn
  double kept_seconds = 0;                        // of what was kept before; 0: nothing was
  int rounds = 0;
  bool apart = false;  // are three quarters of the one below three quarters of the other?
  bool out_of_time = false, stopped = false;
  int unable = 0;   // points that could not run,
  std::string why;  // and why the first of them could not

  bool is_better() const { return found.best != space.start && rounds >= least_rounds && apart && is_faster() && !is_too_short(); }
  bool is_faster() const { return tuned_seconds <= 0.98 * default_seconds; }
  /// A clock tells nothing of such calls.
  bool is_too_short() const { return default_seconds < 10e-6; }
  /// Is what was kept before as fast?
  bool is_kept_as_good() const { return kept_seconds > 0 && kept_seconds <= 1.02 * tuned_seconds; }
  static constexpr int least_rounds = 5;
  double speedup() const { return default_seconds / tuned_seconds; }
};

/// Coordinate search (space.hpp), then the best and the default in turn: by chance some of many is fast once. Throws what the job
/// throws by the library's own sizes, and mismatch where validation is asked for.
tuner_result tune(job const& of, runner const& on, tuner_request const& with);

/// GB/s that the job moves by every pair of values of two axes, at the values of `at` on the others. A cell that cannot run is
/// empty; so is all behind a stop. Throws mismatch where the request asks for validation.
heat_data map_of(job const& of, runner const& on, job_space const& space, tuning_point const& at, std::size_t rows,
                 std::size_t columns, tuner_request const& with);

/// Of every value of one axis and jobs of several sizes, the smallest first, by the space of the largest: percent of the fastest at
/// that size.
heat_data map_of_sizes(std::vector<job const*> const& jobs, runner const& on, job_space const& space, tuning_point const& at,
                       std::size_t rows, tuner_request const& with);

/// A map for a terminal: numbers behind shades, the fastest with a star.
std::string text_of(heat_data const& map);

}  // namespace lookback::app
