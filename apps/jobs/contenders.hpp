// Who can run a job on a back end: the library's strategies, the peers, and a copy as the ceiling.
#pragma once
#include <string>
#include <vector>

#include "run_job.hpp"

namespace lookback::app {

enum class contender_kind { ours, peer, ceiling };

struct contender {
  std::string name;
  back_end where;
  contender_kind kind;
  strategy how;
  job_function run;  // refers to the job that it was made for
};

/// The library by one strategy.
contender ours(job const& of, back_end where, strategy how, bool reproducible);

/// The library first (only `how`, unless that is `best`: then every strategy; after the default one's, its forms that prepare
/// themselves), then the peers that have a form of this job.
/// `reproducible` asks the default strategy for it; who cannot keep bits of what rounds is no contender then.
std::vector<contender> contenders_for(job const& of, back_end where, strategy how, bool reproducible);

/// Lines for people: which strategies of a back end are no contenders, and why; empty if all are. What no type has there, such as a
/// sequential one on a GPU, is not said.
std::string left_out_of(job const& of, back_end where, bool reproducible);

/// Median kernel time of runs from and to the same memory, after one that is not counted, on a GPU by the device and with cold
/// caches: `least` of them, and up to `most` while their kernels together take less than half a second.
double kernel_seconds(contender const& who, job const& of, job_memory& memory, int least, int most);

/// The same times, behind those that are in `runs`; `enough` is what the new ones together may take.
void time_kernel(contender const& who, job const& of, job_memory& memory, int least, int most, double enough,
                 std::vector<double>& runs);

}  // namespace lookback::app
