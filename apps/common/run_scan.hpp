// A scan from host memory to host memory, with the time of each part.
#pragma once
#include <functional>
#include <vector>

#include "back_end.hpp"
#include "memory.hpp"
#include "scan_job.hpp"

namespace lookback::app {

/// Seconds of one run, from file to file. What does not happen takes 0.
struct phase_times {
  double load = 0, parse = 0, transfer_in = 0, kernel = 0, transfer_out = 0, store = 0;
  double total() const { return load + parse + transfer_in + kernel + transfer_out + store; }
};

/// Each part by itself.
phase_times median_of(std::vector<phase_times> const& runs);

/// Whatever can run a request: the library, or a library to compare with.
using scan_function = std::function<void(dispatch::place const&, dispatch::scan_request const&)>;

/// Room for a job where it runs; lives through its repetitions.
class scan_memory {
 public:
  /// For a GPU allocates device memory for input, segments and output; throws out_of_memory.
  scan_memory(runner const& on, scan_job const& job);

  /// Brings the input there, scans, brings the result to `out` (values.bytes() bytes of host memory). Adds to `times`.
  void run(scan_job const& job, scan_function const& scan, strategy how, bool reproducible, std::byte* out, phase_times& times);

 private:
  runner const& on_;
  dispatch::gpu_memory in_, heads_, out_;
};

}  // namespace lookback::app
