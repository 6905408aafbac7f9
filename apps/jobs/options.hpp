// Options that every command has.
#pragma once
#include <optional>
#include <string>

#include "io/elements.hpp"

namespace CLI {
class App;
}

namespace lookback::app {

struct common_options {
  std::string on = "auto";    // auto, cpu, gpu
  int threads = 0;            // 0: one per core
  std::optional<int> device;  // the first one unless named
  std::string strategy;       // empty: the back end's own choice
  bool reproducible = false;
  bool validate = false;
  int repeat = 1;
  std::string memory;      // of chunks; empty: the program's choice
  std::string json;        // file, empty for none
  bool explain = false;    // tell what a run moves, takes and by which way; in one piece
  bool no_tuning = false;  // pass over what `lookback tune` has found
  bool quiet = false;
};

/// Declares them on a command.
void add_common_options(CLI::App& command, common_options& options);

/// Those of them that say where a command runs: --on, --threads, --device.
void add_place_options(CLI::App& command, common_options& options);

/// --json alone.
void add_json_option(CLI::App& command, common_options& options);

/// --quiet alone, for commands that run nowhere in particular.
void add_quiet_option(CLI::App& command, common_options& options);

/// The strategy of that name, hyphens or underscores. Throws unavailable if this build has none, usage_error for the textbook's
/// where the command has no such form.
strategy strategy_named(std::string name, bool has_textbook_form = false);

/// One or more lines for people, on stderr.
void say(common_options const& options, std::string const& text);

/// A note that does not stop the command, on stderr: once, however often its file is read; not with --quiet.
void note(std::string const& text);

/// "2^24", "1000000" or "64k", "16M", "1G" (powers of two). Throws usage_error naming `option`.
std::int64_t parse_count(std::string const& text, std::string const& option);

}  // namespace lookback::app
