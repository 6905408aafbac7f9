// A job from files to files chunk by chunk: while one chunk runs, the next is read and the one before is written.
#pragma once
#include <vector>

#include "chunked_job.hpp"
#include "run_job.hpp"

namespace lookback::app {

/// Runs `chunks`, which are those of `whole`, on the CPU, with so many bytes of memory for the results of all that are on their
/// way. Finishes the files, which take parts (write_parts.hpp); committing them is the caller's. Says in `times` what was
/// overlapped, and returns the job's counts.
outputs run_chunks(job const& whole, chunked_job& chunks, runner const& on, std::vector<output_file>& files, std::size_t memory,
                   phase_times& times);

/// What `--memory` is unless it is said: results then lie in a cache until they are written.
inline constexpr std::size_t default_chunk_memory = std::size_t{8} << 20;

}  // namespace lookback::app
