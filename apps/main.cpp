// The program: one command per file, and the one place where errors become exit codes.
#include <CLI/CLI.hpp>
#include <cstdio>
#include <new>

#include "commands.hpp"
#include "io/unfinished.hpp"
#include "report/failures.hpp"
#include "report/machine.hpp"
#include "report/report.hpp"
#include "report/printable.hpp"

namespace {

using namespace lookback;
using app::exit_code;

exit_code code_of(error const& e) {
  if (dynamic_cast<app::mismatch const*>(&e)) return exit_code::mismatch;
  if (dynamic_cast<app::usage_error const*>(&e)) return exit_code::usage;
  if (dynamic_cast<app::bad_data const*>(&e) || dynamic_cast<invalid_argument const*>(&e)) return exit_code::bad_data;
  if (dynamic_cast<app::no_input const*>(&e)) return exit_code::no_input;
  if (dynamic_cast<dispatch::unavailable const*>(&e)) return exit_code::unavailable;
  if (dynamic_cast<out_of_memory const*>(&e)) return exit_code::memory;
  if (dynamic_cast<io_error const*>(&e)) return exit_code::io;
  return exit_code::internal;
}

int fail(exit_code code, char const* what) {
  std::fprintf(stderr, "lookback: %s\n", app::printable(what).c_str());
  return static_cast<int>(code);
}

// "--init -inf" is a value, not an option called -i: said as "--init=-inf" nobody can take it for one.
std::vector<std::string> words_of(int count, char** words) {
  std::vector<std::string> joined;
  auto const takes_a_value = [](std::string const& word) {
    constexpr char const* options[] = {"--init", "--low", "--high", "--below", "--above", "--equal", "--alpha", "--beta"};
    return std::find(std::begin(options), std::end(options), word) != std::end(options);
  };
  for (int i = 1; i < count; ++i)
    if (!joined.empty() && takes_a_value(joined.back())) joined.back() += std::string("=") + words[i];
    else if (!joined.empty() && joined.back() == "--between" && i + 1 < count)
      joined.back() += std::string("=") + words[i] + "," + words[i + 1], ++i;
    else joined.emplace_back(words[i]);
  std::reverse(joined.begin(), joined.end());  // CLI11 takes them from the back
  return joined;
}

// Option groups are commands too, without a name.
std::vector<CLI::App const*> commands_of(CLI::App const& parent) {
  return parent.get_subcommands([](CLI::App const* one) { return !one->get_name().empty(); });
}

// Says more than the parser does where a word should be a command and is none: "gather", "compare gather", "rle pack".
void expect_command(CLI::App const& parent, std::string const& before, int count, char** words) {
  if (count > 0 && words[0][0] == '-') return;
  std::string names;
  for (auto const* const command : commands_of(parent)) {
    if (count > 0 && command->get_name() == words[0]) {
      if (!commands_of(*command).empty()) expect_command(*command, before + words[0] + ": ", count - 1, words + 1);
      return;
    }
    names += (names.empty() ? "" : ", ") + command->get_name();
  }
  std::string const found = count > 0 ? "'" + std::string(words[0]) + "'" : "no command";
  throw app::usage_error(before + "found " + found + ", expected one of " + names + " (lookback --help, lookback COMMAND --help)");
}

}  // namespace

int main(int count, char** words) {
  CLI::App program("Scan-based algorithms on CPU and GPU. Data goes to files, words for people to stderr.", "lookback");
  program.require_subcommand(1);
  program.failure_message([](CLI::App const* of, CLI::Error const& e) {
    return app::printable("lookback: " + CLI::FailureMessage::simple(of, e), true);
  });
  program.footer(
      "Exit codes: 0 as asked; 1 a result that --validate refuses, or ranks that have not converged; 64 words that make no sense;\n"
      "65 bad data in a file; 66 no such input; 69 no such back end, GPU or strategy here; 70 a failure inside; 71 no memory; 74 "
      "input or output.\n"
      "An output replaces the file of its name when the command is done. A symbolic link stays, its target is replaced. Other "
      "hard\n"
      "links of the file keep the old content.");
  app::end_cleanly_on_signals();
  program.set_version_flag("--version", app::build().version);
  app::each_command(program, app::add_command);
  app::add_compare(program);
  app::add_demo(program);
  app::add_gen(program);
  app::add_info(program);
  for (int i = 0; i < count; ++i) app::command_line += (i ? " " : "") + std::string(words[i]);
  try {
    expect_command(program, "", count - 1, words + 1);
    program.parse(words_of(count, words));
    return 0;
  } catch (CLI::ParseError const& e) {
    return program.exit(e) == 0 ? 0 : static_cast<int>(exit_code::usage);
  } catch (error const& e) {
    return fail(code_of(e), e.what());
  } catch (std::bad_alloc const&) {
    return fail(exit_code::memory, "out of memory");
  } catch (std::exception const& e) {
    return fail(exit_code::internal, e.what());
  }
}
