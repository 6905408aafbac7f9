// A job from files to files chunk by chunk: while one chunk runs, the next is read and the one before is written.
#pragma once
#include <vector>

#include "chunked_job.hpp"
#include "run_job.hpp"

namespace lookback::app {

/// Runs `chunks`, which are those of `whole`, with so many bytes of memory for the results of all that are on their way: unless it
/// is said, 8 MB, which lie in a cache until they are written, and for a GPU 96 MB, pinned, with the inputs as many again; but a
/// row of a matrix is never cut, so that there is room for two of the longest in each of six chunks. Finishes the files, which take
/// parts (write_parts.hpp); committing them is the caller's. Says in `times` what was overlapped, and returns the job's counts.
outputs run_chunks(job const& whole, chunked_job& chunks, runner const& on, std::vector<output_file>& files, std::size_t memory,
                   phase_times& times);

}  // namespace lookback::app
