// The same command by every strategy, back end and peer that is present, from file to file: what `compare` prints and draws.
#pragma once
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "command.hpp"
#include "explanation.hpp"

namespace lookback::app {

struct comparison_request {
  command_words words;
  bool pinned = false;
  std::string html;  // file of a page; empty for none
  common_options common;
};

/// One contender, cold (the first run) and warm (the median of further ones).
struct compared {
  std::string name;
  back_end where;
  contender_kind kind;
  phase_times cold, warm;
  double moved = 0;
  std::string check;
  bool has_phases = true;  // else only a total is known, which is all of its times together
  std::string skipped;     // why it did not run
  std::string about;       // a line below the head; may be empty
  std::optional<explanation> explained{};
};

struct comparison_result {
  std::unique_ptr<job> reference;  // the command, as it was read first
  strategy how = strategy::best;
  std::vector<compared> results;  // the CPU's before the GPU's
  dispatch::gpu_survey survey;

  bool has(back_end where) const;
};

/// Runs all of them. Throws usage_error, unavailable, what reading throws, and mismatch where a result of ours is wrong.
comparison_result compare(comparison_request const& of);

}  // namespace lookback::app
