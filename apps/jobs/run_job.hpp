// A job from host memory to host memory, with the time of each part.
#pragma once
#include <lookback/stages.hpp>
#include <vector>

#include "back_end.hpp"
#include "job.hpp"

namespace lookback::app {

/// Seconds of one run, from file to file. What does not happen takes 0.
struct phase_times {
  double load = 0, parse = 0, transfer_in = 0, kernel = 0, transfer_out = 0, store = 0;
  // Of chunks that were read, run and written at the same time: those seconds are not among the others.
  stage_times overlapped{};
  index_t chunks = 0;
  // The same of parts that were read while they were brought to a GPU, and written while they came back.
  stage_times bringing{}, taking{};
  bool parts = false;
  double total() const {
    return load + parse + transfer_in + kernel + transfer_out + store + overlapped.total + bringing.total + taking.total;
  }
};

/// "reading", "the kernel", "the GPU and the transfers" or "writing".
char const* text_of(stage limit);

/// Each part by itself, of runs in one piece.
phase_times median_of(std::vector<phase_times> const& runs);

/// Throws device_error where the counts that a device has left in `made` speak of more than the outputs have room for.
void expect_counted(job const& of, outputs const& made);

/// Room for a job where it runs and for its results; lives through its repetitions.
class job_memory {
 public:
  /// For a GPU allocates device memory for inputs and outputs; throws out_of_memory. With `pinned`, host memory on both sides of a
  /// transfer is page-locked, and inputs are copied there as a program would read them.
  job_memory(runner const& on, job const& of, bool pinned = false);

  /// Brings the inputs there, runs, brings the results back. Adds to `times`.
  void run(job const& of, job_function const& how, phase_times& times);
  /// The same once more, after run(), of what is there already: seconds of the kernel alone. In place the inputs come again.
  double again(job const& of, job_function const& how);
  /// From here on a GPU's kernels are timed by the device, with cold caches (gpu_queue::seconds_of), as benchmarks do: else by the
  /// host, from the call until it has waited.
  void time_by_device() { by_device_ = true; }

  outputs const& results() const& { return results_; }
  outputs results() && { return std::move(results_); }

 private:
  void run_on_gpu(job const& of, job_function const& how, phase_times& times);
  void bring_back(job const& of, places const& at);
  places places_of(job const& of);
  double run_timed(job_function const& how, places const& at);

  runner const& on_;
  bool by_device_ = false;
  outputs results_, staged_;
  std::vector<dispatch::gpu_memory> in_, out_;
  std::vector<dispatch::pinned> locks_;  // destroyed before what they lock
};

}  // namespace lookback::app
