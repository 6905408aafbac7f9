// A job that needs all of its input at once, on a GPU: its inputs are read while they are brought there, its results written while
// they come back.
#pragma once
#include "run_job.hpp"

namespace lookback::app {

/// Do its results lie in outputs as they are, and do its files take them by parts?
bool can_be_moved(job const& of, std::vector<output_file> const& files);

/// Runs `of` by `how` on the GPU of `on`, with so many bytes of pinned memory on the way (0: 64 MB). Finishes the files; committing
/// them is the caller's. Says in `times` what it took, and returns outputs that hold the job's counts alone. Throws out_of_memory.
outputs run_moved(job const& of, runner const& on, job_function const& how, std::vector<output_file>& files, std::size_t memory,
                  phase_times& times);

}  // namespace lookback::app
