// The program: one command per file, and the one place where errors become exit codes.
#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdio>
#include <new>

#include "commands.hpp"
#include "io/unfinished.hpp"
#include "report/failures.hpp"
#include "report/machine.hpp"
#include "report/printable.hpp"
#include "report/report.hpp"

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

// Options whose values are numbers, which may begin with a sign.
bool takes_a_number(std::string const& option) {
  constexpr char const* options[] = {"--init", "--low", "--high", "--below", "--above", "--equal", "--alpha", "--beta"};
  return std::find(std::begin(options), std::end(options), option) != std::end(options);
}

// An empty value stands behind its option as a word of its own: behind "--init=" the parser takes the next word for the value.
std::vector<std::string> words_of(int count, char** words) {
  std::vector<std::string> made;
  for (int i = 1; i < count; ++i) {
    std::string const word = words[i];
    bool const lacks_value = word.starts_with("--") && word.find('=') == word.size() - 1;
    made.push_back(lacks_value ? word.substr(0, word.size() - 1) : word);
    if (lacks_value) made.emplace_back();
  }
  return made;
}

std::string expected_of(CLI::Option const& option) {
  auto const type = option.get_type_name();
  return takes_a_number(option.get_name()) ? "a number" : type == "TEXT" ? "a file" : type;
}

// A script passes an empty word where a variable is unset. The parser takes it for a name, or never ends where no option takes it.
// parse_scalar() refuses that of --init, since it knows the type. An option that takes a value would also take the next option for
// it.
void refuse_missing_values(CLI::App& program, std::vector<std::string> const& words) {
  auto* command = &program;
  for (std::size_t i = 0; i < words.size(); ++i) {
    if (!words[i].empty()) {
      auto const* const before = i > 0 && words[i - 1].starts_with("-") ? command->get_option_no_throw(words[i - 1]) : nullptr;
      if (before && before->get_items_expected_min() > 0 && words[i].starts_with("-") && command->get_option_no_throw(words[i]))
        throw app::usage_error(words[i - 1] + ": found the option " + words[i] + ", expected " + expected_of(*before));
      for (auto* const inner : command->get_subcommands([&](CLI::App* one) { return one->get_name() == words[i]; }))
        command = inner;
      continue;
    }
    auto const* option = i > 0 ? command->get_option_no_throw(words[i - 1]) : nullptr;
    if (!option && i > 1 && words[i - 2] == "--between") option = command->get_option_no_throw(words[i - 2]);
    if (!option || option->get_items_expected_min() == 0)
      throw app::usage_error("found '' where no option takes a value, expected no empty argument");
    auto const name = option->get_name();
    if (name == "--init") continue;
    throw app::usage_error(name + ": found '', expected " + expected_of(*option));
  }
}

// "-o" and "--output", not "-1", "-.5", "-inf" and "-nan".
bool names_option(std::string const& word) {
  return word.size() > 1 && word[0] == '-' && std::string_view("0123456789.iInN").find(word[1]) == std::string_view::npos;
}

// "--init -inf" is a value, not an option called -i: said as "--init=-inf" nobody can take it for one.
std::vector<std::string> joined(std::vector<std::string> const& words) {
  std::vector<std::string> made;
  for (std::size_t i = 0; i < words.size(); ++i)
    if (!made.empty() && takes_a_number(made.back()) && !words[i].empty()) made.back() += "=" + words[i];
    else if (!made.empty() && made.back() == "--between" && i + 1 < words.size() && !names_option(words[i + 1]))
      made.back() += "=" + words[i] + "," + words[i + 1], ++i;
    else made.push_back(words[i]);
  std::reverse(made.begin(), made.end());  // CLI11 takes them from the back
  return made;
}

// Option groups are commands too, without a name.
std::vector<CLI::App const*> commands_of(CLI::App const& parent) {
  return parent.get_subcommands([](CLI::App const* one) { return !one->get_name().empty(); });
}

// Says more than the parser does where a word should be a command and is none: "gather", "compare gather", "rle pack".
void expect_command(CLI::App const& parent, std::string const& before, int count, char** words) {
  if (count > 0 && words[0][0] == '-') {
    if (!before.empty() || parent.get_option_no_throw(words[0])) return;
    throw app::usage_error("found '" + std::string(words[0]) + "', expected a command, --help or --version");
  }
  std::string names;
  for (auto const* const command : commands_of(parent)) {
    if (count > 0 && command->get_name() == words[0]) {
      if (!commands_of(*command).empty()) expect_command(*command, before + words[0] + ": ", count - 1, words + 1);
      return;
    }
    names += (names.empty() ? "" : ", ") + command->get_name();
  }
  std::string const found = count > 0 ? "'" + std::string(words[0]) + "'" : "no command";
  throw app::usage_error(before + "found " + found + ", expected one of " + names +
                         " (see lookback --help and lookback COMMAND --help)");
}

}  // namespace

int main(int count, char** words) {
  CLI::App program("Scan-based algorithms on CPU and GPU. Results go to files, messages to stderr.", "lookback");
  program.require_subcommand(1);
  program.failure_message([](CLI::App const* of, CLI::Error const& e) {
    return app::printable("lookback: " + CLI::FailureMessage::simple(of, e), true);
  });
  program.footer(
      "Exit codes: 0 success; 1 a result differs from its reference, pagerank did not converge, or a report lacks a section; 64 "
      "invalid command line;\n"
      "65 invalid data in a file; 66 no such input file; 69 no such back end, GPU or strategy; 70 internal error;\n"
      "71 out of memory; 74 a file cannot be read or written.\n"
      "An output replaces the file of its name when the command is done. If the name is a symbolic link, the link stays and its\n"
      "target is replaced. Other hard links of the file keep the old content.");
  app::end_cleanly_on_signals();
  program.set_version_flag("--version", app::build().version);
  app::each_command(program, app::add_command);
  app::add_compare(program);
  app::add_explain(program);
  app::add_report(program);
  app::add_tune(program);
  app::add_demo(program);
  app::add_gen(program);
  app::add_info(program);
  for (int i = 0; i < count; ++i) app::command_line += (i ? " " : "") + std::string(words[i]);
  try {
    expect_command(program, "", count - 1, words + 1);
    auto const given = words_of(count, words);
    refuse_missing_values(program, given);
    program.parse(joined(given));
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
