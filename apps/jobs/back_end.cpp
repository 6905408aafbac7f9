#include "back_end.hpp"

#include <lookback/cpu/run/machine.hpp>

#include "io/numbers.hpp"
#include "report/failures.hpp"
#include "report/machine.hpp"
#include "strategy_names.hpp"

namespace lookback::app {

using dispatch::unavailable;

dispatch::place runner::place() const {
  if (queue) return tuned.applied(queue->place());
  dispatch::place on;
  on.threads = threads;
  return tuned.applied(on);
}

std::string runner::text() const {
  if (where == back_end::gpu) return "gpu, " + device;
  return "cpu, " + text_of(threads) + (threads == 1 ? " thread" : " threads");
}

int worker_threads(int asked) { return asked > 0 ? asked : cpu::usable_cores(); }

dispatch::gpu_survey survey_for(common_options const& options) {
  if (options.device && options.on == "cpu") throw usage_error("--device and --on cpu exclude each other");
  auto survey = dispatch::survey_gpus();
  if (!options.device) return survey;
  auto const named = "--device " + text_of(*options.device) + ": ";
  if (survey.devices.empty()) throw unavailable(named + survey.why_none);
  if (static_cast<std::size_t>(*options.device) >= survey.devices.size())
    throw unavailable(named + "no such device, expected 0 to " + text_of(survey.devices.size() - 1));
  return survey;
}

runner make_runner(back_end where, common_options const& options) {
  runner made;
  made.where = where;
  made.threads = worker_threads(options.threads);
  if (where == back_end::cpu) return made;
  auto const survey = survey_for(options);
  if (survey.devices.empty()) throw unavailable("--on gpu: " + survey.why_none);
  auto const device = static_cast<std::size_t>(options.device.value_or(0));
  made.device = survey.devices[device].name;
  made.device_number = static_cast<int>(device);
  made.queue.emplace(static_cast<int>(device));
  return made;
}

namespace {

/// Why a back end lacks a strategy that it could not have for any type; empty where types decide.
std::string whose(strategy how, back_end where) {
  if (where == back_end::cpu && dispatch::is_of_gpu_alone(how))
    return dispatch::needs_segments(how) ? " (a strategy of GPUs, for scans of segments)" : " (a strategy of GPUs)";
  if (where == back_end::gpu && dispatch::is_of_cpu_alone(how)) return " (a strategy of CPUs)";
  if (dispatch::is_lifted(how)) return " (for scans by --heads, --head-bits, --keys or --row-length)";
  return dispatch::needs_segments(how) ? " (for scans of segments)" : "";
}

}  // namespace

decision decide_back_end(common_options const& options, strategy how, dispatch::gpu_survey const& survey,
                         std::function<bool(back_end, strategy)> const& offers, std::string const& what) {
  if (options.on == "gpu" && survey.devices.empty()) throw unavailable("--on gpu: " + survey.why_none);
  back_end where = options.on == "gpu" ? back_end::gpu : back_end::cpu;
  std::string why = "as asked";
  std::string const nothing =
      how == strategy::best ? "no implementation" : std::string("no ") + dispatch::name_of(how) + " implementation";
  if (options.on == "auto") {
    if (survey.devices.empty()) why = survey.why_none;
    else if (!offers(back_end::gpu, how)) why = "the GPU has " + nothing + " for " + what;
    else where = back_end::gpu, why = "a GPU is present";
    if (options.device && where == back_end::cpu) throw unavailable("--device " + text_of(*options.device) + ": " + why);
  }
  if (!offers(where, how)) {
    auto const other = where == back_end::gpu ? back_end::cpu : back_end::gpu;
    std::string expected;
    if (offers(other, how) && (other == back_end::cpu || !survey.devices.empty()))
      expected = std::string("--on ") + dispatch::name_of(other);
    if (auto const names = strategy_names([&](strategy one) { return offers(where, one); }); !names.empty())
      expected += (expected.empty() ? "--strategy " : " or --strategy ") + names;
    throw unavailable(std::string("the ") + dispatch::name_of(where) + " has " + nothing + " for " + what + " in this build" +
                      whose(how, where) + (expected.empty() ? "" : ", expected " + expected));
  }
  return {where, why};
}

void expect_one_meaning(common_options const& options, strategy how) {
  if (options.reproducible && how != strategy::best && how != strategy::decoupled_look_back)
    throw usage_error(std::string("--reproducible and --strategy ") + dispatch::name_of(how) + " exclude each other");
}

runner choose_runner(common_options const& options, strategy how, std::function<bool(back_end, strategy)> const& offers,
                     std::string const& what) {
  expect_one_meaning(options, how);
  auto const [where, why] = decide_back_end(options, how, survey_for(options), offers, what);
  auto chosen = make_runner(where, options);
  chosen.why = why;
  return chosen;
}

}  // namespace lookback::app
