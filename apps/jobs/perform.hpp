// Carrying out a command: read, run, check, write, tell.
#pragma once
#include "command.hpp"

namespace lookback::app {

/// Reads the job, runs it where the options say, checks it if they ask for that, and writes its results: all of them or none.
void perform(command_words const& words, common_options const& common);

/// One output per path, each found to be writable. Throws usage_error where two are one file.
std::vector<output_file> open_outputs(std::vector<std::string> const& paths);

/// The job by chunks, if it and its files can be cut; one is for one run.
std::unique_ptr<chunked_job> chunks_of(job const& of, std::vector<output_file> const& files, back_end where, bool reproducible);

/// The same with the kernels of a peer that takes chunks, if there is one.
std::unique_ptr<chunked_job> chunks_by_peer(job const& of, std::vector<output_file> const& files, back_end where);

/// Checks what a job has written by chunks to `files`, which are finished and map into memory: so nothing needs to fit there.
/// Throws mismatch.
void expect_valid_files(job const& of, chunked_job const& chunks, std::vector<output_file> const& files);

/// Writes the results, as text by `threads` (0: one per core), and finishes the files; committing them is the caller's.
void write_results(std::vector<output_file>& files, job const& of, outputs const& made, int threads);

}  // namespace lookback::app
