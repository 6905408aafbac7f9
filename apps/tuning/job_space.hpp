// What a job can be tuned by on a back end, and how long it takes there.
#pragma once
#include <lookback/tunings.hpp>
#include <memory>

#include "jobs/contenders.hpp"
#include "space.hpp"

namespace lookback::app {

struct job_space {
  std::vector<tuning_axis> axes;
  tuning_point start;  // the library's own choice
  std::function<bool(tuning_point const&)> has;
  std::function<tuned_choice(tuning_point const&)> choice;
  std::string why_few;  // axes that are missing, and why; may be empty
  /// Of two ordered axes for a map, by their numbers; the first is that of workers or threads of a block.
  std::size_t threads = 0, sizes = 0;
};

/// Threads, bytes of a tile, stores past the caches, SIMD and strategy. `threads` above 0 are those of the user. Not every command
/// has a use for every axis: what changes nothing is no better.
job_space cpu_space(job const& of, int threads);
/// What lookback_tunings has for the job, and the strategies at the library's own sizes; these alone where `why_no_forms` says why.
job_space gpu_space(job const& of, int device, std::string const& why_no_forms = {});
job_space space_of(job const& of, runner const& on, int threads);

/// The job by that choice, as a contender of this name.
inline constexpr char const* tuned_name = "lookback tuned";
contender tuned_contender(job const& of, back_end where, tuned_choice const& by);

/// Median seconds of a choice, infinite where it cannot run; then `why` says why.
struct timed_choice {
  double seconds;
  std::string why = {};
};
/// After one run that is not counted at least five, and up to 101 within 20 ms; two where both take more than 1.15 times `best`.
/// The inputs must be there (job_memory::run). On a CPU a sample is as many calls as take 50 us. With `results` those of the first
/// run come back.
timed_choice time_of(job const& of, runner const& on, tuned_choice const& by, job_memory& memory, double best, bool results);

/// Seconds a call, of so many calls.
double sample_of(job const& of, runner const& on, contender const& who, job_memory& memory, int calls);
/// How many calls one sample has, where one call takes so long.
int calls_of_sample(runner const& on, double seconds);

}  // namespace lookback::app
