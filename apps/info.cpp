// lookback info: what this build is and what this machine offers it.
#include <CLI/CLI.hpp>
#include <algorithm>
#include <memory>

#include "commands.hpp"
#include "dispatch/peers.hpp"
#include "io/numbers.hpp"
#include "jobs/attempt.hpp"
#include "jobs/back_end.hpp"
#include "jobs/strategy_names.hpp"
#include "report/machine.hpp"
#include "report/table.hpp"
#include "tuning/known.hpp"

namespace lookback::app {

namespace {

std::string joined(std::vector<std::string> const& words) {
  std::string text;
  for (auto const& word : words) text += (text.empty() ? "" : ", ") + word;
  return text.empty() ? "none" : text;
}

std::string strategies_of(back_end where) {
  auto const names = strategy_names([&](strategy how) {
    return dispatch::offers(where, how, element::i32, operation::plus, dispatch::values_of::scan_by_heads);
  });
  return names.empty() ? "none" : names;
}

// Whoever is compared with in any command, once; of a library's several algorithms the library.
std::string peers_of(back_end where) {
  std::vector<std::string> names;
  auto const take_in = [&](auto const& peers) {
    for (auto const& peer : peers) {
      std::string const library = "cuSPARSE";
      std::string const name = std::string(peer.name).starts_with(library) ? library : peer.name;
      if (peer.where == where && !peer.is_ceiling && std::find(names.begin(), names.end(), name) == names.end())
        names.push_back(name);
    }
  };
  take_in(dispatch::peers());
  take_in(dispatch::select_peers());
  take_in(dispatch::unique_peers());
  take_in(dispatch::encode_peers());
  take_in(dispatch::decode_peers());
  take_in(dispatch::reduce_peers());
  take_in(dispatch::spmv_peers());
  return joined(names);
}

// The tunings of this user, a line each, and which of them are not for this machine.
std::string tunings_text() {
  auto const path = tunings::path_of_this_user();
  tunings known;
  if (auto const why = attempt([&] { known = tunings::of_this_user(); }); !why.empty()) return "tunings     " + why + "\n";
  if (known.entries.empty()) return "tunings     none (lookback tune COMMAND makes some)\n";
  auto const survey = dispatch::survey_gpus();
  auto const is_here = [&](known_tuning const& one) {
    if (one.back_end == "cpu") return one.device == this_processor();
    return std::any_of(survey.devices.begin(), survey.devices.end(), [&](auto const& gpu) { return gpu.name == one.device; });
  };
  std::string text = "tunings     " + path + "\n";
  for (auto const& one : known.entries) {
    text += "  " + one.call.command + ", " + one.call.manner + ", " + grouped(one.call.items) + " x " + one.call.type + ", " +
            one.back_end + (one.call.threads > 0 ? ", --threads " + text_of(one.call.threads) : "") + ": " + words_of(one);
    if (!one.is_default() && one.tuned_seconds > 0)
      text += "; " + fixed_text(one.default_seconds / one.tuned_seconds, 2) + " times as fast";
    if (!is_here(one)) text += "; of " + one.device + ", passed over";
    else if (one.version != lookback::version) text += "; of version " + one.version + ", passed over";
    else if (!one.unknown.empty()) text += "; '" + one.unknown[0] + "' is not known to this version, passed over";
    text += "\n";
  }
  return text;
}

void run(common_options const& options) {
  auto const survey = dispatch::survey_gpus();
  auto const& facts = build();
  std::string text = "lookback " + facts.version + (facts.commit.empty() ? "" : " (" + facts.commit + ")") + ", built with " +
                     facts.compiler + "\n";
  text += "cpu         " + cpu_name() + ", " + text_of(worker_threads(0)) + " cores, " + simd_name();
  if (last_level_cache_bytes() > 0) text += ", last-level cache " + text_of(last_level_cache_bytes() >> 20) + " MiB";
  text += "\n";
  for (std::size_t i = 0; i < survey.devices.size(); ++i) {
    auto const& device = survey.devices[i];
    text += "gpu " + text_of(i) + "       " + device.name + ", " + device.architecture + ", " + text_of(device.multiprocessors) +
            " multiprocessors, " + bytes_text(static_cast<double>(device.memory_bytes)) + "\n";
  }
  if (survey.devices.empty()) text += "gpu         none: " + survey.why_none + "\n";
  if (!survey.versions.empty()) {
    auto const version = gpu_driver_version();
    text += "cuda        " + survey.versions + (version.empty() ? "" : " (" + version + ")") + "\n";
  }
  text += "strategies  cpu: " + strategies_of(back_end::cpu) + "; gpu: " + strategies_of(back_end::gpu) + "\n";
  text += "peers       cpu: " + peers_of(back_end::cpu) + "; gpu: " + peers_of(back_end::gpu) + "\n";
  text += tunings_text();
  text += std::string("elements    ") + all_element_names + "; matrices and their vectors also c64, c128\n";
  text += "files       .npy (1.0 to 3.0), .csv, .tsv, raw, text; matrices .mtx, .npz; text, raw and .mtx also .gz";
  say(options, text);
}

}  // namespace

void add_info(CLI::App& program) {
  auto const options = std::make_shared<common_options>();
  auto* const command = program.add_subcommand("info", "Show back ends, devices and versions");
  add_quiet_option(*command, *options);
  command->callback([options] { run(*options); });
}

}  // namespace lookback::app
