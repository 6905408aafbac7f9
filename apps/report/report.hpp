// What a run measured, in the JSON shape of Google Benchmark, so that its compare.py reads it.
#pragma once
#include <string>
#include <vector>

#include "io/output_file.hpp"
#include "jobs/back_end.hpp"
#include "jobs/run_job.hpp"
#include "json.hpp"

namespace lookback::app {

/// One line of the report: the total time, and its parts as counters in seconds.
json_object measurement(std::string const& name, int repetitions, phase_times const& times, double moved_bytes);

/// A file of context (version, commit, machine, devices, command line) and measurements. Opened before the work, so that a file
/// that cannot be written is found first. Does nothing without a path.
class report {
 public:
  explicit report(std::string const& path);
  /// Throws usage_error where the report would replace one of the files that a command reads or writes.
  void expect_apart_from(std::vector<std::string> const& files) const;
  void add(json_object const& measured) { measurements_.push_back(measured.text()); }
  void write();

 private:
  std::vector<output_file> file_;  // at most one
  std::vector<std::string> measurements_;
};

/// The words of the command line, for the report.
inline std::string command_line;

}  // namespace lookback::app
