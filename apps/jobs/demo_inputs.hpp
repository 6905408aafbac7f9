// What `lookback demo` runs on: files of a folder by their kind, and seeded inputs large enough for a figure to mean something.
#pragma once
#include <functional>
#include <string>
#include <vector>

#include "scan_job.hpp"

namespace lookback::app {

/// One line of the demo's table. The job is made when its turn comes and freed behind it.
struct demo_case {
  std::string input;    // file name or description
  std::string meaning;  // what the result is: "running total per day"
  std::function<std::unique_ptr<job>()> make;
};

struct demo_inputs {
  std::vector<demo_case> cases;
  std::vector<std::string> skipped;  // "file: reason"
};

/// The project's folder data/: beside the working directory or above the program. Empty if it is not there.
std::string find_data_folder();

/// Every file of a folder and of those below it:
///   .npy         scanned as it is, and by segments where NAME.heads.npy, NAME.bits.npy, NAME.offsets.npy or NAME.keys.npy lies
///                beside it; what lies above the mean; runs of bytes; one total for each run of keys; in order, by
///                magnitude too
///   .csv, .tsv   every column of numbers: running total and running maximum, rows above the mean; where a column begins with
///                dates, per day, too
///   .mtx[.gz], .npz  matrices: the product with 1 + j mod 7; ranks of pages where all entries of a square one are 1
///   other files  bytes, .gz decompressed: running sum; texts also the position in the line, others the position in a run of equal
///                bytes; runs, where there are some; access logs of web servers: hits and bytes of a client in a row; genomes (.fa,
///                .fasta, .fna): their most frequent words
void add_files(demo_inputs& to, std::string const& folder);

/// Facts that distributions install: the word list, the Unicode table. Those that are not there are left out.
void add_system_files(demo_inputs& to);

/// Seeded, in memory, up to 2^24 items.
void add_generated(demo_inputs& to);

}  // namespace lookback::app
