// lookback explain COMMAND ...: what a command moves, which way the library takes, and how far that is from a copy.
#include <CLI/CLI.hpp>
#include <algorithm>
#include <memory>

#include "commands.hpp"
#include "jobs/perform.hpp"

namespace lookback::app {

namespace {

// Results go where a name says; without any name nowhere.
command_words named_outputs(command_words words) {
  auto const all = words.outputs;
  words.outputs = [all] {
    auto paths = all();
    auto const named = std::count_if(paths.begin(), paths.end(), [](std::string const& path) { return !path.empty(); });
    if (named == 0) return std::vector<std::string>{};
    if (named < std::ssize(paths))
      throw usage_error("explain: found a name for some of the results, expected one for each, or none");
    return paths;
  };
  return words;
}

void add_explanation(CLI::App& explain, char const* name, char const* what, declare_function declare) {
  auto* const command = explain.add_subcommand(name, what);
  auto const common = std::make_shared<common_options>();
  common->explain = true;
  common->repeat = 9;
  auto const words = declare(*command, true);
  add_common_options(*command, *common);
  command->callback([words, common] { perform(named_outputs(words), *common); });
}

}  // namespace

void add_explain(CLI::App& program) {
  auto* const explain = program.add_subcommand(
      "explain", "Tell which way a command takes and why, what it moves, and how far it is from a copy of as many bytes");
  explain->require_subcommand(1);
  each_command(*explain, add_explanation);
}

}  // namespace lookback::app
