// Where a command runs, decided once.
#pragma once
#include <functional>
#include <optional>
#include <string>

#include "dispatch/gpu.hpp"
#include "io/elements.hpp"
#include "options.hpp"
#include "tuning/choice.hpp"

namespace lookback::app {

/// The chosen back end, ready to run.
struct runner {
  back_end where = back_end::cpu;
  int threads = 1;
  std::string device;  // name of the GPU
  std::string why;     // for people: why this one
  int device_number = 0;
  tuned_choice tuned{};  // sizes for every call; the default is the library's own
  std::optional<dispatch::gpu_queue> queue;

  dispatch::place place() const;
  /// "cpu, 2 threads" or "gpu, NVIDIA H100".
  std::string text() const;
};

/// The GPUs of this machine. Throws usage_error or unavailable if the options name a device that cannot be had.
dispatch::gpu_survey survey_for(common_options const& options);

/// Follows --on and --device on a machine with these GPUs; `auto` takes the GPU if there is one and `offers` says that it has the
/// strategy for `what` ("i32 and plus"). Throws unavailable with the reason.
struct decision {
  back_end where;
  std::string why;
};
decision decide_back_end(common_options const& options, strategy how, dispatch::gpu_survey const& survey,
                         std::function<bool(back_end, strategy)> const& offers, std::string const& what);

/// Throws usage_error where --reproducible and --strategy contradict each other.
void expect_one_meaning(common_options const& options, strategy how);

/// The same of this machine, with --threads, ready to run.
runner choose_runner(common_options const& options, strategy how, std::function<bool(back_end, strategy)> const& offers,
                     std::string const& what);

/// A runner on exactly that back end. Throws unavailable with the reason.
runner make_runner(back_end where, common_options const& options);

/// Worker threads for a --threads of `asked`: 0 is one per core that this process may use.
int worker_threads(int asked);

}  // namespace lookback::app
