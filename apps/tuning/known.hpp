// The tunings of this user's file, as the program takes them: for a job where it runs.
#pragma once
#include <lookback/tunings.hpp>
#include <optional>

#include "jobs/back_end.hpp"
#include "jobs/job.hpp"

namespace lookback::app {

/// A command, its manner, its type and its number of items: what a tuning is for.
tuned_call call_of(job const& of);
/// Where it was measured: the name of the GPU, or of the processors with the number of cores.
std::string device_of(runner const& on);

/// What `by` is, as an entry of the file.
known_tuning entry_of(tuned_choice const& by, runner const& on, job const& of);
/// "2 threads, tiles of 131072 bytes": an entry in words.
std::string words_of(known_tuning const& entry);

/// The entry for a job where it runs, and what it says. Nothing where there is none or it says to stay as it is, where the options
/// ask for none (--no-tuning, --reproducible, --strategy), or where it cannot be followed; where that is worth a word, a note says
/// why.
struct applied_tuning {
  known_tuning entry;
  tuned_choice by;
};
std::optional<applied_tuning> known_for(job const& of, runner const& on, common_options const& common);

}  // namespace lookback::app
