// Who can run a scan on a back end: the library's strategies, the peers, and a copy as the ceiling.
#pragma once
#include <string>
#include <vector>

#include "dispatch/peers.hpp"
#include "run_scan.hpp"

namespace lookback::app {

enum class contender_kind { ours, peer, ceiling };

struct contender {
  std::string name;
  back_end where;
  contender_kind kind;
  strategy how;
  scan_function run;
};

/// The library first (only `how`, unless that is `best`: then every strategy), then the peers that have a form of this job.
std::vector<contender> contenders_for(scan_job const& job, back_end where, strategy how);

/// Median kernel time of `repeat` runs from and to the same memory, after one that is not counted.
double kernel_seconds(contender const& who, runner const& on, scan_job const& job, int repeat, bool reproducible, std::byte* out);

}  // namespace lookback::app
